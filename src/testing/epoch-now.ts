/** The time in milliseconds since the epoch, as exact as `performance.now()`. */
export function epochNow(): number {
  return performance.timeOrigin + performance.now();
}
