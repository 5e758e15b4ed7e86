/** Rounds and clamps a sample to 16 bits. */
export function toInt16(sample: number): number {
  return Math.max(-32768, Math.min(32767, Math.round(sample)));
}
