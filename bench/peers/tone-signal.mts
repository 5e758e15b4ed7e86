import { SOURCE_RATE } from './speech-signal.mjs';

/** Frequencies of the sines, in Hz. */
export const TONES_HZ = [1000, 3000, 6000, 9000] as const;

const TONE_SECONDS = 0.8;
const RAMP_SECONDS = 0.01;

/** Generates the sines one after the other, at half of full scale, with fades at their ends. */
export function toneSignal(): Int16Array {
  const length = TONE_SECONDS * SOURCE_RATE;
  const ramp = RAMP_SECONDS * SOURCE_RATE;
  return Int16Array.from({ length: TONES_HZ.length * length }, (_, index) => {
    const hz = TONES_HZ[Math.floor(index / length)]!;
    const at = index % length;
    const gain = Math.min(1, at / ramp, (length - at) / ramp);
    return Math.round(16384 * gain * Math.sin((2 * Math.PI * hz * at) / SOURCE_RATE));
  });
}
