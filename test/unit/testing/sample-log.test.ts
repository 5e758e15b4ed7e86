import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SampleLog } from '../../../src/testing/sample-log.js';

describe('SampleLog', () => {
  it('contains all samples in order', () => {
    const log = new SampleLog();
    assert.deepEqual([...log.samples], []);
    for (const more of [[1, 2, 3], [], [4], [5, 6, 7, 8, 9, 10]]) log.append(Float32Array.from(more));
    assert.equal(log.length, 10);
    assert.deepEqual([...log.samples], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('does not change samples that were read before', () => {
    const log = new SampleLog();
    log.append(Float32Array.of(1, 2, 3));
    log.append(Float32Array.of(4));
    const before = log.samples;
    log.append(Float32Array.of(5));
    assert.deepEqual([...before], [1, 2, 3, 4]);
  });

  it('does not copy a long recording at each read', () => {
    const log = new SampleLog();
    const rooms = new Set<ArrayBufferLike>();
    for (let look = 0; look < 1000; look++) {
      log.append(new Float32Array(8));
      rooms.add(log.samples.buffer);
    }
    // The log is copied only when its length has doubled: 10 doublings are enough for 1024 reads.
    assert.ok(rooms.size <= 11, `${rooms.size} copies`);
  });
});
