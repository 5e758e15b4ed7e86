import { type Heard, soundOf } from './heard.js';
import { correlation, type Place, type Reference } from './reference.js';

/** Durations, in seconds: of a block, which is compared as a unit, and of the part used to search for a place. */
const BLOCK = 0.0025;
const PART = 0.01;
/** Duration of the part of a segment on which its shift is measured, in seconds. */
const MEASURED = 0.1;
/** Upper limit for ramps at the beginning of a sound, in seconds. */
const RAMP = 0.006;
/** Search radii in seconds: after a splice, at the beginning or after silence, and when those find nothing. */
const NEAR = 0.016;
const WIDE = 0.03;
const FAR = 0.15;
/** Times without a match, in seconds, after which the search uses `FAR`, and then the whole reference. */
const FAR_AFTER = 0.02;
const ANYWHERE_AFTER = 0.06;
/** Duration of the part that is searched for in the whole reference, in seconds. */
const ANYWHERE_PART = 0.04;

/** Share of the energy that may differ in a match. The limit grows with the time without a match. */
const SAME = 0.004;
const SIMILAR = 0.05;
const ALIKE = 0.2;
/** Factor by which a differing share may exceed the usual one of a segment. */
const UNUSUAL = 6;

/** A block is quiet below this share of the loudness of the reference (-45 dB), or below this level (-80 dBFS). */
const QUIET_SHARE = 10 ** (-45 / 20);
const QUIET = 1e-4;

/**
 * Budget of multiplications: a constant plus an amount per second. When it is used up, the rest of the recording counts
 * as foreign.
 */
const WORK = 2e8;
const WORK_PER_SECOND = 1.5e8;

/** Largest difference of shifts within one segment, in samples. */
const SAME_SHIFT = 0.3;

/** Samples `[from, to)` of a recording that match the reference, delayed by `shift` samples. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  /** Sample `i` of the recording corresponds to sample `i - shift` of the reference. */
  readonly shift: number;
  /** Loudness relative to the reference. */
  readonly gain: number;
}

/**
 * Finds which part of the reference is heard when. Follows the reference while it continues without a break. After a
 * break, searches for the place where it continues: the same place if the recording was damaged in between, another
 * place if something was inserted or removed.
 *
 * @param samples - One channel.
 * @returns Segments in the order of the recording, without overlap. The samples between them do not match the
 *   reference: gaps, cross-fades, ramps, noise.
 */
export function align(samples: Float32Array, reference: Reference): Segment[] {
  return new Aligner(samples, reference).run();
}

class Aligner {
  readonly #samples: Float32Array;
  readonly #reference: Reference;
  readonly #end: number;
  readonly #start: number;
  readonly #block: number;
  readonly #part: number;
  readonly #quiet: number;
  /** First sample of sound in the reference. */
  readonly #first: number;
  readonly #segments: Segment[] = [];
  /** Usual share of the energy that differs; 0 until a segment was found. */
  #noise = 0;
  /** Remaining multiplications. */
  #work: number;

  constructor(samples: Float32Array, reference: Reference) {
    this.#samples = samples;
    this.#reference = reference;
    const heard: Heard = { samples, sampleRate: reference.sampleRate };
    ({ from: this.#start, to: this.#end } = soundOf(heard));
    this.#work = WORK + WORK_PER_SECOND * ((this.#end - this.#start) / reference.sampleRate);
    const sent = soundOf(reference);
    this.#first = sent.from;
    this.#block = this.#count(BLOCK);
    this.#part = this.#count(PART);
    this.#quiet = Math.max(QUIET, QUIET_SHARE * reference.level(sent.from, sent.to));
  }

  #count(seconds: number): number {
    return Math.round(seconds * this.#reference.sampleRate);
  }

  run(): Segment[] {
    let at = this.#start;
    while (at < this.#end) at = this.#follow(at);
    return merge(this.#segments);
  }

  /** Finds where the recording continues after sample `from`, and follows it. Returns the end of the match. */
  #follow(from: number): number {
    const found = this.#search(from);
    if (!found) return this.#end;
    const { at, place } = found;
    const shift = at - place.at;
    const usual = this.#usual(at, shift);
    this.#noise = this.#segments.length > 0 ? Math.min(this.#noise, usual) : usual;
    const limit = Math.max(SAME, UNUSUAL * this.#noise);
    const last = this.#segments.at(-1);
    const spoken = last ? last.to - last.shift : -Infinity;
    // Quiet blocks all match each other, so the silence of a pause must not match twice.
    const isNew = (block: number): boolean => block - shift >= spoken || !this.#isQuiet(block);
    let begin = at;
    while (begin - this.#block >= from) {
      const block = begin - this.#block;
      if (!isNew(block) || !this.#matches(block, shift, limit)) break;
      begin = block;
    }
    let end = at + this.#block;
    while (end < this.#end && this.#matches(end, shift, limit)) end += this.#block;
    end = Math.min(end, this.#end);
    this.#segments.push(this.#segment(begin, end, shift));
    return end;
  }

  /** Returns the median over the blocks of a part of the share of the energy that differs. */
  #usual(at: number, shift: number): number {
    const shares: number[] = [];
    for (let block = at; block + this.#block <= Math.min(this.#end, at + this.#part); block += this.#block) {
      const heard = this.#samples.subarray(block, block + this.#block);
      shares.push(1 - correlation(heard, this.#reference.read(block - shift, heard.length)) ** 2);
    }
    return shares.sort((a, b) => a - b)[shares.length >> 1] ?? 1;
  }

  /** Measures the shift and gain of a segment on a longer part than the search used: at its beginning or its end. */
  #segment(from: number, to: number, shift: number): Segment {
    const length = Math.min(to - from, this.#count(MEASURED));
    const ends = [from, to - length].map((at) => {
      const part = this.#samples.subarray(at, at + length);
      const place = this.#reference.refine(part, { at: at - shift, score: 0 });
      return { shift: at - place.at, score: place.score };
    });
    const refined = ends[0]!.score > ends[1]!.score ? ends[0]!.shift : ends[1]!.shift;
    return { from, to, shift: refined, gain: this.#gain(from, to, refined) };
  }

  #gain(from: number, to: number, shift: number): number {
    const read = this.#reference.read(from - shift, to - from);
    let product = 0;
    let energy = 0;
    for (let i = 0; i < read.length; i++) {
      product += this.#samples[from + i]! * read[i]!;
      energy += read[i]! ** 2;
    }
    return product / (energy || 1);
  }

  /** Returns true if the block at `at` matches the reference. A quiet block matches if the reference is quiet there. */
  #matches(at: number, shift: number, limit: number): boolean {
    const heard = this.#samples.subarray(at, Math.min(at + this.#block, this.#end));
    const sent = this.#reference.read(at - shift, heard.length);
    const isQuiet = levelOf(heard) < this.#quiet;
    if (isQuiet && levelOf(sent) < 2 * this.#quiet) return true;
    const score = correlation(heard, sent);
    return score > 0 && 1 - score * score < limit;
  }

  #isQuiet(at: number): boolean {
    return levelOf(this.#samples.subarray(Math.max(0, at), at + this.#block)) < this.#quiet;
  }

  #search(from: number): { at: number; place: Place } | null {
    const last = this.#segments.at(-1);
    let quiet = last ? 0 : Infinity;
    let next = { far: this.#count(FAR_AFTER), anywhere: this.#count(ANYWHERE_AFTER) };
    let step = this.#block;
    for (let at = from; at + this.#block <= this.#end && this.#work > 0; at += step) {
      if (this.#isQuiet(at)) {
        quiet += this.#block;
        step = this.#block;
        continue;
      }
      const lost = at - from - (Number.isFinite(quiet) ? quiet : 0);
      const isFar = lost >= next.far;
      const found =
        quiet >= 2 * this.#block && lost <= this.#block
          ? this.#findOnset(at, from, last)
          : this.#findNear(at, last, isFar ? FAR : NEAR, lost);
      if (found) return found;
      if (isFar) next = { ...next, far: lost * 1.3 };
      if (lost >= next.anywhere) {
        const place = this.#anywhere(at);
        if (place) return { at, place };
        next = { ...next, anywhere: lost * 1.5 };
      }
      step = Math.max(this.#block, Math.round(lost / 8 / this.#block) * this.#block);
    }
    return null;
  }

  /** Returns the limit of the differing share after `lost` samples without a match. */
  #limit(lost: number): number {
    const usual = Math.max(SAME, UNUSUAL * this.#noise);
    if (lost > this.#count(ANYWHERE_AFTER)) return Math.max(ALIKE, usual);
    return lost > this.#count(FAR_AFTER) ? Math.max(SIMILAR, usual) : usual;
  }

  #accept({ score }: Place, limit: number): boolean {
    return score > 0 && 1 - score * score < limit;
  }

  /** Finds the place of sound that begins at `at`, after silence. */
  #findOnset(at: number, from: number, last: Segment | undefined): { at: number; place: Place } | null {
    const { sampleRate } = this.#reference;
    const wide = WIDE * sampleRate;
    const ramp = this.#count(RAMP);
    const after = at + ramp;
    const part = this.#samples.subarray(after, Math.min(this.#end, after + 2 * this.#part));
    if (part.length < this.#part) return null;
    const limit = Math.max(SIMILAR, UNUSUAL * this.#noise);
    const candidates: Place[] = [];
    if (!last) {
      candidates.push(this.#find(part, this.#first + ramp, wide));
    } else {
      const spoken = from - last.shift;
      const onset = this.#onsetAfter(spoken);
      // The reference is silent there, too: its sound continues where its silence ends.
      if (onset > spoken) candidates.push(this.#find(part, onset + ramp, wide));
      candidates.push(this.#find(part, after - last.shift, 2));
      candidates.push(this.#find(part, spoken + ramp, wide));
      candidates.push(this.#find(part, after - last.shift, wide));
    }
    const most = Math.max(...candidates.map(({ score }) => score));
    const best = candidates.find(({ score }) => 1 - score <= 1.5 * (1 - most) + 0.002);
    if (best && this.#accept(best, limit)) return { at: after, place: best };
    if (last) {
      // Searching the whole reference takes much of the budget, so it is left to a later part without a match.
      const far = this.#find(part, after - last.shift, FAR * sampleRate);
      return this.#accept(far, limit) ? { at: after, place: far } : null;
    }
    const anywhere = this.#anywhere(after);
    return anywhere && { at: after, place: anywhere };
  }

  /** Returns the first place from `place` on where the reference is not quiet. */
  #onsetAfter(place: number): number {
    const { samples } = this.#reference;
    let at = Math.round(place);
    while (at < samples.length && this.#reference.level(at, at + this.#block) < this.#quiet) at += this.#block >> 2;
    return at;
  }

  #find(part: Float32Array, centre: number, radius: number): Place {
    this.#work -= 2 * radius * part.length;
    return this.#reference.find(part, centre, radius);
  }

  #findNear(at: number, last: Segment | undefined, seconds: number, lost: number): { at: number; place: Place } | null {
    const part = this.#samples.subarray(at, Math.min(this.#end, at + this.#part));
    if (part.length < this.#block) return null;
    const centre = last ? at - last.shift : this.#first + at - this.#start;
    const limit = this.#limit(lost);
    const same = this.#reference.refine(part, {
      at: centre,
      score: correlation(part, this.#reference.read(centre, part.length)),
    });
    if (this.#accept(same, SAME)) return { at, place: same };
    // A splice takes two blocks. Matching sound before their end is found by searching backwards.
    if (part.length < this.#part || (last && lost < 2 * this.#block)) return null;
    const near = this.#find(part, centre, seconds * this.#reference.sampleRate);
    if (!this.#accept(near, limit)) return null;
    return 1 - same.score <= 1.5 * (1 - near.score) ? { at, place: same } : { at, place: near };
  }

  #anywhere(at: number): Place | null {
    const part = this.#samples.subarray(at, Math.min(this.#end, at + this.#count(ANYWHERE_PART)));
    if (part.length < 2 * this.#part) return null;
    // Two transforms of up to twice the length, with about ten operations per sample for each of 20 rounds.
    this.#work -= 400 * this.#reference.samples.length;
    const place = this.#reference.findAnywhere(part);
    return this.#accept(place, SIMILAR) ? place : null;
  }
}

/** Joins segments that have the same shift, including the samples between them. */
function merge(segments: readonly Segment[]): Segment[] {
  const merged: Segment[] = [];
  for (const segment of segments) {
    const last = merged.at(-1);
    if (!last || Math.abs(last.shift - segment.shift) > SAME_SHIFT) {
      merged.push(segment);
      continue;
    }
    const longer = segment.to - segment.from > last.to - last.from ? segment : last;
    merged[merged.length - 1] = { ...longer, from: last.from, to: segment.to };
  }
  return merged;
}

function levelOf(samples: Float32Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return Math.sqrt(energy / Math.max(1, samples.length));
}
