import type { Alignment } from './alignment.js';
import { type Arrivals, SAMPLES_PER_MS } from './arrivals.js';
import type { Run } from './silence.js';
import { OUTPUT_PER_MS, QUANTUM, type Recording } from './simulate.js';
import { mean, quantile } from './statistics.js';

/**
 * Delay from the production of speech at the server to the output, in milliseconds. NaN if the server does not produce
 * speech evenly.
 */
export interface Delay {
  readonly delayMeanMs: number;
  readonly delayP95Ms: number;
  /** Mean delay in the last tenth minus the mean in the second tenth. */
  readonly delayDriftMs: number;
  /**
   * 99th percentile, over quanta, of the difference between the position that the player reports and the position found
   * in the output; NaN if the player reports none. Where speech is repeated, neither position goes back.
   */
  readonly positionErrorMs: number;
}

/**
 * Measures the delay at the end of each quantum that has sound.
 *
 * @param range - Range of the output that has sound.
 * @param reportsPosition - True if the player reports its position.
 */
export function delayOf(
  { emitted, quanta }: Recording,
  range: Run,
  { atMs, sentMs, sourcePace }: Arrivals,
  alignment: Alignment,
  reportsPosition: boolean,
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
    if (reportsPosition) errors.push(Math.abs(farthest / OUTPUT_PER_MS - emitted[quantum]! / SAMPLES_PER_MS));
  }
  const tenth = Math.floor(delays.length / 10);
  return {
    delayMeanMs: mean(delays),
    delayP95Ms: quantile(delays, 0.95),
    delayDriftMs: mean(delays.slice(delays.length - tenth)) - mean(delays.slice(tenth, 2 * tenth)),
    positionErrorMs: quantile(errors, 0.99),
  };
}
