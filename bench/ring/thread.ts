/** Worker of `two-threads.ts`: one end of a ring, running at full speed. */
import { parentPort, workerData } from 'node:worker_threads';
import { RingBuffer } from 'ringbuf.js';
import { openRing, RingReader, RingWriter } from '../../src/ring/index.js';

/** Task of a thread. */
export interface Task {
  kind: 'ours timed' | 'theirs timed' | 'ours checked';
  role: 'producer' | 'consumer';
  buffer: SharedArrayBuffer;
  /** Total number of samples. */
  samples: number;
  /** Counts the ready threads. */
  gate: SharedArrayBuffer;
}

const PUSH = 960;
const POP = 128;
/** Largest block of the check; larger than either side uses in the product. */
const CHECK_BLOCK = 3000;

const { kind, role, buffer, samples, gate } = workerData as Task;
const start = waitForBoth();
const work = {
  'ours timed': { producer: writeOurs, consumer: readOurs },
  'theirs timed': { producer: writeTheirs, consumer: readTheirs },
  'ours checked': { producer: writeChecked, consumer: readChecked },
}[kind][role];
const result = work();
if (role === 'consumer') parentPort!.postMessage(kind === 'ours checked' ? result : (performance.now() - start) / 1000);

/** Waits for the other thread, so that start-up time is not counted. */
function waitForBoth(): number {
  const ready = new Int32Array(gate);
  Atomics.add(ready, 0, 1);
  while (Atomics.load(ready, 0) < 2);
  return performance.now();
}

function writeOurs(): void {
  const writer = new RingWriter(openRing(buffer));
  const block = new Int16Array(PUSH).fill(1);
  for (let sent = 0; sent < samples;) {
    sent += writer.write(block, 0, PUSH);
  }
}

function readOurs(): void {
  const reader = new RingReader(openRing(buffer));
  let sum = 0;
  while (sum < samples) {
    reader.refresh();
    const count = Math.min(POP, reader.available);
    if (count === 0) continue;
    sum += added(reader.samples, reader.index, count);
    reader.advance(count);
    reader.release(reader.position, reader.markIndex);
  }
}

function writeTheirs(): void {
  const ring = new RingBuffer(buffer, Int16Array);
  const block = new Int16Array(PUSH).fill(1);
  for (let sent = 0; sent < samples;) {
    sent += ring.push(block);
  }
}

function readTheirs(): void {
  const ring = new RingBuffer(buffer, Int16Array);
  const block = new Int16Array(POP);
  let sum = 0;
  while (sum < samples) {
    sum += added(block, 0, ring.pop(block));
  }
}

/** Sums samples. All are 1, so the sum is the number of arrived samples. */
function added(source: Int16Array, from: number, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += source[from + i]!;
  return sum;
}

function writeChecked(): void {
  const writer = new RingWriter(openRing(buffer));
  const roll = dice(1);
  // Views are created here, not in the ring: one path writes whole arrays of every size, the other writes parts of
  // arrays.
  const block = new Int16Array(CHECK_BLOCK);
  for (let sent = 0; sent < samples;) {
    const count = Math.min(roll(CHECK_BLOCK), samples - sent);
    for (let i = 0; i < count; i++) block[i] = sample(sent + i);
    const whole = roll(8) > 1 ? block.subarray(0, count) : block;
    for (let from = 0; from < count;) from += writer.write(from === 0 ? whole : block, from, count - from);
    sent += count;
  }
}

function readChecked(): string | null {
  const reader = new RingReader(openRing(buffer));
  const roll = dice(2);
  for (let at = 0; at < samples;) {
    reader.refresh();
    const count = Math.min(roll(CHECK_BLOCK), reader.available, reader.contiguous);
    if (count === 0) continue;
    const { samples: source, index } = reader;
    for (let i = 0; i < count; i++) {
      if (source[index + i] !== sample(at + i)) {
        return `sample ${at + i} is ${source[index + i]}, not ${sample(at + i)}`;
      }
    }
    at += count;
    reader.advance(count);
    reader.release(reader.position, reader.markIndex);
  }
  return null;
}

/** Returns sample number `index`; neighbours are unrelated. */
function sample(index: number): number {
  return Math.imul(index, 0x9e3779b1) >> 16;
}

/** Returns a generator of repeatable integers from 1 to `below`. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 1 + Math.floor((state / 2 ** 32) * below);
  };
}
