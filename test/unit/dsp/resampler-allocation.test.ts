import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createResampler, designResampler } from '../../../src/dsp/index.js';

/** Render quanta between two heap measurements, and the bytes that `process.memoryUsage` itself may allocate. */
const QUANTA = 2000;
const OWN_BYTES = 4096;

// This test has its own file, and so its own process, in which nothing else allocates.
it('allocates nothing per render quantum, once it is compiled', () => {
  const resampler = createResampler(designResampler(24000, 44100), 300);
  const source = new Int16Array(256).fill(1000);
  const target = new Float32Array(128);
  const allocated = (): number => {
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < QUANTA; i++) {
      if (i % 500 === 0) resampler.reset();
      resampler.push(source, 0, resampler.inputFor(128));
      resampler.pull(target, 0, 128);
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
  assert.equal(clean, 3, `bytes per ${QUANTA} quanta: ${seen.join(' ')}`);
});
