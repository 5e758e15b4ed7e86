import { quantile, rounded } from '../timing.js';

/** Distribution of values in milliseconds. */
export interface Spread {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

/** @param values - In milliseconds; at least one. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('Nothing was measured.');
  return {
    count: values.length,
    p50: rounded(quantile(values, 0.5), 2),
    p99: rounded(quantile(values, 0.99), 2),
    worst: rounded(quantile(values, 1), 2),
  };
}
