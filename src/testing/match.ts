import { align, type Segment } from './alignment.js';
import { AUDIBLE, type Heard, type Range, soundOf } from './heard.js';
import { correlation, Reference } from './reference.js';
import type { Sound } from './sound.js';

/** Upper limit for the ramps at the ends of a sound, in seconds. */
const RAMP = 0.006;

/** Upper limit of a ratio, in dB: the precision of the samples. */
const EXACT = 150;

/** Duration of the windows in which a recording is compared, in seconds. */
const WINDOW = 0.01;

/** Lower limit for the power of a window, as a share of the mean power, when differences are compared to it: -25 dB. */
const FAINT = 10 ** -2.5;

/** A channel is silent below this share of the other channel's power, and inverted below this correlation with it. */
const DEAD = 1e-4;
const INVERTED = -0.9;

/** Number of windows at the beginning that determine the loudness, and the largest difference between them. */
const GAIN_WINDOWS = 3;
const GAIN_DIFFERENCE = 0.05;

/** Result of comparing a recording with what was sent. */
export interface Match {
  /** Index in the recording of the first sent sample; negative if it lies before the recording. */
  readonly start: number;
  /**
   * Signal-to-noise ratio in dB, at most 150. The signal is the sent sound at the loudness of the recording. The noise
   * is the rest, including sound before and after. Ramps at both ends do not count.
   */
  readonly snr: number;
  /** Signal-to-noise ratio of the worst 10 ms, in dB. A signal below -25 dB of the mean power counts as that much. */
  readonly worstSnr: number;
  /** The first 10 ms below the required ratio, or the first sound that was not sent; null if there is none. */
  readonly bad: Range | null;
  /** Reason for `bad`, if it can be determined. */
  readonly why: string | null;
  /** Loudness relative to the sent sound; negative if the recording is inverted. */
  readonly gain: number;
  /** Rate of zero crossings relative to the sent sound: about 1 if the pitch is right. */
  readonly pitch: number;
}

/**
 * Compares a recording with the sent sound, sample by sample, at the delay of its beginning.
 *
 * @param snr - Required signal-to-noise ratio, in dB.
 */
export function matchOf(heard: Heard, reference: Sound, snr: number): Match {
  const sent = new Reference(reference, heard.sampleRate);
  const { samples, channels = [samples] } = heard;
  const matches = channels.map((channel) => matchChannel(channel, heard, sent, snr));
  const worst = matches.toSorted((a, b) => (a.bad?.from ?? Infinity) - (b.bad?.from ?? Infinity) || a.snr - b.snr)[0]!;
  const why = channelFaultOf(heard);
  return why === null ? worst : { ...worst, bad: soundOf(heard), why };
}

/** Returns the fault of two channels, if there is one. */
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
  // The samples of the recording that correspond to the reference.
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
  // A missing beginning is reported up to the first sound.
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

/** Aligns a recording, or its inverse if only the inverse matches. */
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
 * Returns the loudness relative to the reference at the beginning, so that a later step counts as a difference. It is
 * the median of all windows that agree with the first group of windows that agree with each other. Undefined if there
 * is no such group.
 *
 * @param end - Number of samples for which the recording matches the reference.
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

/** Describes the fault if sound is missing, removed, inserted or repeated. */
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

/** Returns zero crossings per sample. */
function crossingsOf(samples: Float32Array, { from, to }: Range): number {
  let count = 0;
  for (let i = from + 1; i < to; i++) if (samples[i]! < 0 !== samples[i - 1]! < 0) count++;
  return count / Math.max(1, to - from);
}
