import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pan, reveal, SPAN_MIN_SECONDS, zoom } from '../../../src/inspector/recording-view.js';

const range = { fromSeconds: 10, toSeconds: 110 };
const visible = { toSeconds: 60, spanSeconds: 20 };

describe('zoom', () => {
  it('keeps the anchor at its place', () => {
    assert.deepEqual(zoom(visible, 0.5, 50, range), { toSeconds: 55, spanSeconds: 10 });
    assert.deepEqual(zoom(visible, 2, 60, range), { toSeconds: 60, spanSeconds: 40 });
  });

  it('shows at least a few readings and at most the whole recording', () => {
    assert.equal(zoom(visible, 1e-6, 50, range).spanSeconds, SPAN_MIN_SECONDS);
    assert.deepEqual(zoom(visible, 1e6, 50, range), { toSeconds: 110, spanSeconds: 100 });
  });
});

describe('pan', () => {
  it('stops at the ends of the recording', () => {
    assert.equal(pan(visible, 5, range).toSeconds, 65);
    assert.equal(pan(visible, 500, range).toSeconds, 110);
    assert.equal(pan(visible, -500, range).toSeconds, 30);
  });

  it('aligns a recording shorter than the span to the left', () => {
    assert.equal(pan(visible, 0, { fromSeconds: 10, toSeconds: 12 }).toSeconds, 30);
  });
});

describe('reveal', () => {
  it('moves only if the time is not visible', () => {
    assert.equal(reveal(visible, 45, range), visible);
    for (const seconds of [20, 100]) {
      const { toSeconds } = reveal(visible, seconds, range);
      assert.ok(seconds >= toSeconds - 20 && seconds <= toSeconds, `${seconds} in the 20 s up to ${toSeconds}`);
    }
  });
});
