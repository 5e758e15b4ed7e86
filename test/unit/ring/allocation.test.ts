import assert from 'node:assert/strict';
import { it } from 'node:test';
import { initRing, MarkKind, ringBytes, RingReader, RingWriter } from '../../../src/ring/index.js';

/** Laps around the ring between two heap measurements, and the bytes that `process.memoryUsage` itself may allocate. */
const LAPS = 50;
const OWN_BYTES = 4096;

// This test has its own file, and so its own process, in which nothing else allocates.
it('allocates nothing on either side once it is compiled, also where it wraps and for parts of arrays', () => {
  const capacity = 2 ** 15;
  const memory = initRing(new SharedArrayBuffer(ringBytes(capacity)), capacity, 24000);
  const writer = new RingWriter(memory);
  const reader = new RingReader(memory);
  const block = new Int16Array(967).fill(1); // a prime, so that it wraps at a different position each time
  let sum = 0;
  const exchange = (from: number, count: number): void => {
    writer.mark(MarkKind.start, 1);
    writer.write(block, from, count);
    reader.refresh();
    while (reader.marks > 0) reader.takeMark();
    while (reader.available > 0) {
      const piece = Math.min(128, reader.available, reader.contiguous);
      sum += reader.samples[reader.index]!;
      reader.advance(piece);
    }
    reader.release(reader.position, reader.markIndex);
  };
  const allocated = (): number => {
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < (LAPS * capacity) / 967; i++) {
      exchange(0, 967);
      exchange(3, 900);
    }
    return process.memoryUsage().heapUsed - before;
  };
  // The interpreter boxes numbers. A garbage collection makes the difference negative, which restarts the count.
  let clean = 0;
  const seen: number[] = [];
  while (clean < 3 && seen.length < 300) {
    const bytes = allocated();
    seen.push(bytes);
    clean = bytes >= 0 && bytes < OWN_BYTES ? clean + 1 : 0;
  }
  assert.equal(clean, 3, `bytes per ${LAPS} laps: ${seen.join(' ')}`);
  assert.ok(sum > 0);
});
