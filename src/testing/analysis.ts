import { createResampler, designResampler } from '../dsp/index.js';
import { ClickBand } from './click-band.js';
import type { Sound } from './sound.js';

/** What a page has played. */
export interface Heard {
  /** Mono, in [-1, 1], silence included. */
  readonly samples: Float32Array;
  /** In Hz. */
  readonly sampleRate: number;
}

/** Samples `[from, to)` of a recording. */
export interface Range {
  /** The first sample of it. */
  readonly from: number;
  /** The first sample behind it. */
  readonly to: number;
}

/** Below this a sample is silence: three steps of 16 bits, and more than keeps a browser's output awake. */
export const AUDIBLE = 1e-4;

/** How much longer than sent a pause may last: the player draws out pauses rather than break off. In seconds. */
const PAUSE_MORE = 0.2;

/** Clicks are looked for above this, in Hz, and are so much louder there than 99 of 100 windows of what was sent. */
const CLICK_HZ = 6000;
const CLICK_DB = 15;
/** The least that counts as the loudness of what was sent: 75 dB below full scale. */
const CLICK_FLOOR = 10 ** -7.5;

/** Ramps at the ends of a sound are shorter than this, in seconds. */
const RAMP = 0.006;

/** Correlation from which on two sounds are taken for the same. */
const ALIKE = 0.9;

/** Of the windows in which a recording is compared, in seconds. */
const WINDOW = 0.01;

/** From the first audible sample to the last; empty at the end if there is none. */
export function soundOf({ samples }: Heard): Range {
  const from = samples.findIndex(isAudible);
  if (from < 0) return { from: samples.length, to: samples.length };
  return { from, to: samples.findLastIndex(isAudible) + 1 };
}

/** The stretches of silence inside the sound, of `minSeconds` at least. */
export function silencesOf(heard: Heard, minSeconds: number): Range[] {
  const { samples, sampleRate } = heard;
  const sound = soundOf(heard);
  const ranges: Range[] = [];
  let from = sound.from;
  for (let at = sound.from; at < sound.to; at++) {
    if (!isAudible(samples[at]!)) continue;
    if (at - from >= minSeconds * sampleRate) ranges.push({ from, to: at });
    from = at + 1;
  }
  return ranges;
}

/**
 * Stretches of silence that what was sent does not have there. One that it has is a gap only if it lasts 0.2 s longer.
 *
 * @param reference - What was sent; null if it is not known: then every silence is a gap.
 * @param minSeconds - Shorter ones do not count.
 */
export function gapsOf(heard: Heard, reference: Sound | null, minSeconds: number): Range[] {
  const silences = silencesOf(heard, minSeconds);
  if (reference === null) return silences;
  const pauses = withPlaces(toHeard(reference), minSeconds / 2);
  return withPlaces(heard, minSeconds)
    .filter(({ place, seconds }) => {
      // What is before them may have been played slower or faster.
      const near = (pause: Place): boolean => Math.abs(pause.place - place) < 0.03 + 0.1 * place;
      return !pauses.some((pause) => near(pause) && seconds < pause.seconds + PAUSE_MORE);
    })
    .map(({ from, to }) => ({ from, to }));
}

/** A sudden step in a recording. */
export interface Click {
  /** The sample at which it is. */
  readonly at: number;
  /** Loudness above 6 kHz, over that of 99 of 100 windows of what was sent. */
  readonly db: number;
}

/**
 * Sudden steps: 5 ms that have much more above 6 kHz than what was sent ever has. In noise, nothing can be found.
 *
 * @param reference - What was sent; null if it is not known: then the recording is its own measure.
 */
export function clicksOf(heard: Heard, reference: Sound | null): Click[] {
  const { samples, sampleRate } = heard;
  const clean = reference ? resampled(reference, sampleRate) : samples;
  const band = new ClickBand(CLICK_HZ, clean, sampleRate, CLICK_FLOOR);
  const clicks: Click[] = [];
  let quietFrom = 0;
  for (let at = 0; at + band.window <= samples.length; at += band.hop) {
    const db = band.level(samples, samples.length, at);
    if (db < CLICK_DB) continue;
    const click = { at: sharpestOf(samples, at, at + band.window), db };
    // Windows overlap: one click is in two of them, or three.
    const last = clicks.at(-1);
    if (!last || at > quietFrom) clicks.push(click);
    else if (db > last.db) clicks[clicks.length - 1] = click;
    quietFrom = at + band.window;
  }
  return clicks;
}

/** How a recording compares with what was sent. */
export interface Match {
  /** Where in the recording the first sample of what was sent is; negative if that is before its beginning. */
  readonly start: number;
  /**
   * Signal to noise, in dB: what was sent, as loud as it was heard, over the rest, sound before and after it included. Ramps
   * at both ends do not count.
   */
  readonly snr: number;
  /** The first 10 ms that are worse than what was asked for, or what was not sent at all; null if there is neither. */
  readonly bad: Range | null;
  /** Loudness, relative to what was sent. */
  readonly gain: number;
  /** How often the recording crosses zero, relative to what was sent: about 1 if its pitch is right. */
  readonly pitch: number;
}

/**
 * Compares a recording with what was sent, sample by sample, at the shift that fits best.
 *
 * @param snr - What is asked for, in dB.
 */
export function matchOf(heard: Heard, reference: Sound, snr: number): Match {
  const { samples, sampleRate } = heard;
  const clean = resampled(reference, sampleRate);
  const { shift: start, gain } = findPlace(heard, { samples: clean, sampleRate });
  const ramp = Math.ceil(RAMP * sampleRate);
  const sound = soundOf({ samples: clean, sampleRate });
  const [first, last] = [sound.from + ramp, sound.to - ramp];
  const window = Math.round(WINDOW * sampleRate);
  const wanted = 10 ** (-snr / 10);
  let noise = 0;
  let signal = 0;
  let bad: Range | null = null;
  for (let at = first; at < last; at += window) {
    const to = Math.min(last, at + window);
    let rest = 0;
    let energy = 0;
    for (let i = at; i < to; i++) {
      const sent = gain * clean[i]!;
      rest += ((samples[start + i] ?? 0) - sent) ** 2;
      energy += sent ** 2;
    }
    noise += rest;
    signal += energy;
    // Where next to nothing was sent, a hum would count; the last bit does not.
    if (rest > Math.max(energy, AUDIBLE ** 2 * window) * wanted * 4)
      bad ??= { from: Math.max(0, start + at), to: Math.max(0, start + to) };
  }
  const heardSound = soundOf(heard);
  const outside = [
    { from: heardSound.from, to: Math.min(heardSound.to, start + sound.from - ramp) },
    { from: Math.max(heardSound.from, start + sound.to + ramp), to: heardSound.to },
  ].filter(({ from, to }) => from < to);
  for (const { from, to } of outside) {
    for (let i = from; i < to; i++) noise += samples[i]! ** 2;
    if (!bad || from < bad.from) bad = { from, to };
  }
  const pitch = crossingsOf(samples, heardSound) / crossingsOf(clean, sound);
  return { start, snr: 10 * Math.log10(signal / Math.max(noise, Number.MIN_VALUE)), bad, gain, pitch };
}

/** What the player's own resampler makes of a sound. */
export function resampled({ samples, sampleRate }: Sound, toRate: number): Float32Array {
  const table = designResampler(sampleRate, toRate);
  const resampler = createResampler(table, samples.length + 2 * table.taps);
  resampler.push(samples, 0, samples.length);
  const wanted = Math.round((samples.length * toRate) / sampleRate);
  resampler.pushSilence(Math.max(0, resampler.inputFor(wanted)));
  const output = new Float32Array(wanted);
  resampler.pull(output, 0, wanted);
  return output;
}

function isAudible(sample: number): boolean {
  return Math.abs(sample) > AUDIBLE;
}

function toHeard({ samples, sampleRate }: Sound): Heard {
  return { samples: Float32Array.from(samples, (sample) => sample / 32768), sampleRate };
}

interface Place extends Range {
  /** How much sound there is before it, in seconds. */
  readonly place: number;
  readonly seconds: number;
}

function withPlaces(heard: Heard, minSeconds: number): Place[] {
  let before = soundOf(heard).from;
  return silencesOf(heard, minSeconds).map(({ from, to }) => {
    const place = (from - before) / heard.sampleRate;
    before += to - from;
    return { from, to, place, seconds: (to - from) / heard.sampleRate };
  });
}

/** The sample at which the signal bends most. */
function sharpestOf(samples: Float32Array, from: number, to: number): number {
  let at = from;
  let most = -1;
  for (let i = Math.max(1, from); i < to; i++) {
    const step = Math.abs(samples[i]! - samples[i - 1]!);
    if (step > most) [most, at] = [step, i];
  }
  return at;
}

/** How what was sent fits into a recording when it is shifted: by least squares. */
interface Fit {
  readonly shift: number;
  readonly gain: number;
  readonly correlation: number;
}

/** The best fit: near where the sound begins if there is one there, else wherever there is. */
function findPlace(heard: Heard, clean: Heard): Fit {
  const { samples, sampleRate } = heard;
  const sent = soundOf(clean);
  const near = soundOf(heard).from - sent.from;
  const reach = Math.round(0.02 * sampleRate);
  const ramp = Math.ceil(RAMP * sampleRate);
  const from = sent.from + ramp;
  const to = Math.min(sent.to, from + Math.round(0.2 * sampleRate));
  const first = bestShift(samples, clean.samples, from, to, near - reach, near + reach);
  if (first.correlation > ALIKE) return first;
  // The beginning may be missing: where is the middle?
  const middle = (sent.from + sent.to) >> 1;
  const part = Math.min(sent.to, middle + Math.round(0.05 * sampleRate));
  const other = bestShift(samples, clean.samples, middle, part, -middle, samples.length - part);
  return other.correlation > ALIKE ? other : first;
}

function bestShift(
  samples: Float32Array,
  clean: Float32Array,
  from: number,
  to: number,
  low: number,
  high: number,
): Fit {
  let best = fitAt(low, samples, clean, from, to);
  for (let shift = low + 1; shift <= high; shift++) {
    const fit = fitAt(shift, samples, clean, from, to);
    if (fit.correlation > best.correlation) best = fit;
  }
  return best;
}

function fitAt(shift: number, samples: Float32Array, clean: Float32Array, from: number, to: number): Fit {
  let product = 0;
  let heardEnergy = 0;
  let sentEnergy = 0;
  for (let i = from; i < to; i++) {
    const a = samples[i + shift] ?? 0;
    const b = clean[i]!;
    product += a * b;
    heardEnergy += a * a;
    sentEnergy += b * b;
  }
  const correlation = product / Math.sqrt(heardEnergy * sentEnergy || 1);
  return { shift, gain: product / (sentEnergy || 1), correlation };
}

/** Zero crossings per sample. */
function crossingsOf(samples: Float32Array, { from, to }: Range): number {
  let count = 0;
  for (let i = from + 1; i < to; i++) if (samples[i]! < 0 !== samples[i - 1]! < 0) count++;
  return count / Math.max(1, to - from);
}
