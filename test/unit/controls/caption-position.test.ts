import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { captionPosition } from '../../../src/controls/caption-position.js';

describe('captionPosition', () => {
  it('goes by time where it is known how long the text takes', () => {
    assert.equal(captionPosition(1, 4, 1000), 0.25);
  });

  it('goes by how fast people speak where it is not', () => {
    assert.equal(captionPosition(2, null, 120), 0.25); // 15 characters a second
  });

  it('stays between beginning and end', () => {
    assert.deepEqual([captionPosition(-1, 4, 10), captionPosition(9, 4, 10), captionPosition(1, null, 0)], [0, 1, 0]);
  });
});
