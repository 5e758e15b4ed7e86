import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { joinSamples } from '../../src/speech/join-samples.js';
import { createRateConverter } from '../../src/speech/rate-converter.js';
import { RateThreads, type RateStream, type RateThreadsOptions } from '../../src/speech/rate-threads.js';
import { BUILT } from '../support/built.js';
import { failsWith } from './support/engine-contract.js';

const program = new URL(`file://${BUILT}rate-worker.js`);

const started: RateThreads[] = [];
afterEach(() => Promise.all(started.splice(0).map((threads) => threads.close())));

function start(options: RateThreadsOptions = {}): RateThreads {
  const threads = new RateThreads({ program, ...options });
  started.push(threads);
  return threads;
}

/** Noise that is different for each seed. */
function noise(seed: number): Int16Array {
  return Int16Array.from({ length: 4000 }, (_, at) => ((at * 7919 * seed) % 20_011) - 10_000);
}

/** Expected result of a conversion from 16 kHz. */
function converted(samples: Int16Array, toRate: number): Int16Array {
  const converter = createRateConverter(16_000, toRate);
  return joinSamples([converter.convert(samples), converter.flush()]);
}

/** Converts samples in parts of `length` samples. */
async function convert(stream: RateStream, samples: Int16Array, length: number): Promise<Int16Array> {
  const parts: Int16Array[] = [];
  for (let from = 0; from < samples.length; from += length) {
    parts.push(await stream.convert(samples.subarray(from, from + length)));
  }
  parts.push(await stream.end());
  return joinSamples(parts);
}

describe('RateThreads', () => {
  for (const threads of [1, 2]) {
    it(`converts many streams at the same time as a converter does one, with ${threads} threads`, async () => {
      const pool = start({ threads, streamsPerThread: 3 });
      const seeds = Array.from({ length: 10 }, (_, index) => index + 1);
      await Promise.all(
        seeds.map(async (seed) => {
          const toRate = seed % 2 ? 24_000 : 11_025;
          const made = await convert(pool.begin(16_000, toRate), noise(seed), 100 * seed);
          assert.deepEqual(made, converted(noise(seed), toRate));
        }),
      );
    });
  }

  it('converts parts in order, without waiting for the result of the one before', async () => {
    const stream = start().begin(16_000, 24_000);
    const [all, half] = [noise(1), 2000];
    const parts = [stream.convert(all.subarray(0, half)), stream.convert(all.subarray(half)), stream.end()];
    assert.deepEqual(joinSamples(await Promise.all(parts)), converted(all, 24_000));
  });

  it('ends a stream once', async () => {
    const stream = start().begin(16_000, 24_000);
    await stream.convert(noise(1));
    assert.ok((await stream.end()).length > 0);
    assert.equal((await stream.end()).length, 0);
  });

  it('fails the streams of a thread that ends', async () => {
    const threads = start({ program: new URL('data:text/javascript,process.exit(1)') });
    const stream = threads.begin(16_000, 24_000);
    await assert.rejects(stream.convert(noise(1)), failsWith('engine-failed'));
    await assert.rejects(stream.end(), failsWith('engine-failed'));
  });

  it('converts nothing once it is closed', async () => {
    const threads = start();
    const stream = threads.begin(16_000, 24_000);
    const waiting = assert.rejects(stream.convert(noise(1)), failsWith('engine-failed'));
    await threads.close();
    await waiting;
    await assert.rejects(threads.begin(16_000, 24_000).convert(noise(1)), failsWith('engine-failed'));
    await threads.close();
  });
});
