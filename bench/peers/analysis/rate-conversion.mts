/** Input samples on each side of an output sample, before the kernel is widened for a lower rate. */
const REACH = 48;
/** Kaiser window; images and aliases below -100 dB. */
const BETA = 10;
/** Cutoff as a fraction of the lower of the two Nyquist frequencies. */
const CUTOFF = 0.94;

/**
 * Converts samples to another rate with a long windowed sinc. An independent measuring instrument: it shares no code
 * with the measured players. Flat to 0.9 of the lower Nyquist frequency.
 *
 * @param samples - At `fromRate`.
 * @returns Samples at `toRate`; sample 0 is at the same instant.
 */
export function convertRate(samples: Float32Array, fromRate: number, toRate: number): Float32Array {
  if (fromRate === toRate) return samples;
  const divisor = gcd(fromRate, toRate);
  const phases = toRate / divisor;
  const step = fromRate / divisor;
  const scale = Math.min(1, toRate / fromRate) * CUTOFF;
  const reach = Math.ceil(REACH / scale);
  const kernels = Array.from({ length: phases }, (_, phase) => kernel(phase / phases, reach, scale));
  const out = new Float32Array(Math.floor((samples.length * toRate) / fromRate));
  for (let index = 0; index < out.length; index++) {
    const at = index * step;
    const first = Math.floor(at / phases) - reach + 1;
    const taps = kernels[at % phases]!;
    let sum = 0;
    for (let tap = Math.max(0, -first); tap < taps.length && first + tap < samples.length; tap++) {
      sum += samples[first + tap]! * taps[tap]!;
    }
    out[index] = sum;
  }
  return out;
}

/** Returns the weights of `2 * reach` samples for an instant `fraction` after the middle one; their sum is 1. */
function kernel(fraction: number, reach: number, scale: number): Float64Array {
  const taps = Float64Array.from({ length: 2 * reach }, (_, tap) => {
    const at = tap - reach + 1 - fraction;
    const turn = Math.PI * scale * at;
    const window = bessel(BETA * Math.sqrt(Math.max(0, 1 - (at / reach) ** 2))) / bessel(BETA);
    return window * (turn === 0 ? 1 : Math.sin(turn) / turn);
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

/** Returns the modified Bessel function of the first kind, order 0. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > 1e-12 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
