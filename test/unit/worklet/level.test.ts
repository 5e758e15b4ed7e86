import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Level } from '../../../worklet/level.js';

/** Returns the gain of each sample, applied in blocks of 128. */
function applied(level: Level, samples: number): number[] {
  return Array.from({ length: samples / 128 }, () => {
    const block = new Float32Array(128).fill(1);
    level.apply(block);
    return [...block];
  }).flat();
}

test('a level is within 1 % of its target after its ramp, and soon exact', () => {
  const level = new Level();
  level.approach(0.2, 1280);
  const gains = applied(level, 12_800);
  assert.ok(gains[1152]! > 0.2 + 0.01 * 0.8);
  assert.ok(gains[1279]! <= 0.2 + 0.01 * 0.8);
  assert.equal(gains.at(-1), Math.fround(0.2));
});

test('a level that changes direction in a ramp makes no step', () => {
  const level = new Level();
  const gains = [0, 1, 0.5, 0.1, 1].flatMap((target) => {
    level.approach(target, 1280);
    return applied(level, 256);
  });
  const steps = gains.slice(1).map((gain, index) => Math.abs(gain - gains[index]!));
  assert.ok(Math.max(...steps) <= 5 / 1280, `a step of ${Math.max(...steps)}`);
});

test('a level approached over an infinite time waits for settle()', () => {
  const level = new Level();
  level.approach(0.2, 0.001);
  level.settle();
  level.approach(1, Infinity);
  assert.ok(applied(level, 12_800).every((gain) => gain === Math.fround(0.2)));
  level.settle();
  assert.ok(applied(level, 128).every((gain) => gain === 1));
});
