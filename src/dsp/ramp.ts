/**
 * Gains of a raised-cosine ramp from silence to full level, for starts and stops that are not clicks.
 *
 * The ramp and its reverse add up to 1 at every sample, so that a cross-fade of two equal signals is flat.
 * Any thread; allocates.
 *
 * @param length - Samples from silence to full level, an integer of at least 1.
 * @returns `length + 1` gains: rising from exactly 0 to exactly 1.
 * @throws {RangeError} If `length` is not such an integer.
 */
export function raisedCosine(length: number): Float32Array {
  if (!Number.isInteger(length) || length < 1) throw new RangeError(`A ramp cannot be ${length} samples long`);
  return Float32Array.from({ length: length + 1 }, (_, i) => Math.sin((Math.PI * i) / (2 * length)) ** 2);
}
