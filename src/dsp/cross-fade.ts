/**
 * Fades from one piece of `samples` to another at constant power. For equal pieces, the gains add up to 1; for
 * uncorrelated pieces, the squares of the gains do.
 *
 * Real-time safe. Any thread.
 *
 * @param from - Index of the piece that fades out.
 * @param to - Index of the piece that fades in.
 * @param similarity - Correlation of the two pieces in percent. An integer, because V8 would allocate a fraction.
 *   Values below 0 count as 0.
 * @param gains - Result of `raisedCosine(length)`, where `length` is the length of the cross-fade in samples.
 * @param target - Receives `length` samples, from index 0 on.
 */
export function crossFade(
  samples: Int16Array,
  from: number,
  to: number,
  similarity: number,
  gains: Float32Array,
  target: Int16Array,
): void {
  const length = gains.length - 1;
  const common = Math.max(0, Math.min(100, similarity)) / 50;
  for (let i = 0; i < length; i++) {
    const rising = gains[i]!;
    const falling = 1 - rising;
    const power = rising * rising + falling * falling + common * rising * falling;
    const sum = falling * samples[(from + i) | 0]! + rising * samples[(to + i) | 0]!;
    target[i] = Math.max(-32768, Math.min(32767, Math.round(sum / Math.sqrt(power))));
  }
}
