/** Returns the milliseconds that `work` takes. */
export function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Returns the median; for an even number of values, the upper of the two middle ones. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share - 0 is the smallest value, 1 the largest. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]!;
}

/** Rounds a value to `digits` decimal places, for a table. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
