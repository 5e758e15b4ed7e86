import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SequenceTracker } from '../../../src/protocol/index.js';

/** Returns the number of gaps in these sequence numbers. */
function gaps(sequences: readonly number[]): number {
  const tracker = new SequenceTracker();
  for (const sequence of sequences) tracker.observe(sequence);
  return tracker.gaps;
}

describe('SequenceTracker', () => {
  it('finds no gap where numbers grow by one or repeat, from any start, over the wrap', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 32 - 1), fc.array(fc.boolean()), (first, steps) => {
        let sequence = first;
        assert.equal(gaps([first, ...steps.map((step) => (sequence = (sequence + Number(step)) >>> 0))]), 0);
      }),
    );
    assert.equal(gaps([2 ** 32 - 2, 2 ** 32 - 1, 0, 1]), 0);
  });

  it('counts each jump ahead once', () => {
    assert.equal(gaps([0, 1, 3, 4, 100, 101]), 2);
  });

  it('counts a jump over the wrap', () => {
    assert.equal(gaps([2 ** 32 - 1, 1]), 1);
  });

  it('does not count a restart from a smaller number', () => {
    assert.equal(gaps([5, 6, 7, 0, 1, 2]), 0);
  });

  it('starts from any number after a restart, and keeps its count', () => {
    const tracker = new SequenceTracker();
    for (const sequence of [0, 2]) tracker.observe(sequence);
    tracker.restart();
    tracker.observe(700);
    assert.equal(tracker.gaps, 1);
  });
});
