/** Returns the mean; NaN for an empty list. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the value that a share `q` of `values` does not exceed; NaN for an empty list. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) return Number.NaN;
  return Float64Array.from(values).sort()[Math.min(values.length - 1, Math.floor(q * values.length))]!;
}
