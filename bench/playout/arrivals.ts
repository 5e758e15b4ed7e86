/** Rate of the speech that the simulator sends, in Hz. */
export const SOURCE_RATE = 24000;

/** Source samples in a millisecond. */
export const SAMPLES_PER_MS = SOURCE_RATE / 1000;

/** When the frames of one stream come in, in the order they come. */
export interface Arrivals {
  /** Frame `i` has come in at `atMs[i]` milliseconds; never falls. */
  readonly atMs: Float64Array;
  /** Source samples of a frame; all are alike. */
  readonly frameSamples: number;
  /** Milliseconds at which the first frame was there for the server to send. */
  readonly sentMs: number;
  /**
   * Milliseconds in which the server makes a millisecond of speech: 1, but for a clock that drifts; NaN if it is not
   * made evenly.
   */
  readonly sourcePace: number;
}

/** Source samples of the whole stream. */
export function totalSamples(arrivals: Arrivals): number {
  return arrivals.atMs.length * arrivals.frameSamples;
}

/**
 * The arrivals of frames that come in order on one TCP connection: none overtakes the one before it.
 *
 * @param frames - How many.
 * @param frameMs - Speech per frame, a whole number of milliseconds.
 * @param sentMs - When the server has frame `i`.
 * @param arriveMs - When frame `i`, which was sent at `sent`, would come in if it were alone.
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
