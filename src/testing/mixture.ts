/**
 * Fits a signal as a sum of parts whose gains change smoothly: a ramp, or a cross-fade. Fits the gains by least
 * squares, as raised cosines between knots.
 *
 * @param parts - Each as long as `signal`.
 * @param step - Samples from one knot to the next.
 * @returns The best-fitting sum.
 */
export function fitMixture(signal: Float32Array, parts: readonly Float32Array[], step: number): Float32Array {
  const { length } = signal;
  const knots = Math.ceil((length - 1) / step) + 1;
  const size = knots * parts.length;
  const matrix = Array.from({ length: size }, () => new Float64Array(size + 1));
  /** Returns the unknowns that sample `i` depends on, and their weights. */
  const termsOf = (i: number): [unknown: number, weight: number][] => {
    const knot = Math.min(knots - 2, Math.floor(i / step));
    // Smooth at the knots: a bend would look like a click.
    const share = Math.sin((Math.PI / 2) * (i / step - knot)) ** 2;
    return parts.flatMap((part, index) => [
      [index * knots + knot, part[i]! * (1 - share)] as [number, number],
      [index * knots + knot + 1, part[i]! * share] as [number, number],
    ]);
  };
  let energy = 0;
  for (let i = 0; i < length; i++) {
    const terms = termsOf(i);
    for (const [row, weight] of terms) {
      for (const [column, other] of terms) matrix[row]![column]! += weight * other;
      matrix[row]![size]! += weight * signal[i]!;
      energy += weight * weight;
    }
  }
  // The gain of a silent part is undetermined; a small ridge keeps it at 0.
  for (let i = 0; i < size; i++) matrix[i]![i]! += 1e-4 * (energy / size) + Number.MIN_VALUE;
  const gains = solve(matrix);
  return Float32Array.from(signal, (_, i) =>
    termsOf(i).reduce((sum, [unknown, weight]) => sum + gains[unknown]! * weight, 0),
  );
}

/** Solves linear equations by Gaussian elimination. The last column holds the right-hand sides. */
function solve(rows: Float64Array[]): Float64Array {
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot++) {
    let best = pivot;
    for (let i = pivot + 1; i < size; i++) {
      if (Math.abs(rows[i]![pivot]!) > Math.abs(rows[best]![pivot]!)) best = i;
    }
    [rows[pivot], rows[best]] = [rows[best]!, rows[pivot]!];
    const top = rows[pivot]!;
    if (top[pivot] === 0) continue;
    for (let i = pivot + 1; i < size; i++) {
      const row = rows[i]!;
      const factor = row[pivot]! / top[pivot]!;
      if (factor === 0) continue;
      for (let column = pivot; column <= size; column++) row[column]! -= factor * top[column]!;
    }
  }
  const solution = new Float64Array(size);
  for (let i = size - 1; i >= 0; i--) {
    const row = rows[i]!;
    let sum = row[size]!;
    for (let column = i + 1; column < size; column++) sum -= row[column]! * solution[column]!;
    solution[i] = row[i] === 0 ? 0 : sum / row[i]!;
  }
  return solution;
}
