import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fitPauses, type Mark } from '../../../src/playback/pause-fit.js';

/** Marks that are expected after 2, 4, 6 and 8 s, and then pauses of 0.2 s. */
const MARKS: readonly Mark[] = [0, 1, 2, 3].map((index) => ({ letters: 30 + 33 * index, words: 5 * (index + 1) }));
const EXPECTED = { letters: 15, seconds: 1 };

/** Returns the number of words before the last pause that has a mark. Pauses take 0.2 s. */
function words(now: number, ...pauses: number[]): number {
  const parts = pauses.map((from) => ({ from, to: from + 0.2 }));
  return fitPauses(MARKS, parts, now, EXPECTED).words;
}

describe('fitPauses', () => {
  it('assigns each pause to the mark that is expected there', () => {
    assert.equal(words(1.9), 0);
    assert.equal(words(2.5, 2.2), 5);
    assert.equal(words(4.5, 1.9, 4.1), 10);
  });

  it('leaves out marks without a pause, and pauses without a mark', () => {
    assert.equal(words(4.5, 4.2), 10);
    assert.equal(words(2.5, 0.5, 2), 5);
    assert.equal(words(0.6, 0.5), 0);
  });

  it('learns the pace, and revises earlier assignments by later pauses', () => {
    // A voice at two thirds of the expected pace. Its first pause alone could be that of either mark.
    const marks = [30, 75, 90, 180].map((letters, index) => ({ letters, words: index + 1 }));
    const after = (now: number, ...at: number[]): number =>
      fitPauses(
        marks,
        at.map((from) => ({ from, to: from + 0.2 })),
        now,
        EXPECTED,
      ).words;
    assert.equal(after(7.6, 3, 7.5), 2);
    assert.equal(after(9.2, 3, 7.5, 9), 3);
    assert.equal(after(17, 3, 7.5, 9), 3);
  });
});
