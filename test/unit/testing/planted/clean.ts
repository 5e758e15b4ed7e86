import { joined, type Sound } from '../../../../src/testing/index.js';
import { resampled } from '../../../../src/testing/analysis.js';
import type { Random } from '../../../../src/testing/random.js';
import { Rig } from '../../worklet/rig.js';
import { pieceOf, wholeTone } from './spoken.js';

/** Player of a clean recording. */
export type Kind = 'fixed' | 'adaptive' | 'other player' | 'linear player';

/** A recording of a faultless player, and the sound that was sent to it. */
export interface Clean {
  readonly samples: Float32Array;
  readonly sampleRate: number;
  readonly sent: Sound;
  readonly isTone: boolean;
}

const FRAME_MS = 40;

/**
 * Makes a recording whose sample rate, length, loudness, speech and network delays are random.
 *
 * @param longest - Longest utterance, in seconds.
 */
export function makeClean(voices: readonly Int16Array[], kind: Kind, random: Random, longest: number): Clean {
  const isTone = random.unit() < 0.25;
  const hz = 150 * (2000 / 150) ** random.unit();
  const utterances = Array.from({ length: isTone || random.unit() < 0.8 ? 1 : 2 }, () => {
    const seconds =
      random.unit() < 0.2
        ? random.uniform(0.06, 0.3)
        : random.uniform(0.3, random.unit() < 0.3 ? longest : Math.min(3, longest));
    return isTone ? wholeTone(hz, seconds) : pieceOf(voices[random.below(voices.length)]!, seconds, random);
  });
  const sampleRate = random.unit() < 0.5 ? 44_100 : 48_000;
  const sent = joined(...utterances);
  const gain = random.unit() < 0.5 ? 1 : random.uniform(0.1, 1);
  const shift = random.unit();
  const played = {
    fixed: () => playedBy(utterances, sampleRate, false, random),
    adaptive: () => playedBy(utterances, sampleRate, true, random),
    'other player': () => ramped(shifted(sent, sampleRate, shift), sampleRate),
    'linear player': () => ramped(interpolated(sent, sampleRate, shift), sampleRate),
  }[kind]();
  const before = Math.round(random.uniform(0.05, 0.3) * sampleRate);
  const samples = new Float32Array(before + played.length + Math.round(0.3 * sampleRate));
  for (let i = 0; i < played.length; i++) samples[before + i] = gain * played[i]!;
  return { samples, sampleRate, sent, isTone };
}

/** Plays utterances in a row through the player's playout. Repeats that until no speech had to be concealed. */
function playedBy(utterances: readonly Sound[], contextRate: number, adaptive: boolean, random: Random): Float32Array {
  for (;;) {
    const rig = new Rig({ contextRate, adaptive, capacity: 2 ** 20 });
    if (!adaptive) {
      utterances.forEach(({ samples }, i) => rig.utterance(i + 1, samples));
    } else {
      // Frames are late at random, but rarely so late that the player runs dry.
      const jitter = random.uniform(5, 60);
      const late = random.uniform(0, 90);
      utterances.forEach(({ samples }, i) => {
        const frame = (FRAME_MS * 24_000) / 1000;
        rig.begin(i + 1, samples.subarray(0, frame));
        let wait = 0;
        for (let at = frame; at < samples.length; at += frame) {
          const delay = Math.max(0, jitter * random.normal() + (random.unit() < 0.02 ? late : 0));
          const due = Math.max(1, FRAME_MS + delay - wait);
          rig.render(due);
          wait = Math.max(0, delay - 1);
          rig.write(samples.subarray(at, at + frame));
        }
        rig.end(i + 1);
      });
    }
    while (rig.events('drained').length === 0) rig.render(200);
    if (rig.stat('concealedSamples') === rig.stat('silentConcealedSamples') && rig.stat('underruns') === 0)
      return rig.output.slice();
  }
}

/** Resamples and shifts a sound by part of a sample, as a player with its own clock: by a sinc over 128 samples. */
function shifted(sound: Sound, sampleRate: number, shift: number): Float32Array {
  const whole = resampled(sound, sampleRate);
  const half = 64;
  const filter = Float64Array.from({ length: 2 * half }, (_, tap) => {
    const time = tap - half + 1 - shift;
    const sinc = time === 0 ? 1 : Math.sin(Math.PI * time) / (Math.PI * time);
    return sinc * Math.cos((Math.PI * time) / (2 * half + 2)) ** 2;
  });
  const padded = new Float32Array(whole.length + 2 * half);
  padded.set(whole, half);
  return whole.map((_, i) => {
    let sum = 0;
    for (let tap = 0; tap < 2 * half; tap++) sum += filter[tap]! * padded[i + tap + 1]!;
    return sum;
  });
}

/** Resamples and shifts a sound by linear interpolation, as `AudioBufferSourceNode` does in Chromium. */
function interpolated({ samples, sampleRate: fromRate }: Sound, sampleRate: number, shift: number): Float32Array {
  const length = Math.floor(((samples.length - 1) * sampleRate) / fromRate - shift);
  return Float32Array.from({ length }, (_, i) => {
    const place = ((i + shift) * fromRate) / sampleRate;
    const index = Math.floor(place);
    const share = place - index;
    return (samples[index]! * (1 - share) + samples[index + 1]! * share) / 32768;
  });
}

/** Applies ramps of 4 ms at both ends. */
function ramped(samples: Float32Array, sampleRate: number): Float32Array {
  const ramp = 0.004 * sampleRate;
  const gainAt = (i: number): number =>
    Math.sin((Math.PI / 2) * Math.min(1, (i + 0.5) / ramp, (samples.length - i - 0.5) / ramp)) ** 2;
  return samples.map((sample, i) => sample * gainAt(i));
}
