/**
 * Correlates two signals at every shift, by Fourier transforms (radix 2; J. W. Cooley, J. W. Tukey, 1965).
 *
 * @param signal - At most `2 ** 30` samples.
 * @param pattern - Not longer than `signal`.
 * @returns For each shift from 0 on, the sum of `signal[shift + i] * pattern[i]`.
 */
export function correlate(signal: Float32Array, pattern: Float32Array): Float64Array {
  const size = 2 ** Math.ceil(Math.log2(signal.length + pattern.length));
  // Both are real, so one transform takes both: one as the real part, the other as the imaginary part.
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  real.set(signal);
  imaginary.set(pattern);
  transform(real, imaginary);
  const productReal = new Float64Array(size);
  const productImaginary = new Float64Array(size);
  for (let k = 0; k < size; k++) {
    const mirror = (size - k) % size;
    const signalReal = (real[k]! + real[mirror]!) / 2;
    const signalImaginary = (imaginary[k]! - imaginary[mirror]!) / 2;
    const patternReal = (imaginary[k]! + imaginary[mirror]!) / 2;
    const patternImaginary = (real[mirror]! - real[k]!) / 2;
    productReal[k] = signalReal * patternReal + signalImaginary * patternImaginary;
    // The conjugate, because conjugating before and after the transform gives the inverse transform.
    productImaginary[k] = signalReal * patternImaginary - signalImaginary * patternReal;
  }
  transform(productReal, productImaginary);
  const sums = productReal.subarray(0, signal.length - pattern.length + 1);
  for (let i = 0; i < sums.length; i++) sums[i]! /= size;
  return sums;
}

/** Transforms in place. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [real[i], real[j]] = [real[j]!, real[i]!];
    [imaginary[i], imaginary[j]] = [imaginary[j]!, imaginary[i]!];
  }
  const cosines = Float64Array.from({ length: size >> 1 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sines = Float64Array.from({ length: size >> 1 }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
  for (let half = 1; half < size; half *= 2) {
    const stride = size / (2 * half);
    for (let start = 0; start < size; start += 2 * half) {
      for (let k = 0, turn = 0; k < half; k++, turn += stride) {
        const a = start + k;
        const b = a + half;
        const cosine = cosines[turn]!;
        const sine = sines[turn]!;
        const re = real[b]! * cosine - imaginary[b]! * sine;
        const im = real[b]! * sine + imaginary[b]! * cosine;
        real[b] = real[a]! - re;
        imaginary[b] = imaginary[a]! - im;
        real[a]! += re;
        imaginary[a]! += im;
      }
    }
  }
}
