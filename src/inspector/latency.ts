import type { LatencyTerms } from './latency-terms.js';
import type { Reading } from './reading.js';
import type { SpeakerEventRecord } from './recording.js';

/** Taps of the resampler's filter: half of them are look-ahead. See `designResampler`. */
const TAPS = { fine: 128, eco: 64 };

/** How far back it is looked for waits, in seconds: as far as the jitter buffer does. */
const MEMORY_SECONDS = 10;

/** A part of the way of speech, and how its length is known. */
export interface LatencyPart {
  readonly name: 'buffer' | 'resampler' | 'output' | 'session' | 'service' | 'start';
  /** Null while it is not known. */
  readonly seconds: number | null;
}

/**
 * How long a frame that comes at a reading takes to the ear. From the socket to the ring is no part of it: the worker
 * copies a frame as it comes.
 *
 * - `buffer`: measured, what the audio thread holds.
 * - `resampler`: computed from the filter; it is part of what is held, and taken out of `buffer`.
 * - `output`: as the browser tells.
 *
 * @param terms - Null if they are not known.
 */
export function frameToEar(reading: Reading | undefined, terms: LatencyTerms | null): LatencyPart[] {
  const held = reading?.bufferedSeconds ?? null;
  const resampler = held === null ? null : Math.min(held, resamplerSeconds(terms));
  return [
    { name: 'buffer', seconds: held === null ? null : held - resampler! },
    { name: 'resampler', seconds: resampler },
    { name: 'output', seconds: reading?.outputSeconds ?? null },
  ];
}

/** The look-ahead of the filter, in seconds; 0 if both rates are the same, or unknown. */
function resamplerSeconds(terms: LatencyTerms | null): number {
  const { sampleRate, contextSampleRate } = terms?.pipeline ?? {};
  if (!terms || !sampleRate || !contextSampleRate || sampleRate === contextSampleRate) return 0;
  return TAPS[terms.settings.resampler] / 2 / Math.min(sampleRate, contextSampleRate);
}

/**
 * The longest time without a frame, inside an utterance and up to one that came, within the ten seconds before a reading:
 * what a buffer has to make up for. How long frames were on their way cannot be known, for want of a common clock.
 *
 * @param index - Of the reading.
 * @returns Seconds; 0 if there was none.
 */
export function longestWait(readings: readonly Reading[], index: number): number {
  const nowSeconds = readings[index]?.atSeconds ?? 0;
  let longest = 0;
  let cameSeconds = Number.NaN;
  for (let i = index; i >= 0 && nowSeconds - readings[i]!.atSeconds < MEMORY_SECONDS; i--) {
    const reading = readings[i]!;
    if (reading.arrivedSeconds > 0) {
      if (cameSeconds - reading.atSeconds > longest) longest = cameSeconds - reading.atSeconds;
      cameSeconds = reading.atSeconds;
    } else if (reading.bufferedSeconds + reading.playedSeconds + reading.concealedSeconds === 0) {
      cameSeconds = Number.NaN;
    }
  }
  return longest;
}

/**
 * What the first sound of the last utterance waited for, up to `atSeconds`; by the page's events.
 *
 * - `session`: from asking until the socket is open; 0 if it was.
 * - `service`: from there until the first frame: the service's work, and the network.
 * - `start`: from the first frame to the ear: filling the buffer, and the output.
 */
export function untilSound(events: readonly SpeakerEventRecord[], atSeconds: number): LatencyPart[] {
  let asked: number | null = null;
  let open: number | null = null;
  let first: number | null = null;
  let sound: number | null = null;
  let idle = 0;
  let over = true;
  for (const { type, atSeconds: at, durationMs = 0 } of events) {
    if (at > atSeconds) break;
    // The clock stood still meanwhile, but whoever waited did not.
    if (type === 'idle') idle += durationMs / 1000;
    const now = at + idle;
    if (type === 'loadstart' || (type === 'play' && over)) {
      [asked, open, first, sound, over] = [now, null, null, null, false];
    } else if (type === 'loadedmetadata') open ??= now;
    else if (type === 'canplay') first ??= now;
    else if (type === 'playing') sound ??= now;
    else if (type === 'ended' || type === 'emptied') over = true;
  }
  const between = (from: number | null, to: number | null): number | null =>
    from === null || to === null ? null : Math.max(0, to - from);
  return [
    { name: 'session', seconds: between(asked, open) },
    { name: 'service', seconds: between(open, first) },
    { name: 'start', seconds: between(first, sound) },
  ];
}
