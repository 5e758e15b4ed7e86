import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { RingBuffer } from 'ringbuf.js';
import { initRing, ringBytes, Slot } from '../../src/ring/index.js';
import type { Task } from './thread.js';

/** Samples of the rings; enough that neither thread waits for the other at every block. */
const CAPACITY = 2 ** 16;
/** Number of timed samples. */
const TIMED = 6e7;

/** Returns samples per second from a thread that writes 960 at a time to one that reads 128 at a time and sums them. */
export async function samplesPerSecond(ring: 'ours' | 'ringbuf.js'): Promise<number> {
  const buffer = ring === 'ours' ? ourRing(0) : RingBuffer.getStorageForCapacity(CAPACITY - 1, Int16Array);
  const result = await both(`${ring === 'ours' ? 'ours' : 'theirs'} timed`, buffer, TIMED);
  return TIMED / (result as number);
}

/**
 * Sends samples from one thread to another in blocks of random size through our ring, and compares each one.
 *
 * @param position - Start of the ring's positions, int32.
 * @returns Description of the first wrong sample, or null.
 */
export async function checkSamples(position: number, samples: number): Promise<string | null> {
  return (await both('ours checked', ourRing(position), samples)) as string | null;
}

function ourRing(position: number): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(ringBytes(CAPACITY));
  const { header } = initRing(buffer, CAPACITY, 24000);
  for (const slot of [Slot.read, Slot.write]) header[slot] = position;
  return buffer;
}

/** Starts the producer and the consumer, and returns the consumer's result. */
async function both(kind: Task['kind'], buffer: SharedArrayBuffer, samples: number): Promise<unknown> {
  // Node 20 cannot load TypeScript in a thread.
  const entry = fileURLToPath(new URL('thread.ts', import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, platform: 'node' });
  const gate = new SharedArrayBuffer(4);
  const threads = (['producer', 'consumer'] as const).map((role) => {
    const workerData: Task = { kind, role, buffer, samples, gate };
    return new Worker(outputFiles[0]!.text, { eval: true, workerData });
  });
  const [producer, consumer] = threads;
  const producerFailed = once(producer!, 'error').then(([error]) => {
    throw error;
  });
  try {
    const [result] = (await Promise.race([once(consumer!, 'message'), producerFailed])) as [unknown];
    return result;
  } finally {
    producerFailed.catch(() => {});
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}
