import { align, type Segment } from './alignment.js';
import { ClickBand } from './click-band.js';
import { fitMixture } from './mixture.js';
import { type Heard, type Range, soundOf } from './heard.js';
import { Reference } from './reference.js';
import type { Sound } from './sound.js';

/** A sudden step or peak in a recording. */
export interface Click {
  /** Index of the sample where it is sharpest. */
  readonly at: number;
  /** How far it exceeds what may be there, in dB. */
  readonly db: number;
}

/**
 * Sharpness is the second difference: 2 for a single sample at full scale, and 1 for a step of it. This much is a click
 * wherever it is not in the reference: 0.005 of full scale as a sample, 0.01 as a step.
 */
const SHARP = 0.01;

/**
 * Share of the sharpness of the reference nearby up to which a difference is no click: where the recording is the reference,
 * where it is a mixture of two places of it, where it begins or ends, and where it is something else.
 */
const SHARE_SAME = 0.03;
const SHARE_MIXED = 0.5;
const SHARE_EDGE = 1.5;
const SHARE_OTHER = 1.5;
/** That share rises with how unlike the reference the recording is there, as after a splice that was found too early. */
const UNLIKE = 2;
/** Where it is more unlike than this, a click has to be sharp in what was heard, too, and not only in the difference. */
const POOR = 0.1;
/** A difference is no click up to this many times what is usual in the recording. */
const OFTEN = 2.5;
/** How far nearby is, in seconds. */
const NEARBY = 0.003;

/** A click exceeds the root mean square of the differences around it this many times. */
const PEAK = 6;
/** Durations around a click, in seconds: that of the differences, and that of the click. */
const AROUND = 0.008;
const CLICK = 0.0015;
/** Clicks that are nearer than this are one. */
const APART = 0.005;

/** What was sent has a click of its own where its sharpness exceeds its root mean square around by this factor. */
const OWN = 8;

/** Longest stretch that is explained as a mixture, in seconds. A stretch is this much longer at both ends than what was found. */
const MIXED = 0.04;
const MARGIN = 0.0025;

/** Time over which the loudness, and the likeness to the reference, may change, in seconds. */
const LOUDNESS = 0.01;

/** Without a reference: clicks are looked for above this frequency, in Hz, from this level on, and what counts as silence there. */
const CLICK_HZ = 6000;
const CLICK_DB = 15;
const CLICK_FLOOR = 10 ** -7.5;

/**
 * Finds sudden steps and peaks that were not sent.
 *
 * @param reference - What was sent; null if it is not known: then only what is much sharper than the rest of the recording is
 *   found.
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

/** Sharpness of what was not sent, for each sample of the sound, and how much of it is no click. */
interface Differences {
  readonly sharpness: Float32Array;
  readonly limit: Float32Array;
}

function differences(samples: Float32Array, sound: Range, reference: Reference): Differences {
  const { sampleRate } = reference;
  const length = sound.to - sound.from;
  const sharpness = new Float32Array(length);
  const limit = new Float32Array(length).fill(SHARP);
  /** Sharpness of what was sent, where the recording is that; 0 elsewhere. */
  const sent = new Float32Array(length);
  /** Takes the differences of a stretch, which are known one sample farther at both ends. */
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
    // Where what was sent has a click of its own, it is not known to a fraction of a sample where that is.
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
    // What is found to be the same may reach into a cross-fade.
    const trim = Math.min(margin, Math.floor((segment.to - segment.from) / 4));
    const same = { from: segment.from + trim, to: segment.to - trim };
    takeOther({ from: at, to: same.from }, before, segment);
    takeSame(same, segment);
    at = same.to;
    before = segment;
  }
  takeOther({ from: at, to: sound.to }, before, undefined);
  // A player that resamples differently differs wherever what was sent is sharp.
  const more = OFTEN * usualShare(sharpness, sent, Math.round(APART * sampleRate)) - SHARE_SAME;
  if (more > 0) for (let i = 0; i < length; i++) limit[i]! += more * sent[i]!;
  return { sharpness, limit };
}

/**
 * Share of the differences in what was heard, around each sample, as a ratio of amplitudes.
 *
 * @param rest - The differences, from one sample before `heard` on.
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

/** Share of the sharpness of what was sent that the differences have in 9 of 10 windows. */
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

/** Largest sharpness within `nearby` samples of each sample. */
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

/** Root mean square of the sharpness within `around` samples of each sample. */
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

/** Largest sharpness of the reference around the places that a stretch may be made of; of all of it if there are none. */
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

/** Loudness of each sample relative to what was sent, which may change slowly; `gain` where that cannot be measured. */
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

/** Clicks of a recording that is its own measure: 5 ms with much more above 6 kHz than 99 of 100 others have. */
function clicksWithin({ samples, sampleRate }: Heard): Click[] {
  const band = new ClickBand(CLICK_HZ, samples, sampleRate, CLICK_FLOOR);
  const clicks: Click[] = [];
  for (let at = 0; at + band.window <= samples.length; at += band.hop) {
    const db = band.level(samples, samples.length, at);
    if (db >= CLICK_DB) clicks.push({ at: steepest(samples, at, at + band.window), db });
  }
  return clicks;
}

/** The sample before which the largest step is. */
function steepest(samples: Float32Array, from: number, to: number): number {
  let at = from;
  let most = -1;
  for (let i = Math.max(1, from); i < to; i++) {
    const step = Math.abs(samples[i]! - samples[i - 1]!);
    if (step > most) [most, at] = [step, i];
  }
  return at;
}

/** The largest of clicks that are near each other. */
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
