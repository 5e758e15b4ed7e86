import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TimeMap } from '../../../worklet/time-map.js';

describe('TimeMap', () => {
  it('has a slope of 1 after the last point', () => {
    const map = new TimeMap();
    map.reset();
    assert.equal(map.speechAt(17), 17);
    map.add(100, 40);
    assert.equal(map.speechAt(100), 40);
    assert.equal(map.speechAt(130), 70);
  });

  it('is linear between two points', () => {
    const map = new TimeMap();
    map.reset();
    map.add(100, 100);
    map.add(300, 100);
    map.add(400, 200);
    map.add(420, 300);
    assert.deepEqual(
      [50, 100, 200, 300, 350, 410, 430].map((made) => map.speechAt(made)),
      [50, 100, 100, 100, 150, 250, 310],
    );
  });

  it('never decreases, and never exceeds the samples read, for any splices', () => {
    // A splice after `plain` unchanged samples: a negative lag inserts samples, a positive one removes them.
    const anySplice = fc.record({
      plain: fc.integer({ min: 1, max: 500 }),
      lag: fc.oneof(fc.integer({ min: -360, max: -120 }), fc.integer({ min: 120, max: 360 })),
    });
    fc.assert(
      fc.property(fc.array(anySplice, { maxLength: 300 }), fc.integer({ min: 0, max: 700 }), (splices, delay) => {
        const map = new TimeMap();
        map.reset();
        let made = 0;
        let read = 0;
        let last = 0;
        for (const { plain, lag } of splices) {
          made += plain;
          read += plain;
          if (lag < 0) {
            map.add(made, read);
            map.add(made - lag, read);
            made -= lag;
          } else {
            map.add(made, read);
            map.add(made + 120, read + lag + 120);
            made += 120;
            read += lag + 120;
          }
          const now = map.speechAt(Math.max(0, made - delay));
          assert.ok(now >= last && now <= read);
          last = now;
        }
        assert.equal(map.speechAt(made), read);
      }),
    );
  });
});
