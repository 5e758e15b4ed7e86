import { createResampler, designResampler, type ResamplerOptions } from '../../../src/dsp/index.js';
import { type FramesSpec, pcmOf } from '../../../src/testing/script.js';

/** Default sample rate of the gateway, in Hz. In a context at this rate, samples are played without resampling. */
export const SPEECH_RATE = 24000;
/** Upper bound for the length of the player's ramps at starts and ends. */
const RAMP_SECONDS = 0.005;
/** Level of the sample that a speaker emits every 10 s while it waits for speech; see the quirk `chromium-silent-sink`. */
const FAINTEST = 1e-6;
/** Maximum number of exact zeros at the start of a sound: those of the noise, and the first sample of a ramp. */
const ZEROS = 16;

/**
 * Attributes of a speaker that plays every sample as it was sent. Playback starts when the utterance, or 4 s of it, has
 * arrived, so that a slow machine causes no gap.
 */
export const exact = { 'jitter-buffer': 'fixed', 'jitter-buffer-target': 4000 } as const;

/** Returns the output of the resampler for a `frames` step, without ramps. */
export function expected(
  frames: FramesSpec,
  contextRate: number = SPEECH_RATE,
  options: ResamplerOptions = {},
): Float32Array {
  const samples = pcmOf(frames);
  const table = designResampler(frames.rate ?? SPEECH_RATE, contextRate, options);
  const resampler = createResampler(table, samples.length + table.taps);
  resampler.push(samples, 0, samples.length);
  resampler.pushSilence(resampler.latency);
  const out = new Float32Array(Math.ceil((samples.length * table.up) / table.down));
  resampler.pull(out, 0, out.length);
  return out;
}

/** Samples [from, to) of a recording. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * Throws unless the recording consists of `parts` in this order, and of silence. Each part must match bit for bit,
 * except in the ramps at both ends.
 *
 * @param parts - Noise at full scale. Other sound may look like silence, or like itself at another position.
 * @param contextRate - Sample rate of the recording, in Hz.
 * @returns The places of the parts.
 */
export function assertHeard(
  recording: Float32Array,
  parts: readonly Float32Array[],
  contextRate: number = SPEECH_RATE,
): Place[] {
  const ramp = Math.ceil(contextRate * RAMP_SECONDS);
  const places: Place[] = [];
  let at = 0;
  parts.forEach((part, index) => {
    const from = firstSound(recording, at);
    const { start, matched } = bestMatch(recording, part, ramp, Math.max(at, from - ZEROS), from);
    if (matched < part.length - 2 * ramp) {
      throw new Error(
        `Part ${index} (${part.length} samples) differs ${matched} samples after its ramp. ${describe(recording)}`,
      );
    }
    at = start + part.length;
    places.push({ from: start, to: at });
  });
  if (firstSound(recording, at) < recording.length) {
    throw new Error(`There is sound after sample ${at}, where all parts have ended. ${describe(recording)}`);
  }
  return places;
}

/**
 * Throws unless the recording contains one piece of sound, which is the beginning of `reference` between two ramps.
 *
 * @returns Its place, including the silent samples of the ramps.
 */
export function assertBeginning(
  recording: Float32Array,
  reference: Float32Array,
  contextRate: number = SPEECH_RATE,
): Place {
  const end = lastSound(recording);
  const length = end - firstSound(recording);
  const [place] = assertHeard(recording, [reference.subarray(0, length + ZEROS)], contextRate);
  return { from: place!.from, to: end + 1 };
}

/**
 * Index at which `part` begins in the recording. Compares its middle, which ramps do not change. Throws if it is
 * missing.
 */
export function placeOf(recording: Float32Array, part: Float32Array, contextRate: number = SPEECH_RATE): number {
  const ramp = Math.ceil(RAMP_SECONDS * contextRate);
  const middle = part.subarray(ramp, part.length - ramp);
  for (let at = 0; at <= recording.length - middle.length; at++) {
    if (middle.every((sample, index) => recording[at + index] === sample)) return at - ramp;
  }
  throw new Error(`The part is not there. ${describe(recording)}`);
}

function isSound(sample: number): boolean {
  return Math.abs(sample) > 1.5 * FAINTEST;
}

/** Index of the first sample at or after `from` that is not zero; the recording's length if there is none. */
export function firstSound(recording: Float32Array, from: number = 0): number {
  while (from < recording.length && !isSound(recording[from]!)) from++;
  return from;
}

/** Index after the last sample that is not zero; 0 if there is none. */
export function lastSound(recording: Float32Array): number {
  return recording.findLastIndex(isSound) + 1;
}

/** Returns a recording without the silence at both ends. */
export function sound(recording: Float32Array): Float32Array {
  return recording.subarray(firstSound(recording), lastSound(recording));
}

/** Frequency in Hz of a tone that fills the recording, from its zero crossings. */
export function pitchOf(tone: Float32Array, contextRate: number): number {
  const crossings = tone.reduce((count, sample, at) => count + Number(at > 0 && sample < 0 !== tone[at - 1]! < 0), 0);
  return (crossings / 2 / tone.length) * contextRate;
}

/** Largest sample. */
export function peak(recording: Float32Array): number {
  return recording.reduce((most, sample) => Math.max(most, sample), 0);
}

/** Largest difference between neighbouring samples. */
export function largestStep(recording: Float32Array): number {
  return recording.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (recording[at - 1] ?? sample))), 0);
}

/** Longest run of samples that are zero. */
export function longestSilence(recording: Float32Array): Place {
  let longest: Place = { from: 0, to: 0 };
  let from = 0;
  for (let at = 0; at <= recording.length; at++) {
    if (recording[at] === 0) continue;
    if (at - from > longest.to - longest.from) longest = { from, to: at };
    from = at + 1;
  }
  return longest;
}

/** Finds the start from `low` to `high` at which the part has the most equal samples after its first ramp. */
function bestMatch(recording: Float32Array, part: Float32Array, ramp: number, low: number, high: number) {
  const wanted = part.length - 2 * ramp;
  let best = { start: high, matched: -1 };
  for (let start = high; start >= low && best.matched < wanted; start--) {
    let matched = 0;
    while (matched < wanted && recording[start + ramp + matched] === part[ramp + matched]) matched++;
    if (matched > best.matched) best = { start, matched };
  }
  return best;
}

/** Lists the sounds in a recording, for an error message. */
function describe(recording: Float32Array): string {
  const pieces: string[] = [];
  for (let from = firstSound(recording); from < recording.length;) {
    let to = from;
    for (let silent = 0; to < recording.length && silent < ZEROS; to++)
      silent = isSound(recording[to]!) ? 0 : silent + 1;
    pieces.push(`${from}..${to}`);
    from = firstSound(recording, to);
  }
  return `Heard: ${pieces.join(', ') || 'nothing'}`;
}
