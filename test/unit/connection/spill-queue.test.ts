import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarkKind } from '../../../src/ring/index.js';
import type { AudioSink } from '../../../src/connection/audio-sink.js';
import { SpillQueue } from '../../../src/connection/spill-queue.js';

/** A sink that writes down what it takes: samples as they are, marks as `+serial` and `-serial`. */
class SlowSink implements AudioSink {
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

function queueWith(room: number, marks: number): { queue: SpillQueue; sink: SlowSink; drains: () => number } {
  let drains = 0;
  const queue = new SpillQueue(() => drains++);
  const sink = new SlowSink();
  sink.room = room;
  sink.marks = marks;
  queue.attach(sink);
  return { queue, sink, drains: () => drains };
}

describe('SpillQueue', () => {
  it('sets a start before the first sample and an end after the last', () => {
    const { queue, sink } = queueWith(10, 10);
    queue.push(1, Int16Array.of(1, 2));
    queue.push(1, Int16Array.of(3));
    queue.end(1);
    queue.push(2, Int16Array.of(4));
    queue.end(2);
    assert.deepEqual(sink.taken, ['+1', 1, 2, 3, '-1', '+2', 4, '-2']);
  });

  it('sets no mark for an utterance without samples', () => {
    const { queue, sink } = queueWith(10, 10);
    queue.push(1, new Int16Array(0));
    queue.end(1);
    assert.deepEqual(sink.taken, []);
  });

  it('keeps what does not fit, in order, and continues when there is room', () => {
    const { queue, sink, drains } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2, 3));
    queue.push(1, Int16Array.of(4));
    queue.end(1);
    assert.equal(queue.samples, 3);
    sink.give(2);
    assert.deepEqual(sink.taken, ['+1', 1, 2, 3]);
    assert.equal(queue.samples, 1);
    sink.give(5);
    assert.deepEqual(sink.taken, ['+1', 1, 2, 3, 4, '-1']);
    assert.equal(queue.samples, 0);
    assert.equal(drains(), 2);
  });

  it('holds samples back behind a mark that does not fit', () => {
    const { queue, sink } = queueWith(10, 0);
    queue.push(1, Int16Array.of(1));
    assert.deepEqual(sink.taken, []);
    sink.give(0, 1);
    assert.deepEqual(sink.taken, ['+1', 1]);
  });

  it('keeps everything until a sink is attached', () => {
    const queue = new SpillQueue(() => {});
    queue.push(1, Int16Array.of(1));
    queue.end(1);
    const sink = new SlowSink();
    sink.give(5, 5);
    queue.attach(sink);
    assert.deepEqual(sink.taken, ['+1', 1, '-1']);
  });

  it('keeps many small frames in little memory and in order', () => {
    const { queue, sink } = queueWith(0, 2);
    const count = 10_000; // some blocks of 2048
    for (let value = 0; value < count; value++) queue.push(1, Int16Array.of(value));
    sink.give(count);
    assert.deepEqual(
      sink.taken.slice(1),
      Array.from({ length: count }, (_, value) => value),
    );
    assert.equal(sink.arrays.size, 1 + Math.ceil((count - 1) / 2048), 'the first one, then blocks');
  });

  it('does not copy frames of 20 ms or more', () => {
    const { queue, sink } = queueWith(0, 2);
    const frames = [1, 2, 3].map((value) => new Int16Array(480).fill(value));
    for (const frame of frames) queue.push(1, frame);
    sink.give(3 * 480);
    assert.deepEqual([...sink.arrays], frames);
    assert.ok([...sink.arrays].every((array, index) => array === frames[index]));
  });

  it('drops what waits of a cancelled utterance and ends it if it has begun', () => {
    const { queue, sink } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2, 3));
    queue.cancel(1);
    assert.equal(queue.samples, 0);
    assert.deepEqual(sink.taken, ['+1', 1, '-1']);
  });

  it('keeps the end of a cancelled utterance that was complete', () => {
    const { queue, sink } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2));
    queue.end(1);
    queue.push(2, Int16Array.of(9));
    queue.cancel(1);
    sink.give(5);
    assert.deepEqual(sink.taken, ['+1', 1, '-1', '+2', 9]);
  });

  it('sets no mark for a cancelled utterance that has not begun', () => {
    const { queue, sink } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2));
    queue.end(1);
    queue.push(2, Int16Array.of(7, 8));
    queue.cancel(2);
    queue.end(2);
    queue.push(3, Int16Array.of(9));
    sink.give(5);
    assert.deepEqual(sink.taken, ['+1', 1, 2, '-1', '+3', 9]);
  });

  it('starts the utterance again in a sink that replaces another', () => {
    const { queue, sink } = queueWith(1, 10);
    queue.push(1, Int16Array.of(1, 2));
    const other = new SlowSink();
    other.give(5, 5);
    queue.attach(other);
    queue.end(1);
    assert.equal(sink.closed, true);
    assert.deepEqual(other.taken, ['+1', 2, '-1']);
  });

  it('keeps everything again while there is no sink between two', () => {
    const { queue, sink } = queueWith(5, 10);
    queue.push(1, Int16Array.of(1));
    queue.end(1);
    queue.attach(null);
    queue.push(2, Int16Array.of(2));
    const other = new SlowSink();
    other.give(5, 5);
    queue.attach(other);
    assert.deepEqual(sink.taken, ['+1', 1, '-1']);
    assert.deepEqual(other.taken, ['+2', 2]);
  });

  it('drops everything and closes the sink when it is closed', () => {
    const { queue, sink } = queueWith(0, 10);
    queue.push(1, Int16Array.of(1));
    queue.close();
    assert.equal(queue.samples, 0);
    assert.equal(sink.closed, true);
  });
});
