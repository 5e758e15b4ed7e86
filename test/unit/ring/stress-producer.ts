/** Worker of the stress test: writes the signal in blocks of random size, with marks in between, as fast as it can. */
import { workerData } from 'node:worker_threads';
import { MarkKind, openRing, RingWriter } from '../../../src/ring/index.js';
import { dice, MARK_SEED, SAMPLES_PER_MARK, STRESS_SAMPLES, stressSample } from './stress-signal.js';

const { buffer, bell } = workerData as { buffer: SharedArrayBuffer; bell: SharedArrayBuffer };
const memory = openRing(buffer);
const writer = new RingWriter(memory);
const waiting = new Int32Array(bell);
const roll = dice(1);
const rollMark = dice(MARK_SEED);

const block = new Int16Array(memory.capacity + 1);
let sent = 0;
let serial = 1;
let untilMark = 0;
while (sent < STRESS_SAMPLES) {
  if (untilMark === 0) {
    while (!writer.mark(MarkKind.start, serial)) Atomics.wait(waiting, 0, 0, 1);
    serial++;
    untilMark = rollMark(2 * SAMPLES_PER_MARK);
  }
  // Mostly small blocks, at times one that is larger than the ring.
  const size = roll(roll(8) === 8 ? block.length : 600);
  const count = Math.min(size, untilMark, STRESS_SAMPLES - sent);
  for (let index = 0; index < count; index++) block[index] = stressSample(sent + index);
  let written = 0;
  while (written < count) {
    const more = writer.write(block, written, count - written);
    written += more;
    if (more === 0) Atomics.wait(waiting, 0, 0, 1); // full: let the consumer run
  }
  sent += count;
  untilMark -= count;
}
