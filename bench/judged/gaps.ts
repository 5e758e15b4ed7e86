import { Random } from '../../src/testing/random.js';
import { type Arrivals, SAMPLES_PER_MS } from '../playout/arrivals.js';
import type { Bench } from '../playout/bench.js';
import type { Speech } from '../playout/speech.js';

/** Length of a clip, and of its speech before the gap, in milliseconds. */
const CLIP_MS = 2000;
const BEFORE_MS = 1000;
const FRAME_MS = 20;
/** Minimum mean square of the speech before and after a gap, in int16 steps: -30 dBFS. A gap in a pause is inaudible. */
const LOUD = 1e6;
const LOUD_MS = 20;

/** A piece of speech that will have a gap in its middle. */
export interface Clip {
  readonly speech: Speech;
  /** Index in the speech's loop of the first sample. */
  readonly from: number;
}

/** Chooses clips with loud speech on both sides of the gap. The same arguments give the same clips. */
export function makeClips({ speeches, table }: Bench, count: number): Clip[] {
  const random = new Random(1);
  return Array.from({ length: count }, (_, i) => {
    const speech = speeches[i % speeches.length]!;
    for (;;) {
      const last = speech.samples.length - CLIP_MS * SAMPLES_PER_MS;
      const from = random.below(last / table.down) * table.down;
      const gap = from + BEFORE_MS * SAMPLES_PER_MS;
      if (power(speech.samples, gap - LOUD_MS * SAMPLES_PER_MS) > LOUD && power(speech.samples, gap) > LOUD) {
        return { speech, from };
      }
    }
  });
}

function power(samples: Int16Array, from: number): number {
  const part = samples.subarray(from, from + LOUD_MS * SAMPLES_PER_MS);
  return part.reduce((sum, sample) => sum + sample * sample, 0) / part.length;
}

/**
 * Returns arrivals of a clip.
 *
 * @param gapMs - Time for which the player has nothing to play: what is before the gap arrives at once, and what is
 *   after it `gapMs` after the former has been played.
 */
export function gapArrivals(gapMs: number): Arrivals {
  return arrive((i) => (i * FRAME_MS < BEFORE_MS ? 0 : BEFORE_MS + gapMs));
}

/**
 * The same for a player that plays each frame of 20 ms as it arrives, and would discard many that arrive at once. Frames
 * of the gap arrive at its end, later ones on time.
 */
export function liveGapArrivals(gapMs: number): Arrivals {
  const end = BEFORE_MS + gapMs;
  return arrive((i) => (i * FRAME_MS < BEFORE_MS ? i * FRAME_MS : Math.max(end, i * FRAME_MS)));
}

function arrive(atMs: (i: number) => number): Arrivals {
  return {
    atMs: Float64Array.from({ length: CLIP_MS / FRAME_MS }, (_, i) => atMs(i)),
    frameSamples: FRAME_MS * SAMPLES_PER_MS,
    sentMs: 0,
    sourcePace: Number.NaN,
  };
}
