/** Worker of the stress test: reads blocks of random size, and checks every sample and the position of every mark. */
import { parentPort, workerData } from 'node:worker_threads';
import { openRing, RingReader } from '../../../src/ring/index.js';
import { dice, MARK_SEED, SAMPLES_PER_MARK, STRESS_SAMPLES, stressSample } from './stress-signal.js';

const { buffer, bell } = workerData as { buffer: SharedArrayBuffer; bell: SharedArrayBuffer };
const memory = openRing(buffer);
const reader = new RingReader(memory);
const waiting = new Int32Array(bell);
const roll = dice(2);
const rollMark = dice(MARK_SEED);
let serial = 0;
let nextMarkAt = 0;
let at = 0;
let wrong: string | null = null;

while (at < STRESS_SAMPLES && wrong === null) {
  reader.refresh();
  while (at === nextMarkAt && reader.marks > 0) {
    serial++;
    if (reader.markSerial(0) !== serial) wrong = `mark ${reader.markSerial(0)} instead of ${serial}`;
    if (reader.markDistance(0) !== 0) wrong = `mark ${serial} is ${reader.markDistance(0)} samples from its place`;
    reader.takeMark();
    nextMarkAt += rollMark(2 * SAMPLES_PER_MARK);
  }
  // A start mark is published before its first sample, so a reader that sees the sample also sees the mark.
  if (at === nextMarkAt && reader.available > 0) wrong = `sample ${at} came before its mark`;
  const count = Math.min(roll(700), reader.available, reader.contiguous, nextMarkAt - at);
  if (count <= 0) {
    Atomics.wait(waiting, 0, 0, 1); // empty: let the producer run
    continue;
  }
  const { samples, index } = reader;
  for (let offset = 0; offset < count; offset++) {
    if (samples[index + offset] !== stressSample(at + offset)) {
      wrong = `sample ${at + offset} is ${samples[index + offset]}, not ${stressSample(at + offset)}`;
      break;
    }
  }
  at += count;
  reader.advance(count);
  reader.release(reader.position, reader.markIndex);
}
parentPort!.postMessage({ wrong, samples: at, marks: serial });
