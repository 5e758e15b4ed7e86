import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { retryDelayMs } from '../../../src/base/retry-delay.js';

describe('retryDelayMs', () => {
  it('doubles from 250 ms up to the limit', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((retry) => retryDelayMs(retry, 0.5, 4000));
    assert.deepEqual(delays, [250, 500, 1000, 2000, 4000, 4000]);
  });

  it('varies by at most 20 %', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (retry, random) => {
          const middle = 250 * 2 ** (retry - 1);
          const delay = retryDelayMs(retry, random);
          assert.ok(delay >= 0.8 * middle && delay <= 1.2 * middle, `${delay}`);
        },
      ),
    );
  });
});
