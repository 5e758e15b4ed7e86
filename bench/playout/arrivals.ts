/** Rate of the speech that the simulator sends, in Hz. */
export const SOURCE_RATE = 24000;

/** Source samples per millisecond. */
export const SAMPLES_PER_MS = SOURCE_RATE / 1000;

/** Arrival times of the frames of one stream, in order. */
export interface Arrivals {
  /** Frame `i` arrives at `atMs[i]` milliseconds; never decreases. */
  readonly atMs: Float64Array;
  /** Source samples per frame, the same for all frames. */
  readonly frameSamples: number;
  /** Time at which the server has the first frame to send, in milliseconds. */
  readonly sentMs: number;
  /**
   * Milliseconds that the server takes for a millisecond of speech: 1, except for a clock that drifts; NaN if the
   * speech is not produced evenly.
   */
  readonly sourcePace: number;
}

/** Returns the source samples of the whole stream. */
export function totalSamples(arrivals: Arrivals): number {
  return arrivals.atMs.length * arrivals.frameSamples;
}

/**
 * Returns the arrivals of frames on one TCP connection, which keeps their order.
 *
 * @param frames - Number of frames.
 * @param frameMs - Speech per frame, a whole number of milliseconds.
 * @param sentMs - Returns the time at which the server has frame `i`.
 * @param arriveMs - Returns the time at which frame `i`, sent at `sent`, would arrive on its own.
 */
export function inOrder(
  frames: number,
  frameMs: number,
  sentMs: (i: number) => number,
  arriveMs: (sent: number, i: number) => number,
  sourcePace = 1,
): Arrivals {
  const atMs = new Float64Array(frames);
  let last = 0;
  let first = 0;
  for (let i = 0; i < frames; i++) {
    const sent = sentMs(i);
    if (i === 0) first = sent;
    last = Math.max(last, arriveMs(sent, i));
    atMs[i] = last;
  }
  return { atMs, frameSamples: frameMs * SAMPLES_PER_MS, sentMs: first, sourcePace };
}
