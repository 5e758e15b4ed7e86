import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineHealth } from '../../src/speech/engine-health.js';
import { ManualClock } from '../support/manual-clock.js';

/** Creates a health whose probes return `state.works`. */
function watch() {
  const clock = new ManualClock();
  const state = { works: false, probes: 0, changes: [] as boolean[] };
  const health = new EngineHealth({
    clock,
    probe: () => {
      state.probes++;
      return Promise.resolve(state.works);
    },
    onChange: (available) => state.changes.push(available),
  });
  const wait = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve)); // the probe's answer
  };
  return { health, state, wait };
}

describe('EngineHealth', () => {
  it('is down after three failures in a row, not after three in all', () => {
    const { health, state } = watch();
    for (const works of [false, false, true, false, false]) {
      if (works) health.succeeded();
      else health.failed();
    }
    assert.equal(health.available, true);
    health.failed();
    assert.equal(health.available, false);
    assert.deepEqual(state.changes, [false]);
  });

  it('tries again after 1 s, 2 s, 4 s and so on, every 30 s at last, until it works', async () => {
    const { health, state, wait } = watch();
    for (let round = 0; round < 5; round++) health.failed();
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      await wait(seconds * 1000 - 1);
      assert.equal(state.probes, index);
      await wait(1);
      assert.equal(state.probes, index + 1);
    }
    state.works = true;
    await wait(30_000);
    assert.equal(health.available, true);
    assert.deepEqual(state.changes, [false, true]);
    await wait(100_000);
    assert.equal(state.probes, 8);
  });

  it('is back as soon as anything works, and then begins with 1 s again', async () => {
    const { health, state, wait } = watch();
    for (let round = 0; round < 3; round++) health.failed();
    await wait(3000);
    health.succeeded();
    assert.equal(health.available, true);
    for (let round = 0; round < 3; round++) health.failed();
    const before = state.probes;
    await wait(1000);
    assert.equal(state.probes, before + 1);
  });

  it('tries no more once it is closed', async () => {
    const { health, state, wait } = watch();
    for (let round = 0; round < 3; round++) health.failed();
    health.close();
    await wait(100_000);
    assert.equal(state.probes, 0);
  });
});
