import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QuietParts } from '../../../src/connection/quiet-parts.js';

/** Returns the quiet parts of sounds and silences, given as peak and number of samples. */
function places(...runs: (readonly [peak: number, count: number])[]): readonly number[] {
  const found: number[] = [];
  const parts = new QuietParts((from, to) => found.push(from, to));
  for (const [peak, count] of runs) parts.push(Int16Array.from({ length: count }, (_, i) => (i % 2 ? -peak : peak)));
  return found;
}

describe('QuietParts', () => {
  it('lists a quiet part when a sound follows it, also at the beginning', () => {
    assert.deepEqual(places([0, 600], [9000, 100], [0, 1000]), [0, 600]);
    assert.deepEqual(places([0, 600], [9000, 100], [0, 400], [0, 600], [9000, 1]), [0, 600, 700, 1700]);
  });

  it('ignores parts as short as those within a word', () => {
    assert.deepEqual(places([9000, 100], [0, 511], [9000, 1], [0, 512], [9000, 1]), [612, 1124]);
  });

  it('takes the noise of a voice for silence, in proportion to its loudest sound', () => {
    assert.deepEqual(places([9000, 100], [140, 600], [9000, 1]), [100, 700]);
    assert.deepEqual(places([9000, 100], [141, 600], [9000, 1]), []);
    assert.deepEqual(places([-32768, 100], [512, 600], [9000, 1]), [100, 700]);
    assert.deepEqual(places([1000, 100], [128, 600], [1000, 1]), [100, 700]);
    assert.deepEqual(places([1000, 100], [129, 600], [1000, 1]), []);
  });
});
