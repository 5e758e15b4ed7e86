import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  initRing,
  MARK_CAPACITY,
  MarkKind,
  openRing,
  ringBytes,
  ringCapacity,
  RingControl,
  type RingMemory,
  RingReader,
  RingWriter,
  Slot,
} from '../../../src/ring/index.js';

function ring(capacity: number, position = 0): RingMemory {
  const memory = initRing(new SharedArrayBuffer(ringBytes(capacity)), capacity, 24000);
  for (const slot of [Slot.read, Slot.write, Slot.markRead, Slot.markWrite]) memory.header[slot] = position;
  return memory;
}

/** Reads up to `count` samples, releases and returns them. */
function take(reader: RingReader, count: number): number[] {
  reader.refresh();
  const taken: number[] = [];
  while (taken.length < count && reader.available > 0) {
    const piece = Math.min(count - taken.length, reader.available, reader.contiguous);
    taken.push(...reader.samples.subarray(reader.index, reader.index + piece));
    reader.advance(piece);
  }
  reader.release(reader.position, reader.markIndex);
  return taken;
}

describe('ringCapacity', () => {
  it('is the power of two that holds 30 s', () => {
    assert.equal(ringCapacity(24000), 2 ** 20);
    assert.equal(ringCapacity(96000), 2 ** 22);
    assert.equal(ringCapacity(8000), 2 ** 18);
  });
});

describe('initRing', () => {
  it('throws on a capacity that is not a power of two, and on a buffer of another size', () => {
    assert.throws(() => initRing(new ArrayBuffer(ringBytes(64)), 63, 24000), /cannot have 63 samples/);
    assert.throws(() => initRing(new ArrayBuffer(100), 64, 24000), /has 100 bytes/);
  });

  it('prepares a buffer that any thread can open', () => {
    const memory = ring(64);
    const again = openRing(memory.header.buffer);
    assert.equal(again.capacity, 64);
    assert.equal(again.sampleRate, 24000);
    assert.equal(again.samples.length, again.capacity + again.mirror);
  });
});

describe('RingWriter and RingReader', () => {
  it('hand over every sample in order, whatever the block sizes and wherever the positions wrap', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, -1, -100, 2 ** 31 - 1, 2 ** 31 - 50, -(2 ** 31)),
        fc.array(fc.tuple(fc.nat(150), fc.nat(150)), { maxLength: 100 }),
        (position, steps) => {
          const memory = ring(128, position);
          const writer = new RingWriter(memory);
          const reader = new RingReader(memory);
          let sent = 0;
          let received = 0;
          for (const [write, read] of steps) {
            const block = Int16Array.from({ length: write }, (_, i) => sent + i);
            const free = writer.free;
            const written = writer.write(block, 0, write);
            assert.equal(written, Math.min(write, free));
            sent += written;
            for (const sample of take(reader, read)) assert.equal(sample, received++);
          }
          assert.deepEqual(
            take(reader, 1000),
            Array.from({ length: sent - received }, (_, i) => received + i),
          );
          assert.equal(writer.free, 128);
        },
      ),
    );
  });

  it("repeat the beginning beyond the end, so that any piece up to the mirror's length is contiguous", () => {
    // Blocks that end before, within and beyond the mirror, and parts of blocks, which are copied in another way.
    const anyBlock = fc.tuple(fc.integer({ min: 1, max: 20000 }), fc.constantFrom(0, 1, 100));
    fc.assert(
      fc.property(fc.array(anyBlock, { minLength: 1, maxLength: 12 }), (blocks) => {
        const memory = ring(2 ** 15);
        const writer = new RingWriter(memory);
        const reader = new RingReader(memory);
        const { samples, capacity, mirror } = memory;
        let sent = 0;
        for (const [count, from] of blocks) {
          const block = Int16Array.from({ length: from + count }, (_, i) => sent + i - from);
          assert.equal(writer.write(block, from, count), count);
          reader.refresh();
          for (let i = 0; i < count; i += mirror) {
            const piece = Math.min(mirror, count - i);
            assert.ok(reader.contiguous >= piece);
            const read = samples.subarray(reader.index, reader.index + piece);
            assert.deepEqual(read, block.subarray(from + i, from + i + piece));
            reader.advance(piece);
          }
          reader.release(reader.position, reader.markIndex);
          sent += count;
        }
        assert.deepEqual(samples.subarray(capacity), samples.subarray(0, mirror));
      }),
    );
  });

  it('writes a part of an array', () => {
    const memory = ring(16);
    new RingWriter(memory).write(Int16Array.of(1, 2, 3, 4, 5), 1, 3);
    assert.deepEqual(take(new RingReader(memory), 9), [2, 3, 4]);
  });

  it('carries marks at the positions where they were set', () => {
    const memory = ring(64, -3);
    const writer = new RingWriter(memory);
    const reader = new RingReader(memory);
    writer.mark(MarkKind.start, 7);
    writer.write(Int16Array.of(1, 2, 3, 4, 5), 0, 5);
    writer.mark(MarkKind.end, 7);
    reader.refresh();
    assert.deepEqual(
      [0, 1].map((ahead) => [reader.markDistance(ahead), reader.markKind(ahead), reader.markSerial(ahead)]),
      [
        [0, MarkKind.start, 7],
        [5, MarkKind.end, 7],
      ],
    );
    reader.takeMark();
    reader.advance(5);
    assert.equal(reader.marks, 1);
    assert.equal(reader.markDistance(0), 0);
  });

  it('refuses a mark when the queue is full, and accepts it when marks were released', () => {
    const memory = ring(64);
    const writer = new RingWriter(memory);
    const reader = new RingReader(memory);
    for (let serial = 1; serial <= MARK_CAPACITY; serial++) assert.ok(writer.mark(MarkKind.start, serial));
    assert.equal(writer.mark(MarkKind.start, 9999), false);
    reader.refresh();
    reader.takeMark();
    reader.release(reader.position, reader.markIndex);
    assert.ok(writer.mark(MarkKind.start, 9999));
  });

  it('keeps samples that were read but not released, so that the reader can go back to a mark', () => {
    const memory = ring(8);
    const writer = new RingWriter(memory);
    const reader = new RingReader(memory);
    writer.write(Int16Array.of(1, 2), 0, 2);
    writer.mark(MarkKind.start, 1);
    writer.write(Int16Array.of(3, 4, 5, 6, 7, 8), 0, 6);
    reader.refresh();
    reader.takeMark();
    reader.advance(8);
    assert.equal(writer.free, 0);
    reader.rewind(0);
    assert.deepEqual(take(reader, 9), [3, 4, 5, 6, 7, 8]);
  });
});

describe('RingControl', () => {
  it('numbers requests: odd holds, even plays, and no two in a row are the same', () => {
    const memory = ring(64);
    const control = new RingControl(memory.header.buffer as SharedArrayBuffer, 24000, () =>
      assert.fail('posted a message'),
    );
    const requests = [true, true, false, false, true].map((paused) => {
      control.setPaused(paused);
      return memory.header[Slot.request]!;
    });
    assert.deepEqual(requests, [1, 3, 4, 6, 7]);
  });

  it('cancels by serial, and distinguishes serials that share an entry', () => {
    const memory = ring(64);
    const reader = new RingReader(memory);
    const control = new RingControl(memory.header.buffer as SharedArrayBuffer, 24000, () =>
      assert.fail('posted a message'),
    );
    control.cancel([5, 6]);
    assert.deepEqual(
      [4, 5, 6, 7, 5 + MARK_CAPACITY].map((serial) => reader.isCancelled(serial)),
      [false, true, true, false, false],
    );
  });

  it('posts slots on the message transport, the last of several utterances first', () => {
    const posted: unknown[] = [];
    const control = new RingControl(null, 24000, (message) => posted.push(message));
    control.cancel([5, 6]);
    control.setTargetDelay(80);
    const values = posted.map((message) => (message as { value: number }).value);
    assert.deepEqual(values, [6, 5, 80]);
  });
});
