import { bandPass, convolve } from './analysis/fir.mjs';
import { randomFrom } from './random.mjs';

/** Sample rate of all sent audio, in Hz. */
export const SOURCE_RATE = 24000;

/** Band, in Hz, that the voice leaves free for the position code: noise that identifies a place in the signal. */
export const CODE_BAND = { from: 2600, to: 5400 } as const;

/** Root mean square of that noise relative to full scale: -48 dB. It is present in pauses, too. */
const CODE_RMS = 0.004;
const VOICE_RMS = 0.12;
/** Length of the fades at the beginning and end, in samples, so that the signal itself has no click there. */
const RAMP = 120;
/** Interval at which pitch and formants change, in samples: 5 ms. */
const STEP = 120;
const HIGHEST_HARMONIC = 11000;
/** First two formants of some vowels, in Hz. Higher formants would lie in the code's band. */
const VOWELS = [
  [730, 1090],
  [270, 2290],
  [530, 1840],
  [660, 1720],
  [300, 870],
  [570, 840],
] as const;

/**
 * Generates a voice-like signal in which every fault can be detected: vowels in syllables with pauses between phrases,
 * a constantly moving pitch, no sibilants (which would hide a click), and under it a noise that never repeats.
 *
 * The signal is never silent for a millisecond, so any silence in a recording comes from the player.
 *
 * @param seconds - Length.
 * @param seed - The same seed gives the same samples everywhere.
 * @returns Mono samples at {@link SOURCE_RATE}.
 */
export function speechSignal(seconds: number, seed: number): Int16Array {
  const length = Math.round(seconds * SOURCE_RATE);
  const voice = voicedPart(length, seed);
  const code = positionCode(length, seed);
  const voiceGain = VOICE_RMS / rms(voice);
  const codeGain = CODE_RMS / rms(code);
  return Int16Array.from(voice, (sample, index) => {
    const ramp = Math.min(1, (index + 1) / RAMP, (length - index) / RAMP);
    const sum = (sample * voiceGain + code[index]! * codeGain) * ramp;
    return Math.round(32767 * Math.max(-1, Math.min(1, sum)));
  });
}

/** Returns harmonics of a varying pitch under the envelope of changing vowels. */
function voicedPart(length: number, seed: number): Float64Array {
  const random = randomFrom(seed);
  const steps = Math.ceil(length / STEP) + 1;
  const track = speechTrack(steps, random);
  const out = new Float64Array(length);
  let phase = 0;
  for (let step = 0; step + 1 < steps; step++) {
    const now = track[step]!;
    const next = track[step + 1]!;
    const count = Math.floor(HIGHEST_HARMONIC / Math.max(now.pitchHz, next.pitchHz));
    const end = Math.min(STEP, length - step * STEP);
    const gains = Array.from({ length: count }, (_, k) => [
      now.level * spectrum((k + 1) * now.pitchHz, now.formants),
      next.level * spectrum((k + 1) * next.pitchHz, next.formants),
    ]);
    for (let i = 0; i < end; i++) {
      const part = i / STEP;
      phase += (2 * Math.PI * (now.pitchHz + (next.pitchHz - now.pitchHz) * part)) / SOURCE_RATE;
      let sum = 0;
      for (let k = 0; k < count; k++) {
        const [from, to] = gains[k] as [number, number];
        if (from + to > 0) sum += (from + (to - from) * part) * Math.sin((k + 1) * phase);
      }
      out[step * STEP + i] = sum;
    }
  }
  return out;
}

/** State of the voice at one step. */
interface Articulation {
  readonly pitchHz: number;
  readonly formants: readonly [number, number];
  /** 0 in a pause. */
  readonly level: number;
}

/** Generates syllables of 160 to 300 ms, and a pause of 250 ms after about 2.5 s. */
function speechTrack(steps: number, random: () => number): Articulation[] {
  const track: Articulation[] = [];
  let pitchHz = 120;
  let drift = 0;
  let vowel: readonly [number, number] = VOWELS[0];
  let phraseSteps = 0;
  while (track.length < steps) {
    const before = vowel;
    vowel = VOWELS[Math.floor(random() * VOWELS.length)]!;
    const syllable = Math.round(32 + 28 * random());
    for (let i = 0; i < syllable; i++) {
      drift = 0.9 * drift + 0.6 * (random() - 0.5);
      pitchHz = Math.min(190, Math.max(90, pitchHz + drift + (130 - pitchHz) * 0.004));
      const glide = Math.min(1, i / 12);
      const formants = [mix(before[0], vowel[0], glide), mix(before[1], vowel[1], glide)] as const;
      track.push({ pitchHz, formants, level: 0.35 + 0.65 * Math.sin((Math.PI * (i + 0.5)) / syllable) ** 2 });
    }
    phraseSteps += syllable;
    if (phraseSteps > 500) {
      phraseSteps = 0;
      for (let i = 0; i < 50; i++) track.push({ pitchHz, formants: vowel, level: 0 });
    }
  }
  return track;
}

/** Returns the amplitude of the voice at a frequency: -12 dB per octave, two formants, nothing in the code's band. */
function spectrum(hz: number, formants: readonly [number, number]): number {
  const tilt = 1 / (1 + (hz / 500) ** 2);
  const resonance = formants.reduce((sum, formant) => sum + Math.exp(-(((hz - formant) / 180) ** 2)), 0.06);
  const edge = 200;
  const below = (CODE_BAND.from - hz) / edge;
  const above = (hz - CODE_BAND.to) / edge;
  return tilt * resonance * Math.min(1, Math.max(0, below, above));
}

/** Returns noise in the code's band that depends only on `seed`. */
function positionCode(length: number, seed: number): Float64Array {
  const random = randomFrom(seed ^ 0x5eed);
  const noise = Float64Array.from({ length }, () => random() + random() + random() - 1.5);
  return convolve(noise, bandPass(CODE_BAND.from, CODE_BAND.to, SOURCE_RATE, 255));
}

function rms(samples: Float64Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

function mix(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}
