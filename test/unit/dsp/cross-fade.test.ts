import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crossFade } from '../../../src/dsp/cross-fade.js';
import { raisedCosine } from '../../../src/dsp/index.js';
import { generator } from '../worklet/voice.js';

const LENGTH = 120;
const gains = raisedCosine(LENGTH);

describe('crossFade', () => {
  it('leaves a signal unchanged that fades into an equal signal', () => {
    const samples = Int16Array.from({ length: 2 * LENGTH }, (_, i) => Math.round(30000 * Math.sin((i % LENGTH) / 9)));
    const target = new Int16Array(LENGTH);
    crossFade(samples, 0, LENGTH, 100, gains, target);
    assert.deepEqual(target, samples.subarray(0, LENGTH));
  });

  it('begins with the first piece, and approaches the second up to the last gain', () => {
    const samples = new Int16Array(2 * LENGTH).fill(1000, 0, LENGTH).fill(-1000, LENGTH);
    const target = new Int16Array(LENGTH);
    crossFade(samples, 0, LENGTH, 100, gains, target);
    assert.equal(target[0], 1000);
    assert.ok(target[LENGTH - 1]! < -998);
  });

  it('keeps the power of two uncorrelated noises', () => {
    const random = generator(1);
    const power = new Float64Array(LENGTH);
    const rounds = 2000;
    const target = new Int16Array(LENGTH);
    for (let round = 0; round < rounds; round++) {
      const samples = Int16Array.from({ length: 2 * LENGTH }, () => 20000 * (random() - 0.5));
      crossFade(samples, 0, LENGTH, 0, gains, target);
      target.forEach((sample, i) => (power[i]! += sample ** 2 / rounds));
    }
    const expected = 20000 ** 2 / 12;
    // The standard deviation of a mean of 2000 squares is 2 %. Without the correction, the middle has half the power.
    for (const value of power) assert.ok(Math.abs(value / expected - 1) < 0.12, `${value / expected}`);
  });

  it('stays within int16 if two loud pieces are less similar than stated', () => {
    const samples = new Int16Array(2 * LENGTH).fill(32767);
    const target = new Int16Array(LENGTH);
    crossFade(samples, 0, LENGTH, -100, gains, target);
    assert.ok(target.every((sample) => sample === 32767));
  });
});
