import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { systemClock, withTimeLimit } from '../src/clock.js';

/** Answers, and then reports in `state` that the answer is on its way. */
const ANSWERS = `const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('the answer');
  Atomics.store(workerData, 0, 1);
  Atomics.notify(workerData, 0);`;

const LIMIT_MS = 50;

describe('A time limit', () => {
  it('does not expire if the answer has arrived while the process was blocked', async () => {
    await setImmediate(); // Timers run next in the event loop, before messages are read.
    const state = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(ANSWERS, { eval: true, workerData: state });
    const answer = withTimeLimit(once(worker, 'message'), LIMIT_MS, systemClock, 'Answering');
    const begin = performance.now();
    Atomics.wait(state, 0, 0);
    while (performance.now() <= begin + LIMIT_MS);
    assert.deepEqual(await answer, ['the answer']);
  });

  it('expires if no answer comes', async () => {
    const never = withTimeLimit(new Promise(() => {}), LIMIT_MS, systemClock, 'Answering');
    const alive = setInterval(() => {}, 1000); // The clock's timers do not keep the process alive.
    await assert.rejects(never, /^Error: Answering took more than 50 ms\.$/);
    clearInterval(alive);
  });
});
