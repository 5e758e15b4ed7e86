import type { Run } from './silence.js';

/**
 * Maximum difference between an output sample and the same clean sample: the rounding error of equal sums in float32.
 * The marker, a faint signal under the speech, is forty times as loud, so that only one place of the speech matches.
 */
const SAME = 4e-6;

/** Consecutive equal samples required for a match: 1 ms. */
const MATCH = 48;

/** Step in samples with which the output is searched for a continuation of the speech. */
const STEP = 16;

/**
 * Search radius around the expected place, in samples. Usually `NEAR`, 25 ms. In every sixth step, `FAR`, 120 ms, plus
 * three times the length searched so far, because successive splices may shorten a pause to a quarter. The maximum is
 * `FARTHEST`, 1 s.
 */
const NEAR = 1200;
const FAR = 5760;
const FARTHEST = 48_000;

/** A range `[from, to)` of the output that differs from the clean speech, between two ranges that match it. */
export interface Break {
  readonly from: number;
  readonly to: number;
  /** Length of the clean speech that it replaces, in output samples; below `to - from` if something was inserted. */
  readonly speech: number;
  /** Samples of silence in it. */
  readonly silence: number;
}

/**
 * Mapping from the samples of the output to places in the stream of speech, derived from the output alone. A place is
 * an index in the stream, at the output's sample rate.
 */
export interface Alignment {
  /** Place of the first sample of the output's sound. */
  readonly first: number;
  /** Place of the end of that sound. */
  readonly last: number;
  readonly breaks: readonly Break[];
  /** Number of non-silent output samples for which no place was found, after a search through 1 s of output. */
  readonly lost: number;
  /** Returns the place of output sample `at`; NaN inside a break. `at` must not decrease from call to call. */
  readonly placeOf: (at: number) => number;
}

/**
 * Finds the place in the speech for each sample of the output.
 *
 * Where the player changes nothing, the output equals the resampled speech except for rounding. A change ends within
 * tens of milliseconds. So the function compares the two sample by sample. After a difference, it searches for the next
 * place where a whole millisecond matches.
 *
 * @param output - Samples that were played.
 * @param range - Range of the output that has sound.
 * @param silent - Runs of silence in the output.
 * @param clean - The loop of speech as the resampler outputs it.
 * @param origin - Index in `clean` of the stream's first sample.
 */
export function align(
  output: Float32Array,
  range: Run,
  silent: readonly Run[],
  clean: Float32Array,
  origin: number,
): Alignment {
  const breaks: Break[] = [];
  let first = 0;
  let lost = 0;
  let run = 0;
  /** Output sample up to which the mapping is known, and its place in the speech. */
  let at = range.from;
  let place = 0;
  while (at < range.to) {
    const same = countSame(output, at, range.to, clean, wrap(origin + place, clean));
    at += same;
    place += same;
    if (at >= range.to) break;
    const from = at;
    const speechFrom = place;
    let silence = 0;
    let found = Number.NaN;
    while (run < silent.length && silent[run]!.to <= from) run++;
    for (at += STEP; at + MATCH < range.to; at += STEP) {
      while (run < silent.length && silent[run]!.from < at) {
        const { from: quietFrom, to: quietTo } = silent[run]!;
        silence += quietTo - Math.max(from, quietFrom);
        at = Math.max(at, quietTo);
        run++;
      }
      const searched = at - from - silence;
      const expected = speechFrom + searched;
      const radius = searched % (6 * STEP) < 5 * STEP ? NEAR : Math.min(FARTHEST, FAR + 3 * searched);
      found = findPlace(output, at, clean, origin + expected, radius) - origin;
      if (!Number.isNaN(found) || searched > FARTHEST) break;
    }
    if (Number.isNaN(found)) {
      // At the end, this is the fade-out. Elsewhere, the place was not found: continue as if all of it were speech.
      const rest = at + MATCH >= range.to;
      if (rest) at = range.to;
      else lost += at - from - silence;
      found = speechFrom + (at - from) - silence;
    }
    if (from === range.from) {
      // The ramp at the start: the first samples of the speech may be too soft to be distinguished from silence.
      first = found - (at - from);
      breaks.push({ from, to: at, speech: at - from, silence });
    } else {
      breaks.push({ from, to: at, speech: found - speechFrom, silence });
    }
    place = found;
  }

  let next = 0;
  let shift = 0;
  return {
    first,
    last: place,
    breaks,
    lost,
    placeOf(sample) {
      while (next < breaks.length && breaks[next]!.to <= sample) {
        const { from, to, speech } = breaks[next++]!;
        shift += speech - (to - from);
      }
      if (next < breaks.length && breaks[next]!.from <= sample) return Number.NaN;
      return first + sample - range.from + shift;
    },
  };
}

/**
 * Returns the place in the speech of `output[from]`: where a millisecond from there on matches.
 *
 * @param clean - The loop of speech.
 * @param expected - Any integer; the loop has no end.
 * @param radius - Search radius around it, in samples.
 * @returns The place nearest to `expected`, or NaN.
 */
export function findPlace(
  output: Float32Array,
  from: number,
  clean: Float32Array,
  expected: number,
  radius: number,
): number {
  for (let distance = 0; distance <= radius; distance++) {
    if (matches(output, from, clean, wrap(expected + distance, clean))) return expected + distance;
    if (matches(output, from, clean, wrap(expected - distance, clean))) return expected - distance;
  }
  return Number.NaN;
}

function wrap(place: number, clean: Float32Array): number {
  return ((place % clean.length) + clean.length) % clean.length;
}

function matches(output: Float32Array, from: number, clean: Float32Array, index: number): boolean {
  for (let i = 0, c = index; i < MATCH; i++) {
    if (!(Math.abs(output[from + i]! - clean[c]!) <= SAME)) return false;
    if (++c === clean.length) c = 0;
  }
  return true;
}

/** Returns the number of consecutive equal samples from `output[from]` and `clean[index]` on, up to `to`. */
function countSame(output: Float32Array, from: number, to: number, clean: Float32Array, index: number): number {
  let at = from;
  let c = index;
  while (at < to) {
    const stop = Math.min(to, at + clean.length - c);
    while (at < stop && Math.abs(output[at]! - clean[c]!) <= SAME) {
      at++;
      c++;
    }
    if (at < stop) break;
    c = 0;
  }
  return at - from;
}
