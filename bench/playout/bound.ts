import { type Arrivals, SAMPLES_PER_MS } from './arrivals.js';

/**
 * The least interruption, in milliseconds, that any player can have which starts when this one did and never plays
 * slower than `slowest`, even if it knew beforehand when each frame will come in.
 *
 * Let a(t) be the speech that has come in by t. By t a player has interrupted for s(t) and played for t - start - s(t)
 * at a pace of at least `slowest`, and no more than a(t): so s(t) >= t - start - a(t) / slowest at every t up to the
 * last arrival, before which no player can be at the end. The player that always plays at `slowest` when there is
 * anything to play reaches the largest of these, because it interrupts only while it has played exactly a(t).
 *
 * Interruption is silence or concealment: how much of it a player fills in with made-up sound is its own affair. A
 * player may still be better than this bound by stretching pauses beyond `slowest`.
 *
 * @param startMs - When the player's first sample is heard, in milliseconds after the first frame's arrival.
 */
export function leastInterruptionMs(arrivals: Arrivals, startMs: number, slowest = 0.8): number {
  const { atMs, frameSamples } = arrivals;
  const frameMs = frameSamples / SAMPLES_PER_MS;
  let least = 0;
  // s(t) grows until the next arrival, so the largest value lies just before one.
  for (let i = 0; i < atMs.length; i++) {
    const t = atMs[i]! - atMs[0]!;
    if (t > startMs) least = Math.max(least, t - startMs - (i * frameMs) / slowest);
  }
  return least;
}
