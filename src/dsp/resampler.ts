import type { ResamplerTable } from './resampler-table.js';

/** Value of one step of int16; a power of two, so that scaling is exact. */
const INT16_STEP = 1 / 32768;

/**
 * Takes a stream of samples from one rate to another, in pieces of any size: the output is the same bit for bit
 * however it is cut. Output `k` is the value of the input at sample `k * down / up`: the filter delays nothing, but
 * has to see `latency` samples ahead.
 *
 * Real-time safe after construction: no allocation, no message; what exceeds `room` is the only thing that throws.
 * One thread, whichever it is.
 */
export interface Resampler {
  /** Input samples that must be there beyond the instant of an output; 0 if the rates are the same. */
  readonly latency: number;
  /**
   * Appends `source[from, from + count)`, scaled to [-1, 1).
   *
   * @throws {RangeError} If `count` exceeds `room`, or what there is in `source`.
   */
  push(source: Int16Array, from: number, count: number): void;
  /**
   * Appends zeros. `latency` of them at the end of a stream make its last samples available: then there are
   * `ceil(inputs * up / down)` outputs in all.
   *
   * @throws {RangeError} If `count` exceeds `room`.
   */
  pushSilence(count: number): void;
  /** Input samples that can be pushed now: what `createResampler` was told, less what lies beyond `position`. */
  readonly room: number;
  /** Output samples that can be pulled now. */
  available(): number;
  /** Input samples that must still be pushed so that `outputs` samples can be pulled. */
  inputFor(outputs: number): number;
  /**
   * Writes at most `count` output samples to `target`, from index `from` on; `target` must be long enough.
   *
   * @returns Samples written: `count`, or `available()` if that is less.
   */
  pull(target: Float32Array, from: number, count: number): number;
  /** Where the next output lies, in input samples since the last reset: outputs so far `* down / up`. */
  readonly position: number;
  /** Forgets all input: silence lies before the next sample pushed, and the next output is at its instant. */
  reset(): void;
}

/**
 * Makes a resampler.
 *
 * A closure rather than a class: so long as there is one resampler per realm, V8 then takes the arrays, their lengths
 * and the ratio for constants, which halves the time per output.
 *
 * @param table - From `designResampler`; only read, may be shared.
 * @param maxInput - `room` after a reset, in samples. Pulling `n` outputs at once takes up to
 *   `ceil(n * fromRate / toRate) + table.taps`.
 * @throws {RangeError} If `maxInput` is not an integer above `table.taps / 2`.
 */
export function createResampler(table: ResamplerTable, maxInput: number): Resampler {
  const { up, down, taps, phases, coefficients } = table;
  const latency = taps >> 1;
  if (!Number.isInteger(maxInput) || maxInput <= latency) throw new RangeError(`Too little room: ${maxInput} samples`);
  /** Samples before the instant of an output that it depends on. */
  const past = (taps - 1) >> 1;
  const capacity = maxInput + past;
  /** Twice the capacity, so that only one sample in `capacity` or more has to be moved to the front. */
  const history = new Float64Array(2 * capacity);
  const wholeStep = Math.floor(down / up);
  const phaseStep = down % up;
  /** Outputs since the last reset; in an array since a plain variable would be allocated anew once beyond 2^30. */
  const outputs = new Float64Array(1);
  /** Index into `history` of the first tap of the next output, and of the next sample to push. */
  let read = 0;
  let write = past;
  /** Where the next output lies between two input samples, in units of `1 / up`. */
  let phase = 0;

  const reserve = (count: number): void => {
    if (count > capacity + read - write) throw new RangeError(`No room for ${count} samples`);
    if (write + count > history.length) {
      history.copyWithin(0, read, write);
      write -= read;
      read = 0;
    }
  };

  const available = (): number => Math.max(0, Math.ceil(((write - read - taps + 1) * up - phase) / down));

  /** Between two rows, for ratios of more phases than the table has. */
  const interpolate = (at: number): number => {
    const place = (phase * phases) / up;
    const row = Math.floor(place);
    const value = dot(coefficients, row * taps, history, at, taps);
    return value + (place - row) * (dot(coefficients, (row + 1) * taps, history, at, taps) - value);
  };

  return {
    latency,
    push(source, from, count) {
      if (from + count > source.length) throw new RangeError(`No ${count} samples from ${from} on`);
      reserve(count);
      for (let i = 0; i < count; i++) history[(write + i) | 0] = source[(from + i) | 0]! * INT16_STEP;
      write += count;
    },
    pushSilence(count) {
      reserve(count);
      history.fill(0, write, write + count);
      write += count;
    },
    get room() {
      return capacity + read - write;
    },
    available,
    inputFor(count) {
      return count < 1 ? 0 : Math.max(0, Math.floor((phase + (count - 1) * down) / up) + taps + read - write);
    },
    pull(target, from, count) {
      const written = Math.min(count, available());
      const end = from + written;
      for (let i = from; i < end; i++) {
        if (taps === 1) target[i] = history[read]!;
        else target[i] = phases === up ? dot(coefficients, phase * taps, history, read, taps) : interpolate(read);
        read += wholeStep;
        phase += phaseStep;
        if (phase >= up) {
          phase -= up;
          read++;
        }
      }
      outputs[0]! += written;
      return written;
    },
    get position() {
      return (outputs[0]! * down) / up;
    },
    reset() {
      history.fill(0, 0, past);
      read = 0;
      write = past;
      phase = 0;
      outputs[0] = 0;
    },
  };
}

/**
 * The sum of `taps` products of a row of coefficients and the history.
 *
 * A function of its own that is given the arrays: V8 inlines it with constants for them each time, which it did only
 * now and then when this was a closure. Two sums, because one would wait for itself; eight taps at a time, because two
 * are slower and sixteen too many for V8. `| 0` spares a check for overflow per index. See bench/resampler.
 */
function dot(coefficients: Float64Array, row: number, history: Float64Array, at: number, taps: number): number {
  const end = (row + taps) | 0;
  let even = 0;
  let odd = 0;
  for (let c = row | 0, h = at | 0; c < end; c = (c + 8) | 0, h = (h + 8) | 0) {
    even += coefficients[c]! * history[h]!;
    odd += coefficients[(c + 1) | 0]! * history[(h + 1) | 0]!;
    even += coefficients[(c + 2) | 0]! * history[(h + 2) | 0]!;
    odd += coefficients[(c + 3) | 0]! * history[(h + 3) | 0]!;
    even += coefficients[(c + 4) | 0]! * history[(h + 4) | 0]!;
    odd += coefficients[(c + 5) | 0]! * history[(h + 5) | 0]!;
    even += coefficients[(c + 6) | 0]! * history[(h + 6) | 0]!;
    odd += coefficients[(c + 7) | 0]! * history[(h + 7) | 0]!;
  }
  return even + odd;
}
