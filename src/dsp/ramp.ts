/**
 * Makes the gains of a raised-cosine ramp from silence to full level. It starts and stops without a click.
 *
 * The ramp and its reverse add up to 1 at every sample, so a cross-fade of two equal signals is flat. Allocates. Any
 * thread.
 *
 * @param length - Samples from silence to full level, an integer of at least 1.
 * @returns `length + 1` gains: rising from exactly 0 to exactly 1.
 * @throws {RangeError} If `length` is not an integer of at least 1.
 */
export function raisedCosine(length: number): Float32Array {
  if (!Number.isInteger(length) || length < 1)
    throw new RangeError(`A ramp cannot have ${length} samples. Pass an integer above 0.`);
  return Float32Array.from({ length: length + 1 }, (_, i) => Math.sin((Math.PI * i) / (2 * length)) ** 2);
}
