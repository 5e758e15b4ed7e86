import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
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
  it('stores what is asked for where the audio thread looks', () => {
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

  it('posts it on the message transport', () => {
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

describe('RingControl, looking', () => {
  it('names what the audio thread has counted', () => {
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

  it('counts as buffered what has not left, although the reader keeps some of what has', () => {
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

  it('never counts as buffered what the reader has given back', () => {
    const { memory, control } = shared();
    new RingWriter(memory).write(new Int16Array(900), 0, 900);
    const reader = new RingReader(memory);
    reader.refresh();
    reader.advance(900);
    reader.release(reader.position, reader.markIndex);
    assert.equal(control.stats().bufferedSamples, 0);
  });

  it('counts on where positions wrap', () => {
    const { memory, control } = shared();
    const written = 2 ** 32 + 50;
    memory.header[Slot.write] = written | 0;
    memory.header[Slot.read] = (written - 40) | 0;
    memory.stats[Stat.emittedSamples] = written - 30;
    assert.equal(control.stats().bufferedSamples, 30);
  });

  it('sees on the message transport what the audio thread has sent last', () => {
    const control = new RingControl(null, RATE, () => {});
    const { memory } = shared();
    memory.header[Slot.write] = 7;
    memory.stats[Stat.pace] = 0.8;
    control.mirror(memory.header.slice(0, PREFIX_SLOTS));
    assert.deepEqual([control.stats().bufferedSamples, control.stats().pace], [7, 0.8]);
  });
});
