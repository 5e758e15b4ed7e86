import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cancelSlot,
  initRing,
  PlayoutState,
  PREFIX_SLOTS,
  RATE_UNIT,
  ringBytes,
  RingControl,
  type RingMemory,
  RingReader,
  RingWriter,
  Slot,
  Stat,
} from '../../../src/ring/index.js';

const RATE = 24000;
const CAPACITY = 1024;

function shared(): { memory: RingMemory; control: RingControl } {
  const buffer = new SharedArrayBuffer(ringBytes(CAPACITY));
  const memory = initRing(buffer, CAPACITY, RATE);
  return { memory, control: new RingControl(buffer, RATE, () => assert.fail('posted a message')) };
}

describe('RingControl, steering', () => {
  it('stores requests in the header', () => {
    const { memory, control } = shared();
    control.setTargetDelay(80);
    control.setAdaptive(true);
    control.setPlaybackRate(1.25);
    const { header } = memory;
    assert.deepEqual(
      [header[Slot.targetDelayMs], header[Slot.adaptive], header[Slot.playbackRate]],
      [80, 1, 1.25 * RATE_UNIT],
    );
    control.setAdaptive(false);
    assert.equal(header[Slot.adaptive], 0);
  });

  it('posts requests on the message transport', () => {
    const posted: unknown[] = [];
    const control = new RingControl(null, RATE, (message) => posted.push(message));
    control.setAdaptive(true);
    control.setPlaybackRate(0.5);
    assert.deepEqual(posted, [
      { slot: Slot.adaptive, value: 1 },
      { slot: Slot.playbackRate, value: RATE_UNIT / 2 },
    ]);
  });
});

describe('RingControl, handing a ring over', () => {
  it('numbers the processors, and releases the ring from one before another claims it', () => {
    const { memory, control } = shared();
    const first = control.claim(CAPACITY);
    assert.equal(first.ring, memory.header.buffer);
    assert.equal(memory.header[Slot.owner], first.owner);
    control.release();
    assert.notEqual(memory.header[Slot.owner], first.owner);
    const second = control.claim(CAPACITY);
    assert.notEqual(second.owner, first.owner);
    assert.equal(memory.header[Slot.owner], second.owner);
  });

  it('gives the next processor of the message transport a header that continues from the latest copy', () => {
    const control = new RingControl(null, RATE, () => {});
    control.claim(CAPACITY);
    control.setTargetDelay(80);
    control.setPaused(true);
    control.cancel([7]);
    const seen = new Int32Array(PREFIX_SLOTS);
    seen[Slot.sampleRate] = RATE;
    seen[Slot.read] = 1000;
    seen[Slot.write] = 5000;
    seen[Slot.heard] = 1800;
    seen[Slot.heardSerial] = 3;
    seen[Slot.markRead] = 4;
    seen[Slot.markWrite] = 9;
    control.mirror(seen);
    control.release();
    const { ring, heard, markRead } = control.claim(CAPACITY);
    assert.deepEqual([heard, markRead], [1800, 4]);
    assert.ok(ring instanceof Int32Array);
    const slots = [Slot.read, Slot.write, Slot.heard, Slot.heardSerial, Slot.markRead, Slot.markWrite];
    assert.deepEqual(
      slots.map((slot) => ring[slot]),
      [1800, 1800, 1800, 3, 4, 4],
    );
    // Values that the main thread sets come from its own latest calls, not from the copy.
    assert.deepEqual([ring[Slot.targetDelayMs], ring[Slot.request]! % 2, ring[cancelSlot(7)]], [80, 1, 7]);
    assert.deepEqual([ring[Slot.capacity], ring[Slot.sampleRate]], [CAPACITY, RATE]);
  });
});

describe('RingControl, reading', () => {
  it('returns the statistics by name', () => {
    const { memory, control } = shared();
    memory.header[Slot.state] = PlayoutState.playing;
    for (const [slot, value] of [
      [Stat.emittedAt, 1],
      [Stat.pace, 1.5],
      [Stat.jitterBufferDelay, 2],
      [Stat.jitterBufferTargetDelay, 3],
      [Stat.concealedSamples, 4],
      [Stat.silentConcealedSamples, 5],
      [Stat.insertedSamples, 6],
      [Stat.removedSamples, 7],
      [Stat.underruns, 8],
    ] as const) {
      memory.stats[slot] = value;
    }
    assert.deepEqual(control.stats(), {
      state: PlayoutState.playing,
      bufferedSamples: 0,
      emittedSamples: 0,
      playedSamples: 0,
      emittedAt: 1,
      pace: 1.5,
      jitterBufferDelay: 2,
      jitterBufferTargetDelay: 3,
      concealedSamples: 4,
      silentConcealedSamples: 5,
      insertedSamples: 6,
      removedSamples: 7,
      underruns: 8,
    });
  });

  it('counts samples that were not emitted as buffered, although the reader keeps more', () => {
    const { memory, control } = shared();
    new RingWriter(memory).write(new Int16Array(900), 0, 900);
    assert.equal(control.stats().bufferedSamples, 900);
    const reader = new RingReader(memory);
    reader.refresh();
    reader.advance(200);
    reader.release(reader.position, reader.markIndex);
    memory.stats[Stat.emittedSamples] = 299.5;
    memory.stats[Stat.discardedSamples] = 100;
    assert.equal(control.stats().bufferedSamples, 501);
  });

  it('never counts released samples as buffered', () => {
    const { memory, control } = shared();
    new RingWriter(memory).write(new Int16Array(900), 0, 900);
    const reader = new RingReader(memory);
    reader.refresh();
    reader.advance(900);
    reader.release(reader.position, reader.markIndex);
    assert.equal(control.stats().bufferedSamples, 0);
  });

  it('counts correctly where positions wrap', () => {
    const { memory, control } = shared();
    const written = 2 ** 32 + 50;
    memory.header[Slot.write] = written | 0;
    memory.header[Slot.read] = (written - 40) | 0;
    memory.stats[Stat.emittedSamples] = written - 30;
    assert.equal(control.stats().bufferedSamples, 30);
  });

  it('returns the latest copy on the message transport', () => {
    const control = new RingControl(null, RATE, () => {});
    const { memory } = shared();
    memory.header[Slot.write] = 7;
    memory.stats[Stat.pace] = 0.8;
    control.mirror(memory.header.slice(0, PREFIX_SLOTS));
    assert.deepEqual([control.stats().bufferedSamples, control.stats().pace], [7, 0.8]);
  });
});
