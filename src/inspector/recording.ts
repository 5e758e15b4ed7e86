/** `format` of a recording file. */
export const FORMAT = 'svc-speaker-recording';
/** `version` of a recording file. Raised when a reader of the previous version would misread the file. */
export const VERSION = 1;

/** Interval between readings, in milliseconds. A busy page takes longer. */
export const READING_INTERVAL_MS = 20;
/** Resolution of arrivals on the message transport, in milliseconds: how often the audio thread reports. */
export const MESSAGE_ARRIVALS_MS = 100;

/**
 * State of a speaker at one moment. All values except `underruns` are in seconds. `arrivedSeconds` to `underruns` count
 * the growth since the previous reading.
 */
export interface Reading {
  /** Time on the clock of the recording, which stops while the speaker is idle. */
  readonly atSeconds: number;
  /** Speech received and not yet played: the content of the jitter buffer and the resampler's look-ahead. */
  readonly bufferedSeconds: number;
  /** Target of the jitter buffer, averaged over the speech played since the previous reading. */
  readonly targetSeconds: number;
  /** Speech received. */
  readonly arrivedSeconds: number;
  /** Speech played. */
  readonly playedSeconds: number;
  /** Sound inserted to play slower. */
  readonly insertedSeconds: number;
  /** Sound removed to play faster. */
  readonly removedSeconds: number;
  /** Concealment: sound synthesised while the buffer was empty, silence included. */
  readonly concealedSeconds: number;
  /** The part of `concealedSeconds` that was silence. */
  readonly silentSeconds: number;
  /** Growth of the `underruns` statistic. */
  readonly underruns: number;
  /** Output latency reported by the browser; 0 without an output and in browsers that do not report it. */
  readonly outputSeconds: number;
}

/** One event of the speaker, recorded when it was dispatched. */
export interface SpeakerEventRecord {
  /** Time on the clock of the recording, in seconds. */
  atSeconds: number;
  /**
   * Event type of the element; or `idle`: the clock was stopped for `durationMs`; or a step of the start that is over:
   * `context`, `worker`, `worklet`, `session` or `socket`.
   */
  type: string;
  /** `underrun` and steps: the length. `idle`: how long the clock was stopped. */
  durationMs?: number;
  /** `socketclose`: the close code. */
  code?: number;
  /** `error`: `speaker.error.reason`. */
  reason?: string;
  /** `utterancestart`, `utteranceend`: the text so far; only if texts were requested. */
  text?: string;
}

/** Settings and audio pipeline of a speaker. */
export interface SpeakerSetup {
  /** Properties that influence playback. */
  readonly settings: {
    readonly jitterBuffer: 'adaptive' | 'fixed' | 'low-delay';
    /** In milliseconds. */
    readonly jitterBufferTarget: number;
    readonly playbackRate: number;
    readonly resampler: 'fine' | 'eco';
  };
  /** Audio pipeline; null for parts that do not exist yet. */
  readonly pipeline: {
    readonly transport: 'shared' | 'message' | null;
    readonly audioBackend: string | null;
    /** Sample rate of the speech, in Hz. */
    readonly sampleRate: number | null;
    /** Sample rate of the output, in Hz. */
    readonly contextSampleRate: number | null;
  };
}

/** History of a speaker, and its setup at the end. Contains no audio, no URL, and no text unless requested. */
export interface SpeakerRecording extends SpeakerSetup {
  /** Identifies the file type. */
  readonly format: typeof FORMAT;
  /** Version of the format. */
  readonly version: typeof VERSION;
  /** Start of the recording, ISO 8601. */
  readonly recordedAt: string;
  /** `navigator.userAgent`. */
  readonly browser: string;
  /** Time resolution of readings and of arrivals, in milliseconds. */
  readonly resolution: { readonly readingsMs: number; readonly arrivalsMs: number };
  /** Oldest first. */
  readonly readings: readonly Reading[];
  /** Oldest first. */
  readonly events: readonly SpeakerEventRecord[];
}

/** Columns of `readings` in a file, in the order in which they are written. */
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

/** Limit for imported files: more than a day of readings. */
const READINGS_MAX = 5_000_000;

/** Returns the recording without the texts of its utterances. */
export function withoutTexts(recording: SpeakerRecording): SpeakerRecording {
  return { ...recording, events: recording.events.map(({ text: _text, ...event }) => event) };
}

/** Returns the recording as JSON with one reading per line: a table whose columns are named in `columns`. */
export function stringifyRecording(recording: SpeakerRecording): string {
  const { readings, events, ...rest } = recording;
  const rows = readings.map((reading) => JSON.stringify(columns.map((name) => roundSeconds(reading[name]))));
  const notes = events.map((event) => JSON.stringify({ ...event, atSeconds: roundSeconds(event.atSeconds) }));
  const head = JSON.stringify({ ...rest, columns }, null, 1).slice(0, -2);
  return `${head},\n "readings": [\n${rows.join(',\n')}\n],\n "events": [\n${notes.join(',\n')}\n]\n}\n`;
}

/** Rounds to 0.01 ms: less than one sample, and half the file size. */
function roundSeconds(seconds: number): number {
  return Math.round(seconds * 1e5) / 1e5;
}

/**
 * Parses the output of `stringifyRecording`. Unknown columns and fields are ignored.
 *
 * @throws {TypeError} If `text` is not a recording. The message names the place, the actual value and the expected
 *   value.
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
    throw new TypeError(
      `This is not a recording of <svc-speaker>: "format" is ${preview(file['format'])}, not "${FORMAT}"`,
    );
  }
  if (file['version'] !== VERSION) {
    throw new TypeError(
      `"version" is ${preview(file['version'])}; this inspector reads version ${VERSION}. Update svc-speaker`,
    );
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
    readings: parseReadings(file['readings'], arrayAt(file['columns'], '"columns"')),
    events: parseEvents(arrayAt(file['events'], '"events"')),
  };
}

function parseReadings(table: unknown, names: readonly unknown[]): Reading[] {
  const places = columns.map((name) => {
    const place = names.indexOf(name);
    if (place >= 0) return place;
    throw new TypeError(`"columns" has no "${name}"`);
  });
  const rows = arrayAt(table, '"readings"');
  if (rows.length > READINGS_MAX) throw new TypeError(`"readings" has ${rows.length} rows, more than ${READINGS_MAX}`);
  let previousSeconds = Number.NEGATIVE_INFINITY;
  return rows.map((value, index) => {
    const row = arrayAt(value, `"readings" row ${index}`);
    const reading = Object.fromEntries(
      columns.map((name, column) => {
        const place = `"${name}" in "readings" row ${index}`;
        return [name, numberAt(row[places[column]!], place, 0, Number.MAX_VALUE)];
      }),
    ) as unknown as Reading;
    if (reading.atSeconds < previousSeconds) {
      throw new TypeError(
        `"readings" row ${index} is earlier than the row before: ${reading.atSeconds} s after ${previousSeconds} s`,
      );
    }
    previousSeconds = reading.atSeconds;
    return reading;
  });
}

function parseEvents(values: readonly unknown[]): SpeakerEventRecord[] {
  return values.map((value, index) => {
    const place = `"events" number ${index}`;
    const event = objectAt(value, place);
    const record: SpeakerEventRecord = {
      atSeconds: numberAt(event['atSeconds'], `"atSeconds" in ${place}`, 0, Number.MAX_VALUE),
      type: stringAt(event['type'], `"type" in ${place}`),
    };
    const { durationMs, code, reason, text } = event;
    if (durationMs !== undefined) record.durationMs = numberAt(durationMs, `"durationMs" in ${place}`, 0, 1e12);
    if (code !== undefined) record.code = numberAt(code, `"code" in ${place}`, 0, 65_535);
    if (reason !== undefined) record.reason = stringAt(reason, `"reason" in ${place}`);
    if (text !== undefined) record.text = stringAt(text, `"text" in ${place}`);
    return record;
  });
}

function objectAt(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new TypeError(`${place} is ${preview(value)}, not an object`);
}

function arrayAt(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${place} is ${preview(value)}, not an array`);
}

function stringAt(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${place} is ${preview(value)}, not a string`);
}

function numberAt(value: unknown, place: string, min: number, max: number): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  const range = max === Number.MAX_VALUE ? `${min} or more` : `from ${min} to ${max}`;
  throw new TypeError(`${place} is ${preview(value)}, not a number ${range}`);
}

function oneOf<T extends string>(value: unknown, place: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new TypeError(`${place} is ${preview(value)}, not one of ${choices.join(', ')}`);
}

function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null ? null : read(value);
}

/** Returns a value for an error message, truncated to 40 characters. */
function preview(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
