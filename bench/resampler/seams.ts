/**
 * Looks for seams: `seams.ts <from> <to>` resamples noise as a whole and in blocks of random size, and prints the
 * number of output samples that are not bit-identical.
 */
import { createResampler, designResampler } from '../../src/dsp/index.js';
import { resample } from '../../test/unit/dsp/measure.js';

/** Largest block that is pushed and pulled. */
const CHUNK = 4096;
const QUANTUM = 2048;
const INPUTS = 100_000;
const STREAMS = 10;

const [from, to] = process.argv.slice(2).map(Number);
const table = designResampler(from!, to!);
let state = 1;
const roll = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const noise = Int16Array.from({ length: INPUTS }, () => roll(2 ** 16) - 2 ** 15);
const whole = new Int32Array(resample(table, noise).buffer);
let different = 0;
for (let stream = 0; stream < STREAMS; stream++) {
  const pieces = new Int32Array(inPieces().buffer);
  for (let i = 0; i < whole.length; i++) different += Number(pieces[i] !== whole[i]);
}
console.log(different);

function inPieces(): Float32Array {
  const resampler = createResampler(table, table.taps + CHUNK);
  const output = new Float32Array(whole.length);
  let pushed = 0;
  let pulled = 0;
  let silence = resampler.latency;
  while (pulled < output.length) {
    const count = Math.min(1 + roll(CHUNK), resampler.room, INPUTS - pushed);
    resampler.push(noise, pushed, count);
    pushed += count;
    if (pushed === INPUTS) {
      const zeros = Math.min(silence, resampler.room);
      resampler.pushSilence(zeros);
      silence -= zeros;
    }
    pulled += resampler.pull(output, pulled, Math.min(1 + roll(QUANTUM), output.length - pulled));
  }
  return output;
}
