import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { designResampler } from '../../../src/dsp/index.js';

const RATES = [4000, 8000, 11025, 16000, 22050, 24000, 32000, 44100, 48000, 88200, 96000, 192000, 384000];
const anyRate = fc.oneof(fc.constantFrom(...RATES), fc.integer({ min: 4000, max: 384000 }));
/** Few runs: the design for large ratios is slow, and a few dozen pairs show as much as hundreds. */
const FEW = { numRuns: 30 };

describe('designResampler', () => {
  it('reduces the ratio of the rates', () => {
    const { fromRate, toRate, up, down } = designResampler(24000, 44100);
    assert.deepEqual({ fromRate, toRate, up, down }, { fromRate: 24000, toRate: 44100, up: 147, down: 80 });
  });

  it('makes rows of a multiple of 8 taps that each add up to 1', () => {
    fc.assert(
      fc.property(anyRate, anyRate, (from, to) => {
        fc.pre(from !== to);
        const { taps, coefficients, phases } = designResampler(from, to);
        assert.equal(taps % 8, 0);
        for (let row = 0; row < phases; row++) {
          const sum = coefficients.subarray(row * taps, (row + 1) * taps).reduce((a, b) => a + b, 0);
          // At least 128 rounding errors of 2^-53 each, some of them in partial sums.
          assert.ok(Math.abs(sum - 1) < 1e-13, `row ${row} of ${from} to ${to} adds up to ${sum}`);
        }
      }),
      FEW,
    );
  });

  it('mirrors the rows, so that all frequencies have the same delay', () => {
    fc.assert(
      fc.property(anyRate, anyRate, (from, to) => {
        const { taps, coefficients, phases } = designResampler(from, to);
        for (let row = 1; row < phases; row++) {
          for (let tap = 0; tap < taps; tap++) {
            const mirrored = coefficients[(phases - row + 1) * taps - 1 - tap]!;
            assert.ok(Math.abs(coefficients[row * taps + tap]! - mirrored) < 1e-14);
          }
        }
      }),
      FEW,
    );
  });

  it('has 128 taps, or as many more as the input rate is higher', () => {
    assert.equal(designResampler(24000, 48000).taps, 128);
    assert.equal(designResampler(8000, 44100).taps, 128);
    assert.equal(designResampler(96000, 48000).taps, 256);
    assert.equal(designResampler(48000, 44100).taps, 144); // 139.3, rounded up to a multiple of 8
  });

  it('looks ahead by at most 2.7 ms of 24 kHz audio', () => {
    for (const rate of [44100, 48000, 96000]) assert.ok(designResampler(24000, rate).taps / 2 / 24000 <= 0.0027);
  });

  it('passes samples through when the rates are the same', () => {
    const { up, down, taps, coefficients } = designResampler(44100, 44100);
    assert.deepEqual([up, down, taps, [...coefficients]], [1, 1, 1, [1]]);
  });

  it('has a row for each of up to 1024 phases', () => {
    const { up, phases, taps, coefficients } = designResampler(11025, 48000);
    assert.equal(up, 640);
    assert.equal(phases, up);
    assert.equal(coefficients.length, up * taps);
  });

  it('makes a small table for interpolation at any other ratio', () => {
    fc.assert(
      fc.property(anyRate, anyRate, (from, to) => {
        const { up, phases, taps, coefficients } = designResampler(from, to);
        assert.ok(phases <= 1024);
        assert.ok(coefficients.byteLength <= 4 * 1024 * 1024);
        assert.equal(coefficients.length, (phases === up ? phases : phases + 1) * taps);
      }),
      FEW,
    );
  });

  it('ends a table for interpolation with its first row, a sample later', () => {
    const { taps, phases, coefficients } = designResampler(24000, 44101);
    const last = coefficients.subarray(phases * taps);
    assert.equal(last.length, taps);
    // All but the outermost tap, where the window ends, differ by less than 2e-6 (-114 dB).
    for (let tap = 1; tap < taps; tap++) assert.ok(Math.abs(last[tap]! - coefficients[tap - 1]!) < 2e-6);
  });

  it('accepts other options', () => {
    assert.equal(designResampler(24000, 48000, { taps: 60, beta: 9, cutoff: 0.945 }).taps, 64);
  });

  it('can be cloned to another thread', () => {
    const table = designResampler(24000, 48000);
    assert.deepEqual(structuredClone(table), table);
  });

  for (const rate of [3999, 384001, 44100.5, 0, -8000, NaN, Infinity]) {
    it(`refuses a rate of ${rate}`, () => {
      const refusal = { name: 'RangeError', message: new RegExp(String(rate)) };
      assert.throws(() => designResampler(rate, 48000), refusal);
      assert.throws(() => designResampler(48000, rate), refusal);
    });
  }

  for (const options of [
    { taps: 4 },
    { taps: 4096 },
    { taps: NaN },
    { beta: -1 },
    { beta: 31 },
    { cutoff: 0 },
    { cutoff: 1.01 },
  ]) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      assert.throws(() => designResampler(24000, 48000, options), RangeError);
    });
  }
});
