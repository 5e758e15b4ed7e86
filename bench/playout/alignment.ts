import type { Run } from './silence.js';

/**
 * Largest difference between an output sample and the clean one it is: the same sums in float32. The marker under the
 * speech is forty times as loud, so that only one place of the speech fits.
 */
const SAME = 4e-6;

/** Samples that must be the same in a row for a place to be found: 1 ms. */
const MATCH = 48;

/** Steps in which the output is searched for speech that goes on. */
const STEP = 16;

/**
 * How far from the expected place it is looked for, in samples: 25 ms, now and then 120 ms and three times as far as was
 * searched, since a pause may be shortened to a quarter by one splice after the other; 1 s at most.
 */
const NEAR = 1200;
const FAR = 5760;
const FARTHEST = 48_000;

/** A stretch of output `[from, to)` that is not the speech as it was, between two that are. */
export interface Break {
  readonly from: number;
  readonly to: number;
  /** Samples of the speech that it stands for, counted as output: fewer than `to - from` if something was put in. */
  readonly speech: number;
  /** Samples of silence in it. */
  readonly silence: number;
}

/** Which sample of the speech is heard when, found from the output alone. */
export interface Alignment {
  /** Places of the first sample that was heard and of the end, counted as output samples of the stream. */
  readonly first: number;
  readonly last: number;
  readonly breaks: readonly Break[];
  /** Output samples for which no place was found although they are not silent: after more than a second in search. */
  readonly lost: number;
  /** The place of output sample `at` in the stream, or NaN inside a break. Calls must not go back. */
  readonly placeOf: (at: number) => number;
}

/**
 * Follows the speech through the output. Wherever the player leaves the samples as they are, an output sample is the
 * resampled speech bit for bit, but for rounding; what it does to them ends within tens of milliseconds. So the two are
 * compared sample by sample, and after a difference the next place where a whole millisecond is the same is looked for.
 *
 * @param output - What was played.
 * @param range - Where the output sounds.
 * @param silent - Its runs of silence.
 * @param clean - The loop of speech as the resampler makes it.
 * @param origin - Index into `clean` of the stream's first sample.
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
  /** Output sample up to which all is known, and the place of speech that lies there. */
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
      // To the end: the fade; or out of reach: goes on as if all of it had been speech.
      const rest = at + MATCH >= range.to;
      if (rest) at = range.to;
      else lost += at - from - silence;
      found = speechFrom + (at - from) - silence;
    }
    if (from === range.from) {
      // The ramp at the start: the first samples of the speech may be too soft to be told from silence.
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
 * The place in the speech of `output[from]`: where a millisecond from there on is the same.
 *
 * @param clean - The loop of speech.
 * @param expected - Any integer; the loop has no end.
 * @param radius - How far from there it is looked for, in samples.
 * @returns The one nearest to `expected`, or NaN.
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

/** Samples that are the same in a row, from `output[from]` and `clean[index]` on, up to `to`. */
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
