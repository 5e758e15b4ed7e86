/**
 * Linear-phase band-pass filter: windowed sinc (Blackman), unity gain in the middle of the band.
 *
 * @param fromHz - Lower edge, -6 dB.
 * @param toHz - Upper edge, -6 dB.
 * @param rate - Sample rate of the input, in Hz.
 * @param taps - Odd; edges are about `5.5 * rate / taps` Hz wide, with -74 dB beyond.
 */
export function bandPass(fromHz: number, toHz: number, rate: number, taps: number): Float64Array {
  const middle = (taps - 1) / 2;
  const sinc = (hz: number, at: number): number =>
    at === 0 ? (2 * hz) / rate : Math.sin((2 * Math.PI * hz * at) / rate) / (Math.PI * at);
  return Float64Array.from({ length: taps }, (_, tap) => {
    const turn = (2 * Math.PI * tap) / (taps - 1);
    const window = 0.42 - 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn);
    return window * (sinc(toHz, tap - middle) - sinc(fromHz, tap - middle));
  });
}

/** Filters samples without delay. The output is as long as the input; samples outside count as silence. */
export function convolve(samples: ArrayLike<number>, filter: Float64Array): Float64Array {
  const middle = (filter.length - 1) / 2;
  const out = new Float64Array(samples.length);
  for (let at = 0; at < out.length; at++) {
    const from = Math.max(0, at - middle);
    const to = Math.min(samples.length, at + middle + 1);
    let sum = 0;
    for (let index = from; index < to; index++) sum += samples[index]! * filter[index - at + middle]!;
    out[at] = sum;
  }
  return out;
}
