import type { Alignment } from './alignment.js';
import { type Arrivals, SAMPLES_PER_MS } from './arrivals.js';
import type { Run } from './silence.js';
import { OUTPUT_PER_MS, QUANTUM, type Recording } from './simulate.js';
import { mean, quantile } from './statistics.js';

/** How far what is heard lies behind a listener at the server, in milliseconds; NaN if speech is not made in real time. */
export interface Delay {
  readonly delayMeanMs: number;
  readonly delayP95Ms: number;
  /** Mean delay in the last tenth less that in the second tenth. */
  readonly delayDriftMs: number;
  /**
   * Difference between the position that the player tells and the one found in the output, which 99 % of quanta do not
   * exceed; NaN of a player that tells none. The position does not go back where speech is repeated.
   */
  readonly positionErrorMs: number;
}

/**
 * @param range - Where the output sounds.
 * @param counts - The player tells its position.
 */
export function delayOf(
  { emitted, quanta }: Recording,
  range: Run,
  { atMs, sentMs, sourcePace }: Arrivals,
  alignment: Alignment,
  counts: boolean,
): Delay {
  const delays: number[] = [];
  const errors: number[] = [];
  let farthest = 0;
  for (let quantum = 0; quantum < quanta; quantum++) {
    const at = (quantum + 1) * QUANTUM;
    if (at <= range.from || at >= range.to) continue;
    const place = alignment.placeOf(at);
    if (Number.isNaN(place)) continue;
    const spokenMs = sentMs - atMs[0]! + (place / OUTPUT_PER_MS) * sourcePace;
    delays.push(at / OUTPUT_PER_MS - spokenMs);
    farthest = Math.max(farthest, place);
    if (counts) errors.push(Math.abs(farthest / OUTPUT_PER_MS - emitted[quantum]! / SAMPLES_PER_MS));
  }
  const tenth = Math.floor(delays.length / 10);
  return {
    delayMeanMs: mean(delays),
    delayP95Ms: quantile(delays, 0.95),
    delayDriftMs: mean(delays.slice(delays.length - tenth)) - mean(delays.slice(tenth, 2 * tenth)),
    positionErrorMs: quantile(errors, 0.99),
  };
}
