import type { Reading } from './reading.js';

/** `format` of a recording. */
export const FORMAT = 'svc-speaker-recording';
/** `version` of a recording: another one when a reader of this one would misunderstand it. */
export const VERSION = 1;

/** Time between two readings, in milliseconds, if the page is not busy. */
export const READ_MS = 20;
/** How late arrivals are seen on the message transport, where the audio thread reports so often. In milliseconds. */
export const ARRIVALS_BY_MESSAGE_MS = 100;

/** An event of the speaker, when the page was told. */
export interface SpeakerEventRecord {
  /** On the clock of the recording, in seconds. */
  atSeconds: number;
  /** As the element names it; or `idle`: the clock stood still for `durationMs`. */
  type: string;
  /** Of an underrun that is over, or of an idle time. */
  durationMs?: number;
  /** Of a `socketclose`. */
  code?: number;
  /** Of an `error`: one of the element's reasons. */
  reason?: string;
}

/** What happened to a speaker: no text, no sound and no address is in it. */
export interface SpeakerRecording {
  /** What the file is. */
  readonly format: typeof FORMAT;
  /** Of the format; another one is refused. */
  readonly version: typeof VERSION;
  /** When it was begun, ISO 8601. */
  readonly recordedAt: string;
  /** The browser's name for itself. */
  readonly browser: string;
  /** What times are worth: the interval of readings, and how late arrivals are seen, in milliseconds. */
  readonly resolution: { readonly readingsMs: number; readonly arrivalsMs: number };
  /** How the speaker was set at the end. */
  readonly settings: {
    readonly jitterBuffer: 'adaptive' | 'fixed' | 'low-delay';
    /** In milliseconds. */
    readonly jitterBufferTarget: number;
    readonly playbackRate: number;
    readonly resampler: 'fine' | 'eco';
  };
  /** What it was made of at the end; null for what there was not yet. */
  readonly pipeline: {
    readonly transport: 'shared' | 'message' | null;
    readonly audioBackend: string | null;
    /** Of the speech and of the output, in Hz. */
    readonly sampleRate: number | null;
    readonly contextSampleRate: number | null;
  };
  /** Oldest first. */
  readonly readings: readonly Reading[];
  /** What happened, in order. */
  readonly events: readonly SpeakerEventRecord[];
}

/** In the order in which they are written. */
const columns = [
  'atSeconds',
  'bufferedSeconds',
  'targetSeconds',
  'arrivedSeconds',
  'playedSeconds',
  'insertedSeconds',
  'removedSeconds',
  'concealedSeconds',
  'silentSeconds',
  'underruns',
  'outputSeconds',
] as const satisfies readonly (keyof Reading)[];

/** Readings beyond a day's worth are none that were recorded. */
const READINGS_MAX = 5_000_000;

/** The recording as JSON, one reading a line: a table whose columns are named in `columns`. */
export function stringifyRecording(recording: SpeakerRecording): string {
  const { readings, events, ...rest } = recording;
  const rows = readings.map((reading) => JSON.stringify(columns.map((name) => rounded(reading[name]))));
  const notes = events.map((event) => JSON.stringify({ ...event, atSeconds: rounded(event.atSeconds) }));
  const head = JSON.stringify({ ...rest, columns }, null, 1).slice(0, -2);
  return `${head},\n "readings": [\n${rows.join(',\n')}\n],\n "events": [\n${notes.join(',\n')}\n]\n}\n`;
}

/** To a hundredth of a millisecond: less than a sample, and half the bytes. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1e5) / 1e5;
}

/**
 * Reads what `stringifyRecording` wrote. Columns and fields that it does not know are left out.
 *
 * @throws {TypeError} If it is none; the message says where, and what should be there.
 */
export function parseRecording(text: string): SpeakerRecording {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`The recording is not JSON: ${(cause as Error).message}`, { cause });
  }
  const file = objectAt(json, 'The recording');
  if (file['format'] !== FORMAT) {
    throw new TypeError(`This is no recording of <svc-speaker>: "format" is ${show(file['format'])}, not "${FORMAT}"`);
  }
  if (file['version'] !== VERSION) {
    throw new TypeError(`"version" is ${show(file['version'])}; this inspector reads version ${VERSION}`);
  }
  const resolution = objectAt(file['resolution'], '"resolution"');
  const settings = objectAt(file['settings'], '"settings"');
  const pipeline = objectAt(file['pipeline'], '"pipeline"');
  return {
    format: FORMAT,
    version: VERSION,
    recordedAt: stringAt(file['recordedAt'], '"recordedAt"'),
    browser: stringAt(file['browser'], '"browser"'),
    resolution: {
      readingsMs: numberAt(resolution['readingsMs'], '"resolution.readingsMs"', 1, 10_000),
      arrivalsMs: numberAt(resolution['arrivalsMs'], '"resolution.arrivalsMs"', 1, 10_000),
    },
    settings: {
      jitterBuffer: oneOf(settings['jitterBuffer'], '"settings.jitterBuffer"', ['adaptive', 'fixed', 'low-delay']),
      jitterBufferTarget: numberAt(settings['jitterBufferTarget'], '"settings.jitterBufferTarget"', 0, 4000),
      playbackRate: numberAt(settings['playbackRate'], '"settings.playbackRate"', 0.5, 2),
      resampler: oneOf(settings['resampler'], '"settings.resampler"', ['fine', 'eco']),
    },
    pipeline: {
      transport: orNull(pipeline['transport'], (value) => oneOf(value, '"pipeline.transport"', ['shared', 'message'])),
      audioBackend: orNull(pipeline['audioBackend'], (value) => stringAt(value, '"pipeline.audioBackend"')),
      sampleRate: orNull(pipeline['sampleRate'], (value) => numberAt(value, '"pipeline.sampleRate"', 1, 1e6)),
      contextSampleRate: orNull(pipeline['contextSampleRate'], (value) =>
        numberAt(value, '"pipeline.contextSampleRate"', 1, 1e6),
      ),
    },
    readings: readingsAt(file['readings'], listAt(file['columns'], '"columns"')),
    events: eventsAt(listAt(file['events'], '"events"')),
  };
}

function readingsAt(table: unknown, names: readonly unknown[]): Reading[] {
  const places = columns.map((name) => {
    const place = names.indexOf(name);
    if (place >= 0) return place;
    throw new TypeError(`"columns" has no "${name}"`);
  });
  const rows = listAt(table, '"readings"');
  if (rows.length > READINGS_MAX) throw new TypeError(`"readings" has ${rows.length} rows, more than ${READINGS_MAX}`);
  let before = Number.NEGATIVE_INFINITY;
  return rows.map((value, index) => {
    const row = listAt(value, `"readings" row ${index}`);
    const reading = Object.fromEntries(
      columns.map((name, column) => {
        const what = `"${name}" in "readings" row ${index}`;
        return [name, numberAt(row[places[column]!], what, 0, Number.MAX_VALUE)];
      }),
    ) as unknown as Reading;
    if (reading.atSeconds < before) throw new TypeError(`"readings" row ${index} is earlier than the row before`);
    before = reading.atSeconds;
    return reading;
  });
}

function eventsAt(values: readonly unknown[]): SpeakerEventRecord[] {
  return values.map((value, index) => {
    const place = `"events" number ${index}`;
    const event = objectAt(value, place);
    const record: SpeakerEventRecord = {
      atSeconds: numberAt(event['atSeconds'], `"atSeconds" in ${place}`, 0, Number.MAX_VALUE),
      type: stringAt(event['type'], `"type" in ${place}`),
    };
    const { durationMs, code, reason } = event;
    if (durationMs !== undefined) record.durationMs = numberAt(durationMs, `"durationMs" in ${place}`, 0, 1e12);
    if (code !== undefined) record.code = numberAt(code, `"code" in ${place}`, 0, 65_535);
    if (reason !== undefined) record.reason = stringAt(reason, `"reason" in ${place}`);
    return record;
  });
}

function objectAt(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new TypeError(`${what} is ${show(value)}, not an object`);
}

function listAt(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${what} is ${show(value)}, not a list`);
}

function stringAt(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${what} is ${show(value)}, not a string`);
}

function numberAt(value: unknown, what: string, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const range = most === Number.MAX_VALUE ? `${least} or more` : `from ${least} to ${most}`;
  throw new TypeError(`${what} is ${show(value)}, not a number ${range}`);
}

function oneOf<T extends string>(value: unknown, what: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new TypeError(`${what} is ${show(value)}, not one of ${choices.join(', ')}`);
}

function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null ? null : read(value);
}

/** A value for a message, however large it is. */
function show(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
