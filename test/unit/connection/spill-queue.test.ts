import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarkKind } from '../../../src/ring/index.js';
import type { RingFeed } from '../../../src/connection/ring-feed.js';
import { SpillQueue } from '../../../src/connection/spill-queue.js';

/** A feed that writes down what it takes: samples as they are, marks as `+serial` and `-serial`. */
class SlowFeed implements RingFeed {
  readonly taken: (number | string)[] = [];
  /** The arrays that the samples were in. */
  readonly arrays = new Set<Int16Array>();
  room = 0;
  marks = 0;
  closed = false;
  #retry: (() => void) | null = null;

  write(samples: Int16Array, from: number, count: number): number {
    const taken = Math.min(count, this.room);
    this.room -= taken;
    this.taken.push(...samples.subarray(from, from + taken));
    if (taken > 0) this.arrays.add(samples);
    return taken;
  }

  mark(kind: MarkKind.Any, serial: number): boolean {
    if (this.marks === 0) return false;
    this.marks--;
    this.taken.push(`${kind === 1 ? '+' : '-'}${serial}`);
    return true;
  }

  reconnect(): void {
    throw new Error('Not this one');
  }

  whenRoom(retry: () => void): void {
    this.#retry = retry;
  }

  close(): void {
    this.closed = true;
  }

  give(room: number, marks = 0): void {
    this.room += room;
    this.marks += marks;
    const retry = this.#retry;
    this.#retry = null;
    retry?.();
  }
}

function queueWith(room: number, marks: number): { queue: SpillQueue; feed: SlowFeed; drains: () => number } {
  let drains = 0;
  const queue = new SpillQueue(() => drains++);
  const feed = new SlowFeed();
  feed.room = room;
  feed.marks = marks;
  queue.attach(feed);
  return { queue, feed, drains: () => drains };
}

describe('SpillQueue', () => {
  it('sets a start before the first sample and an end after the last', () => {
    const { queue, feed } = queueWith(10, 10);
    queue.push(1, Int16Array.of(1, 2));
    queue.push(1, Int16Array.of(3));
    queue.end(1);
    queue.push(2, Int16Array.of(4));
    queue.end(2);
    assert.deepEqual(feed.taken, ['+1', 1, 2, 3, '-1', '+2', 4, '-2']);
  });

  it('sets no mark for an utterance without samples', () => {
    const { queue, feed } = queueWith(10, 10);
    queue.push(1, new Int16Array(0));
    queue.end(1);
    assert.deepEqual(feed.taken, []);
  });

  it('keeps what does not fit, in order, and continues when there is room', () => {
    const { queue, feed, drains } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2, 3));
    queue.push(1, Int16Array.of(4));
    queue.end(1);
    assert.equal(queue.samples, 3);
    feed.give(2);
    assert.deepEqual(feed.taken, ['+1', 1, 2, 3]);
    assert.equal(queue.samples, 1);
    feed.give(5);
    assert.deepEqual(feed.taken, ['+1', 1, 2, 3, 4, '-1']);
    assert.equal(queue.samples, 0);
    assert.equal(drains(), 2);
  });

  it('holds samples back behind a mark that does not fit', () => {
    const { queue, feed } = queueWith(10, 0);
    queue.push(1, Int16Array.of(1));
    assert.deepEqual(feed.taken, []);
    feed.give(0, 1);
    assert.deepEqual(feed.taken, ['+1', 1]);
  });

  it('keeps everything until a feed is attached', () => {
    const queue = new SpillQueue(() => {});
    queue.push(1, Int16Array.of(1));
    queue.end(1);
    const feed = new SlowFeed();
    feed.give(5, 5);
    queue.attach(feed);
    assert.deepEqual(feed.taken, ['+1', 1, '-1']);
  });

  it('keeps many small frames in little memory and in order', () => {
    const { queue, feed } = queueWith(0, 2);
    const count = 10_000; // some blocks of 2048
    for (let value = 0; value < count; value++) queue.push(1, Int16Array.of(value));
    feed.give(count);
    assert.deepEqual(
      feed.taken.slice(1),
      Array.from({ length: count }, (_, value) => value),
    );
    assert.equal(feed.arrays.size, 1 + Math.ceil((count - 1) / 2048), 'the first one, then blocks');
  });

  it('does not copy frames of 20 ms or more', () => {
    const { queue, feed } = queueWith(0, 2);
    const frames = [1, 2, 3].map((value) => new Int16Array(480).fill(value));
    for (const frame of frames) queue.push(1, frame);
    feed.give(3 * 480);
    assert.deepEqual([...feed.arrays], frames);
    assert.ok([...feed.arrays].every((array, index) => array === frames[index]));
  });

  it('drops what waits of a cancelled utterance and ends it if it has begun', () => {
    const { queue, feed } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2, 3));
    queue.cancel(1);
    assert.equal(queue.samples, 0);
    assert.deepEqual(feed.taken, ['+1', 1, '-1']);
  });

  it('keeps the end of a cancelled utterance that was complete', () => {
    const { queue, feed } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2));
    queue.end(1);
    queue.push(2, Int16Array.of(9));
    queue.cancel(1);
    feed.give(5);
    assert.deepEqual(feed.taken, ['+1', 1, '-1', '+2', 9]);
  });

  it('sets no mark for a cancelled utterance that has not begun', () => {
    const { queue, feed } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2));
    queue.end(1);
    queue.push(2, Int16Array.of(7, 8));
    queue.cancel(2);
    queue.end(2);
    queue.push(3, Int16Array.of(9));
    feed.give(5);
    assert.deepEqual(feed.taken, ['+1', 1, 2, '-1', '+3', 9]);
  });

  it('starts the utterance again in a feed that replaces another', () => {
    const { queue, feed } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2));
    const other = new SlowFeed();
    other.give(5, 5);
    queue.attach(other);
    queue.end(1);
    assert.equal(feed.closed, true);
    assert.deepEqual(other.taken, ['+1', 2, '-1']);
  });

  it('keeps everything again while there is no feed between two', () => {
    const { queue, feed } = queueWith(5, 10);
    queue.push(1, Int16Array.of(1));
    queue.end(1);
    queue.attach(null);
    queue.push(2, Int16Array.of(2));
    const other = new SlowFeed();
    other.give(5, 5);
    queue.attach(other);
    assert.deepEqual(feed.taken, ['+1', 1, '-1']);
    assert.deepEqual(other.taken, ['+2', 2]);
  });

  it('drops everything and closes the feed when it is closed', () => {
    const { queue, feed } = queueWith(0, 10);
    queue.push(1, Int16Array.of(1));
    queue.close();
    assert.equal(queue.samples, 0);
    assert.equal(feed.closed, true);
  });
});
