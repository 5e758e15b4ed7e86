import { type Arrivals, SAMPLES_PER_MS } from './arrivals.js';

/**
 * Returns the minimum interruption, in milliseconds, of any player that starts at the same time as this one and never
 * plays slower than `slowest`, even one that knows all arrival times in advance.
 *
 * Let a(t) be the speech that has arrived by t, and s(t) the time that a player has interrupted by t. The player has
 * then played for t - start - s(t), at a pace of at least `slowest`, but no more than a(t). So
 * s(t) >= t - start - a(t) / slowest at every t up to the last arrival, before which no player can have finished.
 * A player that always plays at `slowest` while it has speech reaches the largest of these values, because it
 * interrupts only when it has played exactly a(t).
 *
 * Interruption is silence or concealment: a player is free to fill any part of it with synthetic sound. A player may
 * still be better than this bound by stretching pauses beyond `slowest`.
 *
 * @param startMs - Time at which the player's first sample is heard, in milliseconds after the first frame's arrival.
 */
export function leastInterruptionMs(arrivals: Arrivals, startMs: number, slowest = 0.8): number {
  const { atMs, frameSamples } = arrivals;
  const frameMs = frameSamples / SAMPLES_PER_MS;
  let least = 0;
  // s(t) grows until the next arrival, so its largest value lies just before one.
  for (let i = 0; i < atMs.length; i++) {
    const t = atMs[i]! - atMs[0]!;
    if (t > startMs) least = Math.max(least, t - startMs - (i * frameMs) / slowest);
  }
  return least;
}
