import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { raisedCosine } from '../../../src/dsp/index.js';

/** Rounding error of a gain: half a float32 step below 1. */
const FLOAT32_ERROR = 2 ** -24;
const anyLength = fc.integer({ min: 1, max: 5000 });

describe('raisedCosine', () => {
  it('rises from exactly 0 to exactly 1 and never falls', () => {
    fc.assert(
      fc.property(anyLength, (length) => {
        const gains = raisedCosine(length);
        assert.equal(gains.length, length + 1);
        assert.equal(gains[0], 0);
        assert.equal(gains[length], 1);
        for (let i = 1; i <= length; i++) assert.ok(gains[i]! >= gains[i - 1]!);
      }),
    );
  });

  it('adds up to 1 with its reverse', () => {
    fc.assert(
      fc.property(anyLength, (length) => {
        const gains = raisedCosine(length);
        gains.forEach((gain, i) => assert.ok(Math.abs(gain + gains[length - i]! - 1) <= 2 * FLOAT32_ERROR));
      }),
    );
  });

  it('is level at both ends, so that its steps are smallest there', () => {
    const gains = raisedCosine(100);
    const middle = gains[51]! - gains[50]!;
    // The first step of a raised cosine with 100 steps is about pi / 200 of the step in the middle.
    assert.ok(gains[1]! < middle * 0.02);
    assert.ok(1 - gains[99]! < middle * 0.02);
  });

  for (const length of [0, -1, 1.5, NaN, Infinity]) {
    it(`refuses a length of ${length}`, () => {
      assert.throws(() => raisedCosine(length), { name: 'RangeError', message: new RegExp(String(length)) });
    });
  }
});
