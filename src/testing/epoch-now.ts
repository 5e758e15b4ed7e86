/** Returns the time in milliseconds since the epoch, as precise as `performance.now()`. */
export function epochNow(): number {
  return performance.timeOrigin + performance.now();
}
