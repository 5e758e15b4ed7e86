import { align, type Segment } from './alignment.js';
import { AUDIBLE, type Heard, type Range, soundOf } from './heard.js';
import { correlation, Reference } from './reference.js';
import type { Sound } from './sound.js';

/** Window in which levels are measured, in seconds. The hop is a quarter of it. */
const WINDOW = 0.002;
/** Sound this much softer than the reference at the same place is missing: 15 dB. */
const MISSING = 10 ** (-15 / 20);
/** Parts of the reference this much softer than their surroundings are not checked: 25 dB. */
const FAINT = 10 ** (-25 / 20);
/**
 * Duration of the windows in which a segment's loudness is measured, in seconds; their number; their minimum
 * correlation.
 */
const LOUD_WINDOW = 0.01;
const LOUD_WINDOWS = 3;
const LIKE = 0.98;
/** Sound this much softer than its surroundings is low: 20 dB, or 40 dB without a reference. */
const LOW = 10 ** (-20 / 20);
const LOW_UNKNOWN = 10 ** (-40 / 20);
/** Sound is missing if the reference is louder by this factor: 12 dB. */
const SENT_LOUDER = 4;
/** Radius of "surroundings", in seconds: in the reference and in the recording. */
const AROUND_SENT = 0.05;
const AROUND_HEARD = 0.3;

/** Extra length of a pause, in seconds: by one splice, by several splices, and at most. A pause may also double. */
const PAUSE_SPLICE = 0.02;
const PAUSE_SPLICES = 0.035;
const PAUSE_MORE = 0.2;
/** In stretched speech, shorter gaps look like splices in a soft consonant. In seconds. */
const STRETCHED_MIN = 0.016;
/** Longest range that a splice changes, in seconds. */
const SPLICE = 0.025;
/** A player that draws out a pause repeats sound from at most this far away, in seconds. */
const REPEATED = 0.004;
/**
 * A shorter range of low sound is not a pause: in stretched speech, and otherwise. `NO_PAUSE_MORE`: extra length below
 * which a range is not a gap. In seconds.
 */
const PAUSE_STRETCHED = 0.005;
const PAUSE = 0.015;
const NO_PAUSE_MORE = 0.004;

/**
 * Finds ranges that are silent, or much softer than the sound around them, while the sent speech is not. A sent pause may
 * be up to 0.2 s longer, and up to twice as long.
 *
 * @param reference - Speech that was sent; null if unknown. Without it, every silence is a gap.
 * @param minSeconds - Minimum length of a gap.
 * @param held - Ranges in which the user stopped the sound: silence there is not a gap.
 */
export function gapsOf(
  heard: Heard,
  reference: Sound | null,
  minSeconds: number,
  held: readonly Range[] = [],
): Range[] {
  const { samples, channels = [samples], sampleRate } = heard;
  const sound = soundOf(heard);
  const sent = reference && new Reference(reference, sampleRate);
  const gaps = channels.flatMap((channel) => new GapSearch(channel, sound, sent, sampleRate, minSeconds).gaps());
  return joinOverlapping(gaps).filter((gap) => !held.some(({ from, to }) => gap.from < to && from < gap.to));
}

class GapSearch {
  readonly #samples: Float32Array;
  readonly #sound: Range;
  readonly #reference: Reference | null;
  readonly #rate: number;
  readonly #min: number;
  readonly #hop: number;

  constructor(samples: Float32Array, sound: Range, reference: Reference | null, rate: number, minSeconds: number) {
    this.#samples = samples;
    this.#sound = sound;
    this.#reference = reference;
    this.#rate = rate;
    this.#min = minSeconds * rate;
    this.#hop = Math.round((WINDOW * rate) / 4);
  }

  gaps(): Range[] {
    const reference = this.#reference;
    const segments = reference ? align(this.#samples, reference) : [];
    if (!reference || segments.length === 0) return this.#lows(LOW_UNKNOWN);
    const least = this.#isStretched(segments) ? STRETCHED_MIN * this.#rate : 0;
    return [
      ...segments.flatMap((segment) => {
        // A segment that is softer than those before and after it is missing as a whole.
        const around = this.#gainAround(segment, segments);
        return this.#missing({ ...segment, gain: Math.max(segment.gain, around) }, reference);
      }),
      ...this.#lows(LOW).flatMap((low) => this.#unexplained(low, segments, reference)),
    ].filter(({ from, to }) => to - from >= least);
  }

  /** Returns the smaller of the largest gains shortly before and shortly after a segment. */
  #gainAround({ from, to }: Segment, segments: readonly Segment[]): number {
    const reach = AROUND_HEARD * this.#rate;
    const largest = (near: readonly Segment[]): number => Math.max(0, ...near.map(({ gain }) => gain));
    return Math.min(
      largest(segments.filter((other) => other.to <= from && other.to >= from - reach)),
      largest(segments.filter((other) => other.from >= to && other.from <= to + reach)),
    );
  }

  /** Finds ranges of a segment in which less is heard than was sent. */
  #missing({ from, to, shift, gain }: Segment, reference: Reference): Range[] {
    const expected = reference.read(from - shift, to - from);
    const loudest = Math.max(gain, this.#loudest(from, expected));
    const sent = levels(expected, this.#hop).map((level) => level * loudest);
    const heard = levels(this.#samples.subarray(from, to), this.#hop);
    const around = largestAround(sent, Math.round((AROUND_SENT * this.#rate) / this.#hop));
    const isMissing = (i: number): boolean =>
      heard[i]! < sent[i]! * MISSING && sent[i]! > Math.max(3 * AUDIBLE, around[i]! * FAINT);
    return this.#runs(sent.length, from, isMissing);
  }

  /** Returns the gain in the loudest `LOUD_WINDOWS` windows, because much of a segment may be missing. */
  #loudest(from: number, expected: Float32Array): number {
    const window = Math.round(LOUD_WINDOW * this.#rate);
    const gains: number[] = [];
    for (let at = 0; at + window <= expected.length; at += window) {
      const sent = expected.subarray(at, at + window);
      const heard = this.#samples.subarray(from + at, from + at + window);
      let product = 0;
      let energy = 0;
      for (let i = 0; i < window; i++) {
        product += heard[i]! * sent[i]!;
        energy += sent[i]! ** 2;
      }
      if (correlation(heard, sent) > LIKE) gains.push(product / energy);
    }
    return gains.sort((a, b) => b - a)[LOUD_WINDOWS - 1] ?? 0;
  }

  /** Finds ranges that are lower than the sound around them by a factor. */
  #lows(factor: number): Range[] {
    const { from, to } = this.#sound;
    const heard = levels(this.#samples.subarray(from, to), this.#hop);
    const reach = Math.round((AROUND_HEARD * this.#rate) / this.#hop);
    const before = largestBefore(heard, reach);
    const after = largestBefore(heard.toReversed(), reach).toReversed();
    const isLow = (i: number): boolean => heard[i]! <= Math.max(AUDIBLE, factor * Math.min(before[i]!, after[i]!));
    return this.#runs(heard.length, from, isLow);
  }

  /** Returns the part of a low range that differs from the reference, unless that is low for nearly as long. */
  #unexplained(low: Range, segments: readonly Segment[], reference: Reference): Range[] {
    let more = 0;
    const parts: Range[] = [];
    /** Parts that are much softer than any sound that the player could have repeated there. */
    const foreign: Range[] = [];
    for (let i = 0; i <= segments.length; i++) {
      const [before, after] = [segments[i - 1], segments[i]];
      const from = Math.max(low.from, before?.to ?? this.#sound.from);
      const to = Math.min(low.to, after?.from ?? this.#sound.to);
      if (from >= to) continue;
      const level = levels(this.#samples.subarray(from, to), to - from)[0]!;
      const quiet = Math.max(3 * AUDIBLE, SENT_LOUDER * level);
      const isQuiet = (place: number, { gain }: Segment): boolean =>
        gain * reference.level(place - this.#hop, place + 2 * this.#hop) <= quiet;
      let pause = 0;
      if (before && after && to - from > SPLICE * this.#rate) {
        const [left, right] = [before.to - before.shift, after.from - after.shift];
        for (let place = left; place < right; place += this.#hop) {
          if (isQuiet(place, before)) pause += this.#hop;
        }
        const near = REPEATED * this.#rate;
        let isRepeated = false;
        for (let off = -near; off <= near && !isRepeated; off += this.#hop) {
          isRepeated = isQuiet(left + off, before) || isQuiet(right + off, after);
        }
        if (!isRepeated) foreign.push({ from, to });
      } else {
        // A splice repeats or removes the sound on either side of it.
        const sides = [before, after].filter((side) => side !== undefined);
        for (let at = from; at < to; at += this.#hop) {
          if (sides.some((side) => isQuiet(at - side.shift, side))) pause += this.#hop;
        }
      }
      more += Math.max(0, to - from - pause);
      parts.push({ from, to });
    }
    if (foreign.length > 0 && more >= this.#min) return [{ from: foreign[0]!.from, to: foreign.at(-1)!.to }];
    const pause = (low.to - low.from - more) / this.#rate;
    const [least, splice] = this.#isStretched(segments) ? [PAUSE_STRETCHED, PAUSE_SPLICES] : [PAUSE, PAUSE_SPLICE];
    const isPause = pause >= least && more <= Math.min(PAUSE_MORE, pause + splice) * this.#rate;
    // Splices beside a gap do not belong to it.
    const long = parts.filter((part) => part.to - part.from > SPLICE * this.#rate);
    const [first, last] = long.length > 0 ? [long[0], long.at(-1)] : [parts[0], parts.at(-1)];
    const gap = first && last && { from: first.from, to: last.to };
    return !gap || isPause || more < Math.max(this.#min, NO_PAUSE_MORE * this.#rate) ? [] : [gap];
  }

  /** Returns true if the player stretches the speech: there are several short splices. */
  #isStretched(segments: readonly Segment[]): boolean {
    const splices = segments.filter(({ from, shift }, i) => {
      const before = segments[i - 1];
      if (!before) return false;
      return from - before.to < SPLICE * this.#rate && Math.abs(shift - before.shift) < SPLICE * this.#rate;
    });
    return splices.length > 1;
  }

  /** Returns sufficiently long runs of windows for which a predicate holds, precise to the sample. */
  #runs(count: number, origin: number, holds: (window: number) => boolean): Range[] {
    const runs: Range[] = [];
    const samples = this.#samples;
    let from = 0;
    for (let i = 0; i <= count; i++) {
      if (i < count && holds(i)) continue;
      // The windows reach beyond the run itself.
      const core = { from: origin + from * this.#hop, to: origin + i * this.#hop };
      from = i + 1;
      if (core.to - core.from < Math.max(this.#hop, this.#min - 5 * this.#hop)) continue;
      let most = AUDIBLE;
      for (let at = core.from + this.#hop; at < core.to - this.#hop; at++) {
        most = Math.max(most, 1.2 * Math.abs(samples[at]!));
      }
      const run = { ...core };
      while (run.from < core.to && Math.abs(samples[run.from]!) > most) run.from++;
      while (run.from > this.#sound.from && Math.abs(samples[run.from - 1]!) <= most) run.from--;
      while (run.to > run.from && Math.abs(samples[run.to - 1]!) > most) run.to--;
      while (run.to < this.#sound.to && Math.abs(samples[run.to]!) <= most) run.to++;
      if (run.to - run.from >= this.#min) runs.push(run);
    }
    return runs;
  }
}

/** Returns the root mean squares of windows of four hops, one per hop, which lies in the middle of its window. */
function levels(samples: Float32Array, hop: number): Float32Array {
  const sums = new Float64Array(samples.length + 1);
  for (let i = 0; i < samples.length; i++) sums[i + 1] = sums[i]! + samples[i]! ** 2;
  return Float32Array.from({ length: Math.floor(samples.length / hop) }, (_, i) => {
    const from = Math.max(0, Math.round((i - 1.5) * hop));
    const to = Math.min(samples.length, Math.round((i + 2.5) * hop));
    return Math.sqrt(Math.max(0, sums[to]! - sums[from]!) / (to - from));
  });
}

/** Returns for each value the largest of itself and the `reach` values before it. */
function largestBefore(values: Float32Array, reach: number): Float32Array {
  const result = new Float32Array(values.length);
  // Indices of decreasing values; the first is the largest.
  const queue: number[] = [];
  let head = 0;
  for (let i = 0; i < values.length; i++) {
    while (queue.length > head && values[queue.at(-1)!]! <= values[i]!) queue.pop();
    queue.push(i);
    if (queue[head]! < i - reach) head++;
    result[i] = values[queue[head]!]!;
  }
  return result;
}

function largestAround(values: Float32Array, reach: number): Float32Array {
  const before = largestBefore(values, reach);
  const after = largestBefore(values.toReversed(), reach).toReversed();
  return before.map((value, i) => Math.max(value, after[i]!));
}

function joinOverlapping(ranges: Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else joined.push(range);
  }
  return joined;
}
