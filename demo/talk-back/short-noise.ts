/** Length of the noise in seconds: two frames of the voice detector, which finds voice in three or four. */
const SECONDS = 0.06;

/** Pitch in Hz. */
const PITCH = 120;

/** Resonances of an open vowel: frequency and bandwidth in Hz. */
const FORMANTS = [
  [730, 90],
  [1090, 110],
  [2440, 170],
] as const;

/**
 * Makes a short noise that resembles a voice, as a cough does: pulses through the resonances of a vowel.
 *
 * @param sampleRate - In Hz.
 * @returns 60 ms of 16-bit samples, with a peak of half of full scale.
 */
export function makeShortNoise(sampleRate: number): Int16Array<ArrayBuffer> {
  const length = Math.round(SECONDS * sampleRate);
  const period = Math.round(sampleRate / PITCH);
  let signal = Float64Array.from({ length }, (_, index) => (index % period === 0 ? 1 : 0));
  for (const [frequency, bandwidth] of FORMANTS)
    signal = resonate(signal, frequency / sampleRate, bandwidth / sampleRate);
  const shaped = signal.map((sample, index) => sample * Math.sin((Math.PI * index) / length));
  const peak = shaped.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return Int16Array.from(shaped, (sample) => Math.round((sample / peak) * 0x4000));
}

/** Filters with two poles. @param frequency - Of the resonance, as a share of the sample rate, as `bandwidth` is. */
function resonate(input: Float64Array<ArrayBuffer>, frequency: number, bandwidth: number): Float64Array<ArrayBuffer> {
  const radius = Math.exp(-Math.PI * bandwidth);
  const first = 2 * radius * Math.cos(2 * Math.PI * frequency);
  let [last, beforeLast] = [0, 0];
  return input.map((sample) => {
    const output = sample + first * last - radius * radius * beforeLast;
    [last, beforeLast] = [output, last];
    return output;
  });
}
