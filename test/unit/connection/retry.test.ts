import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryDelayMs } from '../../../src/connection/retry.js';

describe('retryDelayMs', () => {
  it('doubles from 250 ms on, up to 4 s', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => retryDelayMs(attempt, 0.5));
    assert.deepEqual(delays, [250, 500, 1000, 2000, 4000, 4000]);
  });

  it('strays by at most 20 % either way', () => {
    assert.equal(retryDelayMs(1, 0), 200);
    assert.ok(Math.abs(retryDelayMs(1, 1 - Number.EPSILON) - 300) < 1e-9);
  });
});
