import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { indexAt, pan, reveal, SPAN_MIN_SECONDS, stepFor, zoom } from '../../../src/inspector/time-view.js';

const range = { fromSeconds: 10, toSeconds: 110 };
const view = { toSeconds: 60, spanSeconds: 20 };

describe('The view on time', () => {
  it('leaves the anchor where it is when it zooms', () => {
    assert.deepEqual(zoom(view, 0.5, 50, range), { toSeconds: 55, spanSeconds: 10 });
    assert.deepEqual(zoom(view, 2, 60, range), { toSeconds: 60, spanSeconds: 40 });
  });

  it('shows no less than a few readings, and no more than there are', () => {
    assert.equal(zoom(view, 1e-6, 50, range).spanSeconds, SPAN_MIN_SECONDS);
    assert.deepEqual(zoom(view, 1e6, 50, range), { toSeconds: 110, spanSeconds: 100 });
  });

  it('moves to the ends and not beyond', () => {
    assert.equal(pan(view, 5, range).toSeconds, 65);
    assert.equal(pan(view, 500, range).toSeconds, 110);
    assert.equal(pan(view, -500, range).toSeconds, 30);
  });

  it('has at its left what is shorter than it', () => {
    assert.equal(pan(view, 0, { fromSeconds: 10, toSeconds: 12 }).toSeconds, 30);
  });

  it('moves for a time that is out of sight, and only then', () => {
    assert.equal(reveal(view, 45, range), view);
    for (const seconds of [20, 100]) {
      const { toSeconds } = reveal(view, seconds, range);
      assert.ok(seconds >= toSeconds - 20 && seconds <= toSeconds, `${seconds} in the 20 s up to ${toSeconds}`);
    }
  });

  it('has as many marks as fit', () => {
    assert.equal(stepFor(10, 10), 1);
    assert.equal(stepFor(10, 9), 2);
    assert.equal(stepFor(1e6, 5), 600);
  });

  it('finds the last item at or before a time', () => {
    const items = [1, 2, 2, 4].map((atSeconds) => ({ atSeconds }));
    assert.deepEqual(
      [0, 1, 2, 3, 9].map((at) => indexAt(items, at)),
      [-1, 0, 2, 2, 3],
    );
  });
});
