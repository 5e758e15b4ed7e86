import { align, type Segment } from './alignment.js';
import { ClickBand } from './click-band.js';
import { fitMixture } from './mixture.js';
import { type Heard, type Range, soundOf } from './heard.js';
import { Reference } from './reference.js';
import type { Sound } from './sound.js';

/** A sudden step or peak in a recording. */
export interface Click {
  /** Index of the sharpest sample. */
  readonly at: number;
  /** Excess over the limit at this place, in dB. */
  readonly db: number;
}

/**
 * Sharpness is the second difference: 2 for a single sample at full scale, and 1 for a step of full scale. A difference
 * to the reference that is sharper than this is a click: 0.005 of full scale as a sample, 0.01 as a step.
 */
const SHARP = 0.01;

/**
 * A difference is not a click up to this share of the sharpness of the reference nearby: where the recording matches
 * the reference, where it mixes two places of it, where it begins or ends, and elsewhere.
 */
const SHARE_SAME = 0.03;
const SHARE_MIXED = 0.5;
const SHARE_EDGE = 1.5;
const SHARE_OTHER = 1.5;
/**
 * Growth of that share with the local unlikeness to the reference, for example after a splice that was located too
 * early.
 */
const UNLIKE = 2;
/** Above this unlikeness, a click must be sharp in the recording, too, and not only in the difference. */
const POOR = 0.1;
/** A difference is not a click up to this multiple of the usual difference in the recording. */
const OFTEN = 2.5;
/** Radius of "nearby", in seconds. */
const NEARBY = 0.003;

/** A click exceeds the root mean square of the surrounding differences by this factor. */
const PEAK = 6;
/** Durations around a click, in seconds: of the surrounding differences, and of the click itself. */
const AROUND = 0.008;
const CLICK = 0.0015;
/** Clicks closer than this are one, in seconds. */
const APART = 0.005;

/** The reference itself has a click if its sharpness exceeds the local root mean square by this factor. */
const OWN = 8;

/** Longest stretch that is explained as a mixture, and the margin added to both of its ends, in seconds. */
const MIXED = 0.04;
const MARGIN = 0.0025;

/** Time over which the loudness and the likeness to the reference may change, in seconds. */
const LOUDNESS = 0.01;

/**
 * Without a reference: lower edge of the band, in Hz, minimum level of a click, in dB, and mean square of silence in
 * the band.
 */
const CLICK_HZ = 6000;
const CLICK_DB = 15;
const CLICK_FLOOR = 10 ** -7.5;

/**
 * Finds sudden steps and peaks that are not in the reference.
 *
 * @param reference - Speech that was sent; null if unknown. Without it, only clicks much sharper than the rest of the
 *   recording are found.
 */
export function clicksOf(heard: Heard, reference: Sound | null): Click[] {
  const { samples, channels = [samples], sampleRate } = heard;
  const sent = reference && new Reference(reference, sampleRate);
  const clicks = channels.flatMap((channel) =>
    sent ? clicksAgainst(channel, sent) : clicksWithin({ samples: channel, sampleRate }),
  );
  return joinNear(clicks, APART * sampleRate);
}

function clicksAgainst(samples: Float32Array, reference: Reference): Click[] {
  const { sampleRate } = reference;
  const sound = soundOf({ samples, sampleRate });
  const { sharpness, limit } = differences(samples, sound, reference);
  const sums = new Float64Array(sharpness.length + 1);
  for (let i = 0; i < sharpness.length; i++) sums[i + 1] = sums[i]! + sharpness[i]! ** 2;
  const energy = (from: number, to: number): number => sums[Math.min(sharpness.length, to)]! - sums[Math.max(0, from)]!;
  const around = Math.round(AROUND * sampleRate);
  const click = Math.round(CLICK * sampleRate);
  const clicks: Click[] = [];
  for (let i = 0; i < sharpness.length; i++) {
    const sharp = Math.abs(sharpness[i]!);
    if (sharp <= limit[i]!) continue;
    const rest = energy(i - around, i + around) - energy(i - click, i + click);
    const usual = PEAK * Math.sqrt(Math.max(0, rest) / (2 * (around - click)));
    if (sharp > usual) clicks.push({ at: sound.from + i, db: 20 * Math.log10(sharp / Math.max(limit[i]!, usual)) });
  }
  return clicks;
}

/**
 * Sharpness of the difference to the reference, for each sample of the sound, and the limit up to which it is not a
 * click.
 */
interface Differences {
  readonly sharpness: Float32Array;
  readonly limit: Float32Array;
}

function differences(samples: Float32Array, sound: Range, reference: Reference): Differences {
  const { sampleRate } = reference;
  const length = sound.to - sound.from;
  const sharpness = new Float32Array(length);
  const limit = new Float32Array(length).fill(SHARP);
  /** Sharpness of the reference where the recording matches it; 0 elsewhere. */
  const sent = new Float32Array(length);
  /** Stores the differences of a stretch. `rest` and `sharp` are one sample longer at both ends. */
  const take = ({ from, to }: Range, rest: Float32Array, sharp: Float32Array, share: number): void => {
    const unlike = unlikeness(rest, samples.subarray(from, to), Math.round(LOUDNESS * sampleRate));
    for (let i = from; i < to; i++) {
      const at = i - from + 1;
      sharpness[i - sound.from] = rest[at + 1]! - 2 * rest[at]! + rest[at - 1]!;
      limit[i - sound.from] = Math.max(SHARP, (share + UNLIKE * unlike[i - from]!) * sharp[at]!);
      const heard = Math.abs((samples[i + 1] ?? 0) - 2 * samples[i]! + (samples[i - 1] ?? 0));
      if (unlike[i - from]! > POOR && heard < Math.abs(sharpness[i - sound.from]!) / 2)
        limit[i - sound.from] = Infinity;
    }
  };
  const nearby = Math.round(NEARBY * sampleRate);
  const heardAt = (from: number, count: number): Float32Array =>
    Float32Array.from({ length: count }, (_, i) => samples[from + i] ?? 0);

  const takeSame = (stretch: Range, { shift, gain }: Segment): void => {
    const count = stretch.to - stretch.from + 2;
    const same = reference.read(stretch.from - 1 - shift, count);
    const rest = heardAt(stretch.from - 1, count);
    const usual = usualSharpness(same, Math.round(AROUND * sampleRate));
    // If the reference itself has a click, its position is not known to a fraction of a sample.
    const sharp = sharpest(same, nearby).map(
      (most, i) => gain * (most > OWN * usual[i]! ? (SHARE_OTHER * most) / SHARE_SAME : most),
    );
    const gains = localGains(rest, same, gain, Math.round(LOUDNESS * sampleRate));
    for (let i = 0; i < count; i++) rest[i]! -= gains[i]! * same[i]!;
    take(stretch, rest, sharp, SHARE_SAME);
    sent.set(sharp.subarray(1, count - 1), stretch.from - sound.from);
  };
  const takeOther = (stretch: Range, before: Segment | undefined, after: Segment | undefined): void => {
    if (stretch.from >= stretch.to) return;
    const count = stretch.to - stretch.from + 2;
    const rest = heardAt(stretch.from - 1, count);
    const places = [before, after].filter((segment) => segment !== undefined);
    const parts = places.map(({ shift, gain }) =>
      reference.read(stretch.from - 1 - shift, count).map((value) => value * gain),
    );
    const isMixture = count <= MIXED * sampleRate && parts.length > 0;
    const sharp = new Float32Array(count);
    for (const part of parts) sharpest(part, nearby).forEach((value, i) => (sharp[i] = Math.max(sharp[i]!, value)));
    if (isMixture) {
      const mixture = fitMixture(rest, parts, Math.round(sampleRate / 800));
      for (let i = 0; i < count; i++) rest[i]! -= mixture[i]!;
    } else {
      const most = sharpestAround(reference, stretch, places, Math.round(MIXED * sampleRate));
      sharp.fill(most);
    }
    const shareMixed = parts.length === 1 ? SHARE_EDGE : SHARE_MIXED;
    take(stretch, rest, sharp, isMixture ? shareMixed : SHARE_OTHER);
  };

  const margin = Math.round(MARGIN * sampleRate);
  let at = sound.from;
  let before: Segment | undefined;
  for (const segment of align(samples, reference)) {
    // A segment that matches may reach into a cross-fade.
    const trim = Math.min(margin, Math.floor((segment.to - segment.from) / 4));
    const same = { from: segment.from + trim, to: segment.to - trim };
    takeOther({ from: at, to: same.from }, before, segment);
    takeSame(same, segment);
    at = same.to;
    before = segment;
  }
  takeOther({ from: at, to: sound.to }, before, undefined);
  // A player that resamples differently has differences wherever the reference is sharp.
  const more = OFTEN * usualShare(sharpness, sent, Math.round(APART * sampleRate)) - SHARE_SAME;
  if (more > 0) for (let i = 0; i < length; i++) limit[i]! += more * sent[i]!;
  return { sharpness, limit };
}

/**
 * Returns the differences relative to the recording around each sample, as a ratio of amplitudes.
 *
 * @param rest - The differences, beginning one sample before `heard`.
 */
function unlikeness(rest: Float32Array, heard: Float32Array, around: number): Float32Array {
  const restSums = new Float64Array(heard.length + 1);
  const heardSums = new Float64Array(heard.length + 1);
  for (let i = 0; i < heard.length; i++) {
    restSums[i + 1] = restSums[i]! + rest[i + 1]! ** 2;
    heardSums[i + 1] = heardSums[i]! + heard[i]! ** 2;
  }
  return heard.map((_, i) => {
    const from = Math.max(0, i - (around >> 1));
    const to = Math.min(heard.length, i + (around >> 1));
    const energy = heardSums[to]! - heardSums[from]!;
    return energy > 0 ? Math.min(1, Math.sqrt(Math.max(0, restSums[to]! - restSums[from]!) / energy)) : 0;
  });
}

/** Returns the 90th percentile, over windows, of the sharpness of the differences relative to that of the reference. */
function usualShare(sharpness: Float32Array, sent: Float32Array, window: number): number {
  const shares: number[] = [];
  for (let at = 0; at + window <= sharpness.length; at += window) {
    let most = 0;
    let least = Infinity;
    for (let i = at; i < at + window; i++) {
      most = Math.max(most, Math.abs(sharpness[i]!));
      least = Math.min(least, sent[i]!);
    }
    if (least > SHARP / 10) shares.push(most / least);
  }
  return shares.sort((a, b) => a - b)[Math.floor(0.9 * shares.length)] ?? 0;
}

/** Returns the largest sharpness within `nearby` samples of each sample. */
function sharpest(samples: Float32Array, nearby: number): Float32Array {
  const step = Math.max(1, nearby >> 2);
  const blocks = new Float32Array(Math.ceil(samples.length / step));
  for (let i = 1; i + 1 < samples.length; i++) {
    const sharp = Math.abs(samples[i + 1]! - 2 * samples[i]! + samples[i - 1]!);
    const block = Math.floor(i / step);
    if (sharp > blocks[block]!) blocks[block] = sharp;
  }
  const result = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const block = Math.floor(i / step);
    let most = 0;
    for (let near = Math.max(0, block - 4); near <= Math.min(blocks.length - 1, block + 4); near++) {
      most = Math.max(most, blocks[near]!);
    }
    result[i] = most;
  }
  return result;
}

/** Returns the root mean square of the sharpness within `around` samples of each sample. */
function usualSharpness(samples: Float32Array, around: number): Float32Array {
  const sums = new Float64Array(samples.length + 1);
  for (let i = 0; i < samples.length; i++) {
    const sharp = (samples[i + 1] ?? 0) - 2 * samples[i]! + (samples[i - 1] ?? 0);
    const isInside = i > 0 && i + 1 < samples.length;
    sums[i + 1] = sums[i]! + (isInside ? sharp * sharp : 0);
  }
  return samples.map((_, i) => {
    const from = Math.max(0, i - around);
    const to = Math.min(samples.length, i + around);
    return Math.sqrt((sums[to]! - sums[from]!) / (to - from));
  });
}

/**
 * Returns the largest sharpness of the reference around the places that a stretch may consist of; of the whole
 * reference if there are none.
 */
function sharpestAround(reference: Reference, stretch: Range, places: readonly Segment[], around: number): number {
  const parts = places.map(({ shift, gain }) => {
    const from = Math.round(stretch.from - shift - around);
    const to = Math.min(Math.round(stretch.to - shift), Math.round(stretch.from - shift) + around) + around;
    return { part: reference.samples.subarray(Math.max(0, from), Math.max(0, to)), gain };
  });
  if (parts.length === 0 || stretch.to - stretch.from > 10 * around) parts.push({ part: reference.samples, gain: 1 });
  let most = 0;
  for (const { part, gain } of parts) {
    for (let i = 1; i + 1 < part.length; i++) {
      most = Math.max(most, gain * Math.abs(part[i + 1]! - 2 * part[i]! + part[i - 1]!));
    }
  }
  return most;
}

/** Returns the slowly varying loudness of each sample relative to the reference; `gain` where it cannot be measured. */
function localGains(heard: Float32Array, sent: Float32Array, gain: number, window: number): Float32Array {
  const hop = Math.max(1, window >> 2);
  const knots: number[] = [];
  for (let centre = 0; centre <= heard.length + hop; centre += hop) {
    let product = 0;
    let energy = 0;
    let heardEnergy = 0;
    for (let i = Math.max(0, centre - 2 * hop); i < Math.min(heard.length, centre + 2 * hop); i++) {
      product += heard[i]! * sent[i]!;
      energy += sent[i]! ** 2;
      heardEnergy += heard[i]! ** 2;
    }
    const isLike = product > 0.9 * Math.sqrt(energy * heardEnergy) && energy > 0;
    knots.push(isLike ? product / energy : gain);
  }
  return Float32Array.from(heard, (_, i) => {
    const knot = Math.floor(i / hop);
    const part = i / hop - knot;
    return knots[knot]! * (1 - part) + knots[knot + 1]! * part;
  });
}

/**
 * Finds clicks without a reference: windows of 5 ms whose level above 6 kHz is far above the 99th percentile of the
 * recording.
 */
function clicksWithin({ samples, sampleRate }: Heard): Click[] {
  const band = new ClickBand(CLICK_HZ, samples, sampleRate, CLICK_FLOOR);
  const clicks: Click[] = [];
  for (let at = 0; at + band.window <= samples.length; at += band.hop) {
    const db = band.level(samples, samples.length, at);
    if (db >= CLICK_DB) clicks.push({ at: steepest(samples, at, at + band.window), db });
  }
  return clicks;
}

/** Returns the sample before which the largest step occurs. */
function steepest(samples: Float32Array, from: number, to: number): number {
  let at = from;
  let most = -1;
  for (let i = Math.max(1, from); i < to; i++) {
    const step = Math.abs(samples[i]! - samples[i - 1]!);
    if (step > most) [most, at] = [step, i];
  }
  return at;
}

/** Keeps the largest of each group of nearby clicks. */
function joinNear(clicks: Click[], apart: number): Click[] {
  const joined: Click[] = [];
  let last = -Infinity;
  for (const click of clicks.sort((a, b) => a.at - b.at)) {
    const before = joined.at(-1);
    if (!before || click.at - last > apart) joined.push(click);
    else if (click.db > before.db) joined[joined.length - 1] = click;
    last = click.at;
  }
  return joined;
}
