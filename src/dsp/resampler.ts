import type { ResamplerTable } from './resampler-table.js';

/** Value of one step of int16. It is a power of two, so scaling is exact. */
const INT16_STEP = 1 / 32768;

/**
 * Converts a stream of samples from one rate to another, in pieces of any size. The sizes do not change the output by a
 * single bit. Output `k` is the value of the input at sample `k * down / up`: the filter has no delay, but looks
 * `latency` samples ahead.
 *
 * Real-time safe after construction. One thread, which may be any.
 */
export interface Resampler {
  /** Number of input samples that must be pushed beyond the instant of an output; 0 if the rates are the same. */
  readonly latency: number;
  /**
   * Appends `source[from, from + count)`, scaled to [-1, 1).
   *
   * @throws {RangeError} If `count` exceeds `room`, or `source` is too short.
   */
  push(source: Int16Array, from: number, count: number): void;
  /**
   * Appends zeros. Append `latency` zeros at the end of a stream to make its last samples available: a stream of
   * `inputs` samples has `ceil(inputs * up / down)` outputs.
   *
   * @throws {RangeError} If `count` exceeds `room`.
   */
  pushSilence(count: number): void;
  /** Input samples that can be pushed now: `maxInput` of `createResampler` minus those that wait for an output. */
  readonly room: number;
  /** Returns the number of output samples that can be pulled now. */
  available(): number;
  /** Returns the number of input samples to push before `outputs` samples can be pulled. */
  inputFor(outputs: number): number;
  /**
   * Writes at most `count` output samples to `target`, from index `from` on. `target` must be long enough.
   *
   * @returns Number of samples written: `count`, or `available()` if that is less.
   */
  pull(target: Float32Array, from: number, count: number): number;
  /** Begins a new stream. Silence precedes the next sample pushed, and the next output is at its instant. */
  reset(): void;
}

/**
 * Makes a resampler.
 *
 * @param table - Table made by `designResampler`. It is not modified, so several resamplers can share it.
 * @param maxInput - Value of `room` after a reset, in samples. To pull `n` outputs at once, up to
 *   `ceil(n * fromRate / toRate) + table.taps` are needed.
 * @throws {RangeError} If `maxInput` is not an integer above `table.taps / 2`.
 */
export function createResampler(table: ResamplerTable, maxInput: number): Resampler {
  return new PolyphaseResampler(table, maxInput);
}

/**
 * A class rather than closures, so that all resamplers of a thread share compiled code and the second one is fast from
 * its first sample on. Closures are faster while there is only one, but are compiled again for another.
 */
class PolyphaseResampler implements Resampler {
  readonly latency: number;
  readonly #up: number;
  readonly #down: number;
  readonly #taps: number;
  readonly #phases: number;
  readonly #coefficients: Float64Array;
  /** Input samples that fit: `room` after a reset, plus `#past`. */
  readonly #capacity: number;
  /**
   * Input samples. There is room for twice the capacity, so samples are moved to the front at most once in `capacity`
   * samples, and for those behind the end that `pullFour` reads for outputs that are not available. The array contains
   * only doubles, because V8 reads it faster than a typed array that is not a constant.
   */
  readonly #history: number[] = [];
  readonly #wholeStep: number;
  readonly #phaseStep: number;
  /** Index into `#history` of the first tap of the next output, and of the next sample to push. */
  #read = 0;
  #write: number;
  /** Position of the next output between two input samples, in units of `1 / up`. */
  #phase = 0;

  constructor({ up, down, taps, phases, coefficients }: ResamplerTable, maxInput: number) {
    this.latency = taps >> 1;
    if (!Number.isInteger(maxInput) || maxInput <= this.latency) {
      throw new RangeError(
        `A resampler cannot have room for ${maxInput} samples. Pass an integer above ${this.latency}.`,
      );
    }
    this.#up = up;
    this.#down = down;
    this.#taps = taps;
    this.#phases = phases;
    this.#coefficients = coefficients;
    this.#capacity = maxInput + this.#past;
    this.#wholeStep = Math.floor(down / up);
    this.#phaseStep = down % up;
    this.#write = this.#past;
    // Not 0, which would make an array of small integers. One by one, so that V8 need not check for holes.
    for (let i = 0; i < 2 * this.#capacity + 3; i++) this.#history.push(0.5);
    this.reset();
  }

  /** Number of input samples before the instant of an output. */
  get #past(): number {
    return (this.#taps - 1) >> 1;
  }

  push(source: Int16Array, from: number, count: number): void {
    if (from + count > source.length) throw new RangeError(`The source has no ${count} samples from ${from} on.`);
    this.#reserve(count);
    const history = this.#history;
    const write = this.#write;
    for (let i = 0; i < count; i++) history[(write + i) | 0] = source[(from + i) | 0]! * INT16_STEP;
    this.#write = write + count;
  }

  pushSilence(count: number): void {
    this.#reserve(count);
    this.#history.fill(0, this.#write, this.#write + count);
    this.#write += count;
  }

  #reserve(count: number): void {
    if (count > this.room) throw new RangeError(`There is no room for ${count} samples. Pass at most ${this.room}.`);
    const history = this.#history;
    if (this.#write + count <= 2 * this.#capacity) return;
    const read = this.#read;
    const kept = this.#write - read;
    for (let i = 0; i < kept; i++) history[i] = history[(read + i) | 0]!;
    this.#read = 0;
    this.#write = kept;
  }

  get room(): number {
    return this.#capacity + this.#read - this.#write;
  }

  available(): number {
    const inputs = this.#write - this.#read - this.#taps + 1;
    return Math.max(0, Math.ceil((inputs * this.#up - this.#phase) / this.#down));
  }

  inputFor(outputs: number): number {
    if (outputs < 1) return 0;
    const last = Math.floor((this.#phase + (outputs - 1) * this.#down) / this.#up);
    return Math.max(0, last + this.#taps + this.#read - this.#write);
  }

  pull(target: Float32Array, from: number, count: number): number {
    const written = Math.min(count, this.available());
    const end = from + written;
    if (this.#down === 1 && this.#taps > 1) this.#pullByPhase(target, from, end);
    else this.#pullInOrder(target, from, end);
    return written;
  }

  /** Each phase recurs at every input sample. Four of its outputs at a time share the loads of its coefficients. */
  #pullByPhase(target: Float32Array, from: number, end: number): void {
    const up = this.#up;
    const first = this.#phase;
    for (let i = 0; i < up; i++) {
      const phase = (first + i) % up;
      const row = phase * this.#taps;
      let read = this.#read + (phase < first ? 1 : 0);
      for (let to = from + i; to < end; to += 4 * up, read += 4) {
        pullFour(this.#coefficients, row, this.#history, read, this.#taps, target, to, end, up);
      }
    }
    const next = first + end - from;
    this.#read += Math.floor(next / up);
    this.#phase = next % up;
  }

  #pullInOrder(target: Float32Array, from: number, end: number): void {
    const coefficients = this.#coefficients;
    const history = this.#history;
    const taps = this.#taps;
    const up = this.#up;
    const exact = this.#phases === up;
    let read = this.#read;
    let phase = this.#phase;
    for (let i = from; i < end; i++) {
      if (taps === 1) target[i] = history[read]!;
      else target[i] = exact ? dot(coefficients, phase * taps, history, read, taps) : this.#interpolate(phase, read);
      read += this.#wholeStep;
      phase += this.#phaseStep;
      if (phase >= up) {
        phase -= up;
        read++;
      }
    }
    this.#read = read;
    this.#phase = phase;
  }

  /** Interpolates between two rows, for ratios with more phases than the table has. */
  #interpolate(phase: number, at: number): number {
    const coefficients = this.#coefficients;
    const history = this.#history;
    const taps = this.#taps;
    const place = (phase * this.#phases) / this.#up;
    const row = Math.floor(place);
    const value = dot(coefficients, row * taps, history, at, taps);
    return value + (place - row) * (dot(coefficients, (row + 1) * taps, history, at, taps) - value);
  }

  reset(): void {
    this.#history.fill(0, 0, this.#past);
    this.#read = 0;
    this.#write = this.#past;
    this.#phase = 0;
  }
}

/**
 * Computes four outputs of one phase, for consecutive input samples, and writes those before `target[end]` to
 * `target[to]`, `target[to + up]` and so on. Each sample and each coefficient is loaded once, which takes half the time
 * of four calls of `dot`.
 */
function pullFour(
  coefficients: Float64Array,
  row: number,
  history: readonly number[],
  at: number,
  taps: number,
  target: Float32Array,
  to: number,
  end: number,
  up: number,
): void {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let a = history[at | 0]!;
  let b = history[(at + 1) | 0]!;
  let c = history[(at + 2) | 0]!;
  const rowEnd = (row + taps) | 0;
  for (let r = row | 0, h = (at + 3) | 0; r < rowEnd; r = (r + 2) | 0, h = (h + 2) | 0) {
    const d = history[h]!;
    const e = history[(h + 1) | 0]!;
    const r0 = coefficients[r]!;
    const r1 = coefficients[(r + 1) | 0]!;
    first += r0 * a;
    second += r0 * b;
    third += r0 * c;
    fourth += r0 * d;
    first += r1 * b;
    second += r1 * c;
    third += r1 * d;
    fourth += r1 * e;
    a = c;
    b = d;
    c = e;
  }
  target[to] = first;
  if (to + up < end) target[to + up] = second;
  if (to + 2 * up < end) target[to + 2 * up] = third;
  if (to + 3 * up < end) target[to + 3 * up] = fourth;
}

/**
 * Computes the scalar product of a row of coefficients and the history, `taps` long.
 *
 * Two sums, because each addition to a sum waits for the previous one. Eight taps at a time, because four and sixteen
 * are slower in V8. Coefficients are loaded by fours, because V8 then keeps more of them in registers. `| 0` saves an
 * overflow check per index. See bench/resampler.
 */
function dot(coefficients: Float64Array, row: number, history: readonly number[], at: number, taps: number): number {
  const end = (row + taps) | 0;
  let even = 0;
  let odd = 0;
  for (let c = row | 0, h = at | 0; c < end; c = (c + 8) | 0, h = (h + 8) | 0) {
    const c0 = coefficients[c]!;
    const c1 = coefficients[(c + 1) | 0]!;
    const c2 = coefficients[(c + 2) | 0]!;
    const c3 = coefficients[(c + 3) | 0]!;
    even += c0 * history[h]!;
    odd += c1 * history[(h + 1) | 0]!;
    even += c2 * history[(h + 2) | 0]!;
    odd += c3 * history[(h + 3) | 0]!;
    const c4 = coefficients[(c + 4) | 0]!;
    const c5 = coefficients[(c + 5) | 0]!;
    const c6 = coefficients[(c + 6) | 0]!;
    const c7 = coefficients[(c + 7) | 0]!;
    even += c4 * history[(h + 4) | 0]!;
    odd += c5 * history[(h + 5) | 0]!;
    even += c6 * history[(h + 6) | 0]!;
    odd += c7 * history[(h + 7) | 0]!;
  }
  return even + odd;
}
