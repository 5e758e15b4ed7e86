/** Growth of a quantity over a run, from the least-squares line through its readings. */
export interface Growth {
  /** Difference between the end and the beginning of the line. */
  readonly growth: number;
  /** Three standard errors of this difference: it is 0 within noise if it is smaller. */
  readonly noise: number;
}

/**
 * Fits a line through readings.
 *
 * @param times - At least three, not all equal.
 * @param values - A reading for each time.
 */
export function growthOf(times: readonly number[], values: readonly number[]): Growth {
  const count = times.length;
  const meanTime = mean(times);
  const meanValue = mean(values);
  const spread = sum(times.map((time) => (time - meanTime) ** 2));
  const slope = sum(times.map((time, index) => (time - meanTime) * (values[index]! - meanValue))) / spread;
  const residuals = sum(times.map((time, index) => (values[index]! - meanValue - slope * (time - meanTime)) ** 2));
  const error = Math.sqrt(residuals / (count - 2) / spread);
  const duration = times[count - 1]! - times[0]!;
  return { growth: slope * duration, noise: 3 * error * duration };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
