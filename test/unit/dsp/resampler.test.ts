import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createResampler, designResampler, type Resampler, type ResamplerTable } from '../../../src/dsp/index.js';
import { resample } from './measure.js';

/** Room of the resamplers, in samples: little more than a quantum needs, so that they often compact their history. */
const PENDING = 300;

const tables: readonly ResamplerTable[] = [
  designResampler(24000, 48000),
  designResampler(24000, 44100),
  designResampler(11025, 48000),
  designResampler(8000, 96000),
  designResampler(48000, 44100),
  designResampler(96000, 44100),
  designResampler(96000, 48000),
  designResampler(24000, 44101), // more phases than rows
  designResampler(47999, 44100), // the same, down
  designResampler(48000, 48000),
];
const anyTable = fc.constantFrom(...tables);
/** Noise instead of `fc.int16Array`, which rarely generates long arrays. */
const anyInput = fc.tuple(fc.nat(3000), fc.nat()).map(([length, seed]) => noise(length, seed));
const anyQuantum = fc.oneof(fc.integer({ min: 1, max: 2048 }), fc.constantFrom(1, 64, 128, 441, 480, 1024, 2048));
const anyQuanta = fc.array(anyQuantum, { minLength: 1, maxLength: 8 });
const anyChunk = fc.integer({ min: 1, max: 2048 });
const anyChunks = fc.array(anyChunk, { minLength: 1, maxLength: 8 });

/** White noise at full scale, from the high bits of a linear congruential generator: its low bits are poor. */
function noise(length: number, seed: number): Int16Array {
  let state = seed;
  return Int16Array.from({ length }, () => (state = (Math.imul(state, 1664525) + 1013904223) | 0) >> 16);
}

const make = (table: ResamplerTable): Resampler => createResampler(table, table.taps + PENDING);

/** Bit patterns of samples, which distinguish -0 from 0. */
const bits = (samples: Float32Array): Uint32Array =>
  new Uint32Array(samples.buffer, samples.byteOffset, samples.length);

/** Pushes and pulls alternately, in pieces of at most the given sizes, until all input is processed. */
function resampleInPieces(resampler: Resampler, input: Int16Array, chunks: number[], quanta: number[]): Float32Array {
  const output: number[] = [];
  const block = new Float32Array(2048 + 3);
  let pushed = 0;
  let silence = resampler.latency;
  for (let turn = 0; pushed < input.length || silence > 0 || resampler.available() > 0; turn++) {
    const chunk = Math.min(chunks[turn % chunks.length]!, resampler.room);
    const count = Math.min(chunk, input.length - pushed);
    resampler.push(input, pushed, count);
    pushed += count;
    if (pushed === input.length) {
      const zeros = Math.min(silence, chunk - count);
      resampler.pushSilence(zeros);
      silence -= zeros;
    }
    const offset = turn % 4;
    const written = resampler.pull(block, offset, Math.min(quanta[turn % quanta.length]!, 2048));
    for (let i = 0; i < written; i++) output.push(block[offset + i]!);
  }
  return Float32Array.from(output);
}

describe('Resampler', () => {
  it('returns the same output bit for bit whatever the sizes of the pieces', () => {
    fc.assert(
      fc.property(anyTable, anyInput, anyChunks, anyQuanta, (table, input, chunks, quanta) => {
        const whole = resample(table, input);
        assert.deepEqual(bits(resampleInPieces(make(table), input, chunks, quanta)), bits(whole));
      }),
    );
  });

  it('returns ceil(inputs * up / down) outputs, once flushed', () => {
    fc.assert(
      fc.property(anyTable, anyInput, anyChunks, anyQuanta, (table, input, chunks, quanta) => {
        const output = resampleInPieces(make(table), input, chunks, quanta);
        assert.equal(output.length, Math.ceil((input.length * table.up) / table.down));
      }),
    );
  });

  it('returns identical output again after a reset', () => {
    fc.assert(
      fc.property(anyTable, anyInput, anyInput, anyChunks, anyQuanta, (table, before, input, chunks, quanta) => {
        const resampler = make(table);
        resampleInPieces(resampler, before, chunks, quanta); // fills all of the history
        resampler.push(before, 0, Math.min(before.length, resampler.room));
        resampler.pull(new Float32Array(quanta[0]!), 0, quanta[0]!);
        resampler.reset();
        assert.equal(resampler.room, make(table).room);
        assert.deepEqual(bits(resampleInPieces(resampler, input, chunks, quanta)), bits(resample(table, input)));
      }),
    );
  });

  it('computes exactly how much input an output needs', () => {
    fc.assert(
      fc.property(anyTable, anyQuanta, (table, quanta) => {
        const resampler = createResampler(table, table.taps + Math.ceil((2048 * table.fromRate) / table.toRate));
        const block = new Float32Array(2048);
        for (const quantum of quanta) {
          const needed = resampler.inputFor(quantum);
          if (needed > 0) {
            resampler.pushSilence(needed - 1);
            assert.ok(resampler.available() < quantum);
            resampler.pushSilence(1);
          }
          assert.ok(resampler.available() >= quantum);
          assert.equal(resampler.inputFor(quantum), 0);
          assert.equal(resampler.inputFor(resampler.available()), 0);
          assert.ok(resampler.inputFor(resampler.available() + 1) >= 1);
          assert.equal(resampler.pull(block, 0, quantum), quantum);
        }
      }),
    );
  });

  it('frees the room that lies before the next output, which is at input outputs * down / up', () => {
    fc.assert(
      fc.property(anyTable, anyQuanta, (table, quanta) => {
        const room = table.taps + Math.ceil((2048 * table.fromRate) / table.toRate);
        const resampler = createResampler(table, room);
        const block = new Float32Array(2048);
        let outputs = 0;
        let inputs = 0;
        for (const quantum of quanta) {
          const needed = resampler.inputFor(quantum);
          resampler.pushSilence(needed);
          inputs += needed;
          outputs += resampler.pull(block, 0, quantum);
          const position = Math.floor((outputs * table.down) / table.up);
          assert.equal(resampler.room, room - (inputs - position));
        }
      }),
    );
  });

  it('places output k at input k * down / up, without delay', () => {
    for (const table of tables) {
      // A tone at a third of the lower Nyquist frequency.
      const cycles = Math.min(1, table.up / table.down) / 6;
      const wave = (at: number): number => Math.sin(2 * Math.PI * cycles * at + 1);
      const length = 6 * table.taps + 60;
      const output = resample(
        table,
        Int16Array.from({ length }, (_, i) => Math.round(32767 * wave(i))),
      );
      output.forEach((sample, k) => {
        const at = (k * table.down) / table.up;
        if (at < table.taps || at > length - table.taps) return;
        // The filter may add up the rounding errors of the int16 input to a few steps.
        assert.ok(Math.abs(sample - wave(at)) < 5 / 32768, `${table.fromRate} to ${table.toRate}, output ${k}`);
      });
    }
  });

  it('passes samples through unchanged at the same rate', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const output = resample(designResampler(44100, 44100), input);
        assert.deepEqual(
          output,
          Float32Array.from(input, (sample) => sample / 32768),
        );
        assert.equal(createResampler(designResampler(44100, 44100), 1).latency, 0);
      }),
    );
  });

  it('holds int16 extremes: both full scales at 0 Hz come out as -1 and 32767/32768', () => {
    for (const table of tables) {
      for (const value of [-32768, 32767]) {
        const middle = resample(table, new Int16Array(4 * table.taps).fill(value)).at(
          Math.round((2 * table.taps * table.up) / table.down),
        )!;
        // Rounding to float32 near 1.
        assert.ok(Math.abs(middle - value / 32768) <= 2 ** -23, `${value} became ${middle}`);
      }
    }
  });

  it('stays finite and near full scale for noise of nothing but full-scale steps', () => {
    fc.assert(
      fc.property(anyTable, anyInput, (table, input) => {
        const output = resample(
          table,
          input.map((sample) => (sample < 0 ? -32768 : 32767)),
        );
        // The sum of magnitudes of a row limits the gain for full-scale input. It is below 4 for these tables.
        for (const sample of output) assert.ok(Math.abs(sample) < 4);
      }),
    );
  });

  it('returns silence for silence', () => {
    for (const table of tables) assert.ok(resample(table, new Int16Array(500)).every((sample) => sample === 0));
  });

  it('does not drift: the output of a periodic input repeats over a million samples', () => {
    const table = designResampler(24000, 44100);
    const pulse = Int16Array.from({ length: 80 }, (_, i) => (i === 40 ? 32767 : 0)); // period: 80 inputs, 147 outputs
    const resampler = createResampler(table, 1000);
    const block = new Float32Array(147);
    const settled = new Float32Array(147);
    for (let period = 0; period * 147 < 1e6; period++) {
      while (resampler.inputFor(147) > 0) resampler.push(pulse, 0, 80);
      assert.equal(resampler.pull(block, 0, 147), 147);
      if (period === 10) settled.set(block);
    }
    assert.deepEqual(bits(block), bits(settled));
  });

  it('writes no more than is available, and nothing outside its part of the target', () => {
    const resampler = createResampler(designResampler(24000, 48000), 100);
    const target = new Float32Array(10).fill(7);
    assert.equal(resampler.available(), 0);
    assert.equal(resampler.pull(target, 0, 10), 0);
    resampler.pushSilence(66);
    assert.equal(resampler.pull(target, 2, 10), 4);
    assert.deepEqual([...target], [7, 7, 0, 0, 0, 0, 7, 7, 7, 7]);
  });

  it('throws if there is not enough room, and keeps working', () => {
    const resampler = createResampler(designResampler(24000, 48000), 100);
    resampler.pushSilence(60);
    assert.equal(resampler.room, 40);
    assert.throws(() => resampler.push(new Int16Array(41), 0, 41), { name: 'RangeError', message: /41/ });
    assert.throws(() => resampler.pushSilence(41), { name: 'RangeError', message: /41/ });
    resampler.push(new Int16Array(40), 0, 40);
    assert.equal(resampler.room, 0);
  });

  it('throws if the source is too short', () => {
    const resampler = createResampler(designResampler(24000, 48000), 100);
    assert.throws(() => resampler.push(new Int16Array(10), 5, 6), RangeError);
  });

  for (const room of [0, 64, 70.5, NaN]) {
    it(`refuses to be made with room for ${room}`, () => {
      assert.throws(() => createResampler(designResampler(24000, 48000), room), RangeError);
    });
  }
});
