import { CODE_BAND, SOURCE_RATE } from '../speech-signal.mjs';
import { bandPass } from './fir.mjs';
import type { Span } from './silence.mjs';

/**
 * The position code (see {@link CODE_BAND}) is analysed as a complex signal around the centre of its band, at this
 * fraction of the source's rate.
 */
const DECIMATION = 4;
const RATE = SOURCE_RATE / DECIMATION;
/** Half of the bandwidth that is analysed. */
const WIDTH_HZ = 900;
/** Pieces to search for: 20 ms long, every 5 ms. */
const PIECE = 0.02 * RATE;
const HOP = 0.005 * RATE;
/** Shortest piece that can be distinguished from others: 8 ms. */
const SHORTEST = 0.008 * RATE;
/** Radius of the first search around the expected place: 40 ms. */
const NEAR = 0.04 * RATE;
/** Correlation at the expected place from which no other place is searched. */
const ALMOST_EQUAL = 0.9;
/** Minimum correlation for a match near the expected place. */
const NEAR_ENOUGH = 0.5;
/** Minimum correlation for a match elsewhere. It is higher, because one of the many places may match by chance. */
const FAR_ENOUGH = 0.7;
/** Tolerance of places and of the lengths of holes, in samples at `RATE`: 0.5 ms. */
const ROUNDING = 3;
/** Length at each end of the source that is not examined, because ramps may hide it: 3 ms. */
const EDGE = 0.003 * RATE;

/** A real signal's code band, as a complex signal at 6 kHz. */
interface Baseband {
  readonly re: Float64Array;
  readonly im: Float64Array;
  /** Energy of all samples before each one. */
  readonly energy: Float64Array;
}

/**
 * Measures how much of the source a recording lacks, by the position code in the signal. Handles stretched and repeated
 * sound.
 *
 * Sound that cannot be recognised, because it is short or distorted by an edge, counts as speech that was played. This
 * favours the player.
 *
 * @param recording - At {@link SOURCE_RATE}.
 * @param sound - Ranges that are not silent, in samples of the recording.
 * @param source - The sent signal.
 * @returns Milliseconds of the source that are missing from the recording.
 */
export function lostMs(recording: Float32Array, sound: readonly Span[], source: Int16Array): number {
  const wanted = baseband(Float32Array.from(source, (sample) => sample / 32768));
  const got = baseband(recording);
  const heard = new Uint8Array(wanted.re.length);
  let unknown = 0;
  let shift = -Math.round((sound[0]?.from ?? 0) / DECIMATION);
  for (const span of sound) {
    const from = Math.round(span.from / DECIMATION);
    const to = Math.min(Math.round(span.to / DECIMATION), got.re.length);
    const pieces = findPieces(got, from, to, wanted, shift);
    if (pieces.length === 0) unknown += Math.max(0, to - from);
    for (const [index, piece] of pieces.entries()) {
      const next = pieces[index + 1];
      const begin = index === 0 ? from : (pieces[index - 1]!.middle + piece.middle) / 2;
      const end = next ? (piece.middle + next.middle) / 2 : to;
      heard.fill(1, Math.max(0, Math.floor(begin + piece.shift)), Math.max(0, Math.ceil(end + piece.shift)));
    }
    shift = pieces.at(-1)?.shift ?? shift;
  }
  const missing = holes(heard.subarray(EDGE, heard.length - EDGE)).reduce((sum, length) => sum + length, 0);
  return (Math.max(0, missing - unknown) * 1000) / RATE;
}

/** Returns the lengths of the unset parts, except those short enough to be rounding errors. */
function holes(flags: Uint8Array): number[] {
  const lengths: number[] = [];
  let length = 0;
  for (const flag of [...flags, 1]) {
    if (flag === 0) length++;
    else {
      if (length > ROUNDING) lengths.push(length);
      length = 0;
    }
  }
  return lengths;
}

/** A recognised piece of the recording: its middle, and the offset to its place in the source. */
interface Piece {
  readonly middle: number;
  readonly shift: number;
}

/** Returns the recognised pieces between `from` and `to`, in order. */
function findPieces(got: Baseband, from: number, to: number, wanted: Baseband, expectedShift: number): Piece[] {
  const length = Math.min(PIECE, to - from);
  const pieces: Piece[] = [];
  if (length < SHORTEST) return pieces;
  let shift = expectedShift;
  for (let at = from; ; at = Math.min(at + HOP, to - length)) {
    const place = findPiece(got, at, length, wanted, at + shift);
    if (place !== null) {
      shift = place - at;
      pieces.push({ middle: at + length / 2, shift });
    }
    if (at + length >= to) return pieces;
  }
}

/** Returns the place in `wanted` of a piece of `got`: near `expected` if it matches there, else anywhere; or null. */
function findPiece(got: Baseband, at: number, length: number, wanted: Baseband, expected: number): number | null {
  const same = bestPlace(got, at, length, wanted, expected - ROUNDING, expected + ROUNDING);
  if (same.correlation >= ALMOST_EQUAL) return same.place;
  const near = bestPlace(got, at, length, wanted, expected - NEAR, expected + NEAR);
  if (near.correlation >= NEAR_ENOUGH) return near.place;
  const far = bestPlace(got, at, length, wanted, 0, wanted.re.length);
  return far.correlation >= FAR_ENOUGH ? far.place : null;
}

/** Returns the place of the piece from `low` to `high` with the greatest correlation, which is 0 to 1. */
function bestPlace(got: Baseband, at: number, length: number, wanted: Baseband, low: number, high: number) {
  let best = { place: 0, correlation: 0 };
  const energy = got.energy[at + length]! - got.energy[at]!;
  for (let place = Math.max(0, low); place <= Math.min(high, wanted.re.length - length); place++) {
    let re = 0;
    let im = 0;
    for (let i = 0; i < length; i++) {
      const a = got.re[at + i]!;
      const b = got.im[at + i]!;
      const c = wanted.re[place + i]!;
      const d = wanted.im[place + i]!;
      re += a * c + b * d;
      im += b * c - a * d;
    }
    const product = energy * (wanted.energy[place + length]! - wanted.energy[place]!);
    const correlation = product > 0 ? Math.sqrt((re * re + im * im) / product) : 0;
    if (correlation > best.correlation) best = { place, correlation };
  }
  return best;
}

/** Shifts the code's band to 0 Hz and removes the rest: the voice is adjacent and much louder than the code. */
function baseband(samples: Float32Array): Baseband {
  const lowPass = bandPass(0, WIDTH_HZ, SOURCE_RATE, 127);
  const radiansPerSample = (Math.PI * (CODE_BAND.from + CODE_BAND.to)) / SOURCE_RATE;
  const middle = (lowPass.length - 1) / 2;
  const cosines = lowPass.map((tap, at) => tap * Math.cos(radiansPerSample * at));
  const sines = lowPass.map((tap, at) => tap * Math.sin(radiansPerSample * at));
  const length = Math.floor(samples.length / DECIMATION);
  const re = new Float64Array(length);
  const im = new Float64Array(length);
  const energy = new Float64Array(length + 1);
  for (let index = 0; index < length; index++) {
    const first = index * DECIMATION - middle;
    let a = 0;
    let b = 0;
    for (let tap = Math.max(0, -first); tap < lowPass.length && first + tap < samples.length; tap++) {
      a += samples[first + tap]! * cosines[tap]!;
      b -= samples[first + tap]! * sines[tap]!;
    }
    const cosine = Math.cos(radiansPerSample * first);
    const sine = Math.sin(radiansPerSample * first);
    re[index] = a * cosine + b * sine;
    im[index] = b * cosine - a * sine;
    energy[index + 1] = energy[index]! + re[index]! ** 2 + im[index]! ** 2;
  }
  return { re, im, energy };
}
