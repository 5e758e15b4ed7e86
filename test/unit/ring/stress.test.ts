import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { initRing, ringBytes } from '../../../src/ring/index.js';
import { SAMPLES_PER_MARK, STRESS_SAMPLES } from './stress-signal.js';

const CAPACITY = 2 ** 14;

/** Starts a worker from TypeScript, which Node 20 does not load in a worker by itself. */
async function startThread(file: string, workerData: unknown): Promise<Worker> {
  const entry = fileURLToPath(new URL(file, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, platform: 'node' });
  return new Worker(outputFiles[0]!.text, { eval: true, workerData });
}

describe('the ring between two threads', () => {
  it('carries 10 million samples and their marks unchanged and in order', { timeout: 120_000 }, async () => {
    const buffer = new SharedArrayBuffer(ringBytes(CAPACITY));
    initRing(buffer, CAPACITY, 24000);
    // It is never notified: an idle thread waits on it for 1 ms.
    const bell = new SharedArrayBuffer(4);
    const producer = await startThread('./stress-producer.ts', { buffer, bell });
    const consumer = await startThread('./stress-consumer.ts', { buffer, bell });
    const producerFailed = once(producer, 'error').then(([error]) => {
      throw error;
    });
    const result = Promise.race([once(consumer, 'message'), producerFailed]);
    try {
      const [{ wrong, samples, marks }] = (await result) as [{ wrong: string | null; samples: number; marks: number }];
      assert.equal(wrong, null);
      assert.equal(samples, STRESS_SAMPLES);
      // Marks stand 5000 samples apart on average.
      assert.ok(Math.abs(marks - STRESS_SAMPLES / SAMPLES_PER_MARK) < 200, `${marks} marks`);
    } finally {
      await Promise.all([producer.terminate(), consumer.terminate()]);
      producerFailed.catch(() => {});
    }
  });
});
