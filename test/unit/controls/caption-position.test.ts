import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { captionPosition } from '../../../src/controls/caption-position.js';

describe('captionPosition', () => {
  it('is proportional to time if the duration is known', () => {
    assert.equal(captionPosition(1, 4, 1000), 0.25);
  });

  it('assumes 15 characters per second if it is not', () => {
    assert.equal(captionPosition(2, null, 120), 0.25); // 15 characters a second
  });

  it('stays between 0 and 1', () => {
    assert.deepEqual([captionPosition(-1, 4, 10), captionPosition(9, 4, 10), captionPosition(1, null, 0)], [0, 1, 0]);
  });
});
