import { align, type Segment } from './alignment.js';
import { AUDIBLE, type Heard, type Range, soundOf } from './heard.js';
import { correlation, Reference } from './reference.js';
import type { Sound } from './sound.js';

/** Ramps at the ends of a sound are shorter than this, in seconds. */
const RAMP = 0.006;

/** More than that is the precision of the samples, in dB. */
const EXACT = 150;

/** Duration of the windows in which a recording is compared, in seconds. */
const WINDOW = 0.01;

/** Where less is sent than this share of the mean power, differences count as if it were as much: -25 dB. */
const FAINT = 10 ** -2.5;

/** A channel is silent with this share of the power of the other one, and inverted at this correlation with it. */
const DEAD = 1e-4;
const INVERTED = -0.9;

/** Windows that determine how loud the recording is, at its beginning, and how much those may differ from each other. */
const GAIN_WINDOWS = 4;
const GAIN_DIFFERENCE = 0.05;

/** How a recording compares with what was sent. */
export interface Match {
  /** Where in the recording the first sample of what was sent is; negative if that is before its beginning. */
  readonly start: number;
  /**
   * Signal to noise, in dB, at most 150: what was sent, as loud as it was heard, over the rest, sound before and after it included. Ramps
   * at both ends do not count.
   */
  readonly snr: number;
  /** The same in the worst 10 ms; with less of it than a 300th of the mean power, as if it were that much. */
  readonly worstSnr: number;
  /** The first 10 ms that are worse than what was asked for, or sound that was not sent; null if there is neither. */
  readonly bad: Range | null;
  /** What is wrong there, if that is clear. */
  readonly why: string | null;
  /** Loudness, relative to what was sent; negative if the recording is inverted. */
  readonly gain: number;
  /** How often the recording crosses zero, relative to what was sent: about 1 if its pitch is right. */
  readonly pitch: number;
}

/**
 * Compares a recording with what was sent, sample by sample, at the delay at which it begins.
 *
 * @param snr - What is asked for, in dB.
 */
export function matchOf(heard: Heard, reference: Sound, snr: number): Match {
  const sent = new Reference(reference, heard.sampleRate);
  const { samples, channels = [samples] } = heard;
  const matches = channels.map((channel) => matchChannel(channel, heard, sent, snr));
  const worst = matches.toSorted((a, b) => (a.bad?.from ?? Infinity) - (b.bad?.from ?? Infinity) || a.snr - b.snr)[0]!;
  const why = channelFaultOf(heard);
  return why === null ? worst : { ...worst, bad: soundOf(heard), why };
}

/** What is wrong between two channels, if something is. */
function channelFaultOf({ channels }: Heard): string | null {
  const [left, right] = channels ?? [];
  if (!left || !right) return null;
  const energies = [left, right].map((channel) => channel.reduce((sum, sample) => sum + sample * sample, 0));
  if (energies[1]! < energies[0]! * DEAD) return 'the right channel is silent';
  if (energies[0]! < energies[1]! * DEAD) return 'the left channel is silent';
  return correlation(left, right) < INVERTED ? 'the right channel is inverted' : null;
}

function matchChannel(samples: Float32Array, heard: Heard, reference: Reference, snr: number): Match {
  const { sampleRate } = heard;
  const heardSound = soundOf(heard);
  const sent = soundOf(reference);
  const { segments, sign } = alignEither(samples, reference);
  const [base, next] = segments;
  const shift = base?.shift ?? heardSound.from - sent.from;
  const ramp = Math.ceil(RAMP * sampleRate);
  const window = Math.round(WINDOW * sampleRate);
  const first = sent.from + ramp;
  const last = Math.max(first, sent.to - ramp);
  // The recording, at the times of the samples of the reference.
  const whole = Math.round(shift) || 0;
  const expected = reference.read(first - (shift - whole), last - first);
  const heardAt = (i: number): number => sign * (samples[first + whole + i] ?? 0);
  const gain = gainOf(heardAt, expected, window, base && base.to - whole - first) ?? base?.gain ?? 0;

  const mean = reference.energy(sent.from, sent.to) / Math.max(1, sent.to - sent.from);
  const allowed = 10 ** (-snr / 10);
  let noise = 0;
  let signal = 0;
  let worst = Infinity;
  let bad: Range | null = null;
  for (let at = 0; at < expected.length; at += window) {
    const to = Math.min(expected.length, at + window);
    let rest = 0;
    let energy = 0;
    for (let i = at; i < to; i++) {
      const wanted = gain * expected[i]!;
      rest += (heardAt(i) - wanted) ** 2;
      energy += wanted ** 2;
    }
    noise += rest;
    signal += energy;
    const floor = Math.max(gain ** 2 * mean * FAINT, AUDIBLE ** 2) * (to - at);
    worst = Math.min(worst, Math.max(energy, floor) / Math.max(rest, Number.MIN_VALUE));
    if (rest > Math.max(energy, floor) * allowed) bad ??= { from: first + whole + at, to: first + whole + to };
  }
  // A head that is missing is so up to where the sound begins.
  if (bad && bad.to <= heardSound.from) bad = { from: heardSound.from - window, to: heardSound.from };
  const outside = [
    { from: heardSound.from, to: Math.min(heardSound.to, whole + sent.from - ramp) },
    { from: Math.max(heardSound.from, whole + sent.to + ramp), to: heardSound.to },
  ].filter(({ from, to }) => from < to);
  for (const { from, to } of outside) {
    const extra = soundOf({ samples: samples.subarray(from, to), sampleRate });
    for (let i = from; i < to; i++) noise += samples[i]! ** 2;
    if (extra.from < extra.to && (!bad || from + extra.from < bad.from)) {
      bad = { from: from + extra.from, to: from + extra.to };
    }
  }
  const pitch = crossingsOf(samples, heardSound) / crossingsOf(reference.samples, sent);
  const differs = bad && {
    bad: clamp(bad, samples.length),
    why: explain(bad, base, next, heardSound, sent, sampleRate),
  };
  const inverted = sign < 0 ? { bad: heardSound, why: 'it is inverted' } : null;
  return {
    start: whole,
    snr: decibels(signal / Math.max(noise, Number.MIN_VALUE)),
    worstSnr: decibels(worst),
    bad: null,
    why: null,
    ...differs,
    ...inverted,
    gain: sign * gain,
    pitch,
  };
}

/** Aligns a recording, or the inverted one if that fits and the other does not. */
function alignEither(samples: Float32Array, reference: Reference): { segments: Segment[]; sign: 1 | -1 } {
  const segments = align(samples, reference);
  if (segments.length > 0) return { segments, sign: 1 };
  const inverted = align(
    samples.map((sample) => -sample),
    reference,
  );
  return inverted.length > 0 ? { segments: inverted, sign: -1 } : { segments, sign: 1 };
}

/**
 * Loudness relative to what was sent, at the beginning: a step later is then where it differs. Of the first windows that
 * agree, and the median of all windows that agree with those. Undefined if none do.
 *
 * @param end - How far the recording is what was sent, in samples.
 */
function gainOf(
  heardAt: (i: number) => number,
  expected: Float32Array,
  window: number,
  end: number = expected.length,
): number | undefined {
  const parts: { energy: number; gain: number }[] = [];
  let most = 0;
  for (let at = 0; at + window <= Math.min(end, expected.length); at += window) {
    let product = 0;
    let energy = 0;
    for (let i = at; i < at + window; i++) {
      product += heardAt(i) * expected[i]!;
      energy += expected[i]! ** 2;
    }
    parts.push({ energy, gain: product / energy });
    most = Math.max(most, energy);
  }
  const loud = parts.filter(({ energy }) => energy > most * 1e-3);
  const agrees = (a: number, b: number): boolean => Math.abs(a - b) <= GAIN_DIFFERENCE * b;
  const count = Math.min(GAIN_WINDOWS, loud.length);
  const begin = loud.find((part, i) => {
    const next = loud.slice(i, i + count);
    return next.length === count && next.every(({ gain }) => agrees(gain, part.gain));
  });
  if (!begin) return undefined;
  const like = loud.map(({ gain }) => gain).filter((gain) => agrees(gain, begin.gain));
  return like.sort((a, b) => a - b)[like.length >> 1];
}

/** Names what is wrong, if that is something missing, left out, put in or repeated. */
function explain(
  bad: Range,
  base: Segment | undefined,
  next: Segment | undefined,
  heard: Range,
  sent: Range,
  sampleRate: number,
): string | null {
  const ms = (samples: number): string => `${((samples / sampleRate) * 1000).toFixed(1)} ms`;
  const seconds = (at: number): string => `${(at / sampleRate).toFixed(3)} s`;
  if (!base) return null;
  const head = heard.from - base.shift - sent.from;
  if (head > RAMP * sampleRate && bad.from < heard.from) {
    return `the first ${ms(head)} of what was sent are missing, before ${seconds(heard.from)}`;
  }
  const tail = sent.to + base.shift - heard.to;
  if (tail > RAMP * sampleRate && bad.to >= heard.to) {
    return `the last ${ms(tail)} of what was sent are missing, after ${seconds(heard.to)}`;
  }
  if (next && next.from > bad.from && bad.to > base.to - RAMP * sampleRate) {
    const late = next.shift - base.shift;
    if (Math.abs(late) < 1) return null;
    return late > 0
      ? `what follows at ${seconds(next.from)} is ${ms(late)} late`
      : `${ms(-late)} of what was sent are left out before ${seconds(next.from)}`;
  }
  return null;
}

function clamp({ from, to }: Range, length: number): Range {
  const first = Math.max(0, Math.min(length, from));
  return { from: first, to: Math.max(first, Math.min(length, to)) };
}

function decibels(ratio: number): number {
  return Math.min(EXACT, 10 * Math.log10(ratio));
}

/** Zero crossings per sample. */
function crossingsOf(samples: Float32Array, { from, to }: Range): number {
  let count = 0;
  for (let i = from + 1; i < to; i++) if (samples[i]! < 0 !== samples[i - 1]! < 0) count++;
  return count / Math.max(1, to - from);
}
