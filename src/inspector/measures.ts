import type { Reading, SpeakerEventRecord, SpeakerSetup } from './recording.js';

/** Window over which the pace is averaged, in seconds: longer than one piece inserted or removed by the time stretch. */
const PACE_WINDOW_SECONDS = 0.2;

/** Window of `longestWait`, in seconds: as long as the memory of the adaptive jitter buffer. */
const WAIT_WINDOW_SECONDS = 10;

/** Taps of the resampler's filters, half of which are look-ahead. See `designResampler`. */
const TAPS = { fine: 128, eco: 64 };

/** One underrun, in seconds on the clock of the recording. */
export interface Underrun {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** Steps of the start that the element adds to the performance timeline of the page, as `svc-speaker STEP`. */
const STEPS = ['context', 'worker', 'worklet', 'session', 'socket'] as const;

/** One component of a delay. */
export interface LatencyPart {
  readonly name: 'buffer' | 'resampler' | 'output' | (typeof STEPS)[number] | 'service' | 'start';
  /** Null while it is unknown. */
  readonly seconds: number | null;
}

/** One part of the time until the first sound. */
export interface StartPart extends LatencyPart {
  /** Time from the request until the part begins; negative if it began before. Null while the duration is unknown. */
  readonly fromSeconds: number | null;
}

/** The start of an utterance. */
export interface Start {
  /** Time from the request to the first sound; null while it is unknown. */
  readonly seconds: number | null;
  /** In order of their usual beginning. They may overlap. */
  readonly parts: readonly StartPart[];
}

/** A period on the listener's clock, in seconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the index of the last item at or before `atSeconds`, or -1. `items` must be in order of time. */
export function indexAt(items: readonly { readonly atSeconds: number }[], atSeconds: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.atSeconds <= atSeconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Returns the pace over the 200 ms up to the reading `index`: seconds of speech played per second of sound; null if no
 * speech was played.
 */
export function paceAt(readings: readonly Reading[], index: number): number | null {
  const nowSeconds = readings[index]?.atSeconds ?? 0;
  let speechSeconds = 0;
  let soundSeconds = 0;
  for (let i = index; i >= 0 && nowSeconds - readings[i]!.atSeconds < PACE_WINDOW_SECONDS; i--) {
    const { playedSeconds, insertedSeconds, removedSeconds } = readings[i]!;
    speechSeconds += playedSeconds;
    soundSeconds += playedSeconds + insertedSeconds - removedSeconds;
  }
  return speechSeconds > 0 && soundSeconds > 0 ? speechSeconds / soundSeconds : null;
}

/**
 * Returns the underruns among `events`. The `underrun` event fires when the end of the underrun is heard, so the output
 * latency at that moment is subtracted.
 *
 * @param readings - Readings of the same recording.
 */
export function underrunsOf(readings: readonly Reading[], events: readonly SpeakerEventRecord[]): Underrun[] {
  return events.flatMap(({ type, atSeconds, durationMs = 0 }) => {
    if (type !== 'underrun') return [];
    const toSeconds = atSeconds - (readings[indexAt(readings, atSeconds)]?.outputSeconds ?? 0);
    return [{ fromSeconds: toSeconds - durationMs / 1000, toSeconds }];
  });
}

/**
 * Returns the delay from a frame's arrival to the ear. The path from the socket to the ring is left out: the worker
 * copies each frame as it arrives.
 *
 * - `buffer`: measured by the audio thread, minus the resampler's look-ahead, which the measurement includes.
 * - `resampler`: computed from the filter.
 * - `output`: reported by the browser.
 *
 * All are unknown before the first session.
 *
 * @param setup - Null if it is unknown; `resampler` is then 0.
 */
export function frameToEar(reading: Reading | undefined, setup: SpeakerSetup | null): LatencyPart[] {
  if (setup?.pipeline.sampleRate === null) reading = undefined;
  const held = reading?.bufferedSeconds ?? null;
  const resampler = held === null ? null : Math.min(held, lookAheadSeconds(setup));
  return [
    { name: 'buffer', seconds: held === null ? null : held - resampler! },
    { name: 'resampler', seconds: resampler },
    { name: 'output', seconds: reading?.outputSeconds ?? null },
  ];
}

/** Returns the resampler's look-ahead in seconds; 0 if both rates are equal or one is unknown. */
function lookAheadSeconds(setup: SpeakerSetup | null): number {
  const { sampleRate, contextSampleRate } = setup?.pipeline ?? {};
  if (!setup || !sampleRate || !contextSampleRate || sampleRate === contextSampleRate) return 0;
  return TAPS[setup.settings.resampler] / 2 / Math.min(sampleRate, contextSampleRate);
}

/**
 * Returns the longest interval between two arrivals of one utterance in the 10 s up to the reading `index`, in seconds;
 * 0 if there is none. A jitter buffer has to cover this interval. The network delay of a single frame cannot be
 * measured, because the service and the page share no clock.
 */
export function longestWait(readings: readonly Reading[], index: number): number {
  const nowSeconds = readings[index]?.atSeconds ?? 0;
  let longest = 0;
  let nextArrivalSeconds = Number.NaN;
  for (let i = index; i >= 0 && nowSeconds - readings[i]!.atSeconds < WAIT_WINDOW_SECONDS; i--) {
    const reading = readings[i]!;
    if (reading.arrivedSeconds > 0) {
      if (nextArrivalSeconds - reading.atSeconds > longest) longest = nextArrivalSeconds - reading.atSeconds;
      nextArrivalSeconds = reading.atSeconds;
    } else if (reading.bufferedSeconds + reading.playedSeconds + reading.concealedSeconds === 0) {
      // Nothing is buffered or playing: this is a pause between two utterances.
      nextArrivalSeconds = Number.NaN;
    }
  }
  return longest;
}

/** Events after which no further frame of the utterance is expected. */
const ENDS_WAIT = ['contextdone', 'utteranceend', 'ended', 'emptied', 'socketclose', 'error'];

/** Longest delay, in seconds, with which a reading shows an arrival that preceded an event. */
const SEEN_LATE_SECONDS = 0.15;

/**
 * Returns how long the next frame of the utterance has been awaited at the reading `index`, in seconds; 0 if no frame
 * is expected, because all or none have been received.
 */
export function currentWait(
  readings: readonly Reading[],
  events: readonly SpeakerEventRecord[],
  index: number,
): number {
  const nowSeconds = readings[index]?.atSeconds ?? 0;
  const last = readings.slice(0, index + 1).findLast(({ arrivedSeconds }) => arrivedSeconds > 0);
  if (!last) return 0;
  const isOver = events.some(
    ({ type, atSeconds }) =>
      ENDS_WAIT.includes(type) && atSeconds > last.atSeconds - SEEN_LATE_SECONDS && atSeconds <= nowSeconds,
  );
  return isOver ? 0 : nowSeconds - last.atSeconds;
}

/**
 * Returns the start of the last utterance that was requested before `atSeconds`, with its parts.
 *
 * - `context`: from the making of the AudioContext until its clock runs.
 * - `worker`, `worklet`: loading and starting the two thread files.
 * - `session`: the session call.
 * - `socket`: from the request for a socket until it is open.
 * - `service`: from the open socket, or from the request if it was open, to the first frame: the service and the
 *   network.
 * - `start`: from the first frame until the sound leaves the page: filling the buffer.
 * - `output`: the output latency at the first sound.
 *
 * The first five are measured by the element, the others by events. Those that were over before the utterance, or that
 * it did not need, are unknown, unless they were prepared for it after the end of the one before.
 *
 * @param readings - Readings of the same recording.
 */
export function untilSound(
  readings: readonly Reading[],
  events: readonly SpeakerEventRecord[],
  atSeconds: number,
): Start {
  let requested: number | null = null;
  let opened: number | null = null;
  let received: number | null = null;
  let heard: number | null = null;
  let outputSeconds = 0;
  let idleSeconds = 0;
  let isOver = true;
  let steps = new Map<string, Span>();
  /** Steps since the end of the utterance before: they are those of the next one. */
  let prepared = new Map<string, Span>();
  for (const { type, atSeconds: clockSeconds, durationMs = 0 } of events) {
    if (clockSeconds > atSeconds) break;
    // The clock of the recording stops while the speaker is idle, but the listener keeps waiting.
    if (type === 'idle') idleSeconds += durationMs / 1000;
    const now = clockSeconds + idleSeconds;
    if (type === 'loadstart' || (type === 'play' && isOver)) {
      [requested, opened, received, heard, isOver] = [now, null, null, null, false];
      [steps, prepared] = [prepared, new Map<string, Span>()];
    } else if (type === 'loadedmetadata') opened ??= now;
    else if (type === 'canplay') received ??= now;
    else if (type === 'playing' && heard === null) {
      heard = now;
      outputSeconds = readings[indexAt(readings, clockSeconds)]?.outputSeconds ?? 0;
    } else if (type === 'ended' || type === 'emptied') {
      isOver = true;
      prepared.clear();
    } else if ((STEPS as readonly string[]).includes(type)) {
      (isOver || heard !== null ? prepared : steps).set(type, { from: now - durationMs / 1000, to: now });
    }
  }
  const left = heard === null || received === null ? null : Math.max(received, heard - outputSeconds);
  const part = (name: StartPart['name'], from: number | null, to: number | null): StartPart =>
    from === null || to === null || requested === null
      ? { name, seconds: null, fromSeconds: null }
      : { name, seconds: Math.max(0, to - from), fromSeconds: from - requested };
  return {
    seconds: part('start', requested, heard).seconds,
    parts: [
      ...STEPS.map((name) => part(name, steps.get(name)?.from ?? null, steps.get(name)?.to ?? null)),
      part('service', opened ?? steps.get('socket')?.to ?? requested, received),
      part('start', received, left),
      part('output', left, heard),
    ],
  };
}

/** Returns true if anything but an idle speaker has been recorded. Before that, the figures are meaningless. */
export function hasSpeech(readings: readonly Reading[]): boolean {
  return readings.some(({ bufferedSeconds, arrivedSeconds }) => bufferedSeconds + arrivedSeconds > 0);
}

/** Formats a duration, for example `3 ms`, `2.7 ms` or `1.25 s`. */
export function formatDuration(seconds: number): string {
  if (seconds >= 10) return `${seconds.toFixed(1)} s`;
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  const ms = seconds * 1000;
  return `${ms > 0 && ms < 9.95 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
