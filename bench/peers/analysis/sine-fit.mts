/** Result of fitting a sine. */
export interface SineFit {
  /** Amplitude, as a fraction of full scale. */
  readonly amplitude: number;
  /** Power of the sine relative to everything else except a constant, in dB. */
  readonly sndrDb: number;
}

/** Windows to fit: 0.3 s long, every 50 ms. */
const WINDOW_SECONDS = 0.3;
const HOP_SECONDS = 0.05;

/**
 * Fits a sine of known frequency to every window of 0.3 s by least squares, and returns the best fit. A gap elsewhere
 * does not count, but distortion in each of a player's chunks occurs in every window.
 *
 * @param samples - The recording; it may have tones of other frequencies before and after.
 * @param hz - Exact frequency.
 * @param rate - Sample rate, in Hz.
 */
export function bestSineFit(samples: Float32Array, hz: number, rate: number): SineFit {
  const length = Math.round(WINDOW_SECONDS * rate);
  const hop = Math.round(HOP_SECONDS * rate);
  let best: SineFit = { amplitude: 0, sndrDb: -Infinity };
  for (let from = 0; from + length <= samples.length; from += hop) {
    const fit = fitSine(samples.subarray(from, from + length), hz, rate);
    if (fit.sndrDb > best.sndrDb) best = fit;
  }
  return best;
}

function fitSine(samples: Float32Array, hz: number, rate: number): SineFit {
  const step = (2 * Math.PI * hz) / rate;
  // Normal equations of a*cos + b*sin + c: in a window of arbitrary length, the functions are not quite orthogonal.
  const matrix = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  const basis = (index: number): [number, number, number] => [Math.cos(step * index), Math.sin(step * index), 1];
  samples.forEach((sample, index) => {
    const row = basis(index);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) matrix[i]![j]! += row[i]! * row[j]!;
      matrix[i]![3]! += row[i]! * sample;
    }
  });
  const [a, b, c] = solve(matrix);
  let rest = 0;
  samples.forEach((sample, index) => {
    const [cosine, sine] = basis(index);
    rest += (sample - a * cosine - b * sine - c) ** 2;
  });
  const amplitude = Math.hypot(a, b);
  const power = (amplitude * amplitude) / 2;
  return { amplitude, sndrDb: power === 0 ? -Infinity : 10 * Math.log10(power / (rest / samples.length)) };
}

/**
 * Solves three linear equations by Gaussian elimination. The fourth column holds the right-hand sides. The matrix must
 * be far from singular.
 */
function solve(rows: Float64Array[]): [number, number, number] {
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      if (k === i) continue;
      const factor = rows[k]![i]! / rows[i]![i]!;
      for (let j = i; j < 4; j++) rows[k]![j]! -= factor * rows[i]![j]!;
    }
  }
  return [0, 1, 2].map((i) => rows[i]![3]! / rows[i]![i]!) as [number, number, number];
}
