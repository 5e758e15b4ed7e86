import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineHealth } from '../../src/speech/engine-health.js';
import { ManualClock } from '../support/manual-clock.js';

/** Creates a health whose probes return `state.works`. */
function watch() {
  const clock = new ManualClock();
  const state = { works: false, probes: 0, answers: true, checks: 0, changes: [] as boolean[] };
  const health = new EngineHealth({
    clock,
    check: () => {
      state.checks++;
      return Promise.resolve(state.answers);
    },
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

  it('is down soon after the start if it does not answer, before anybody speaks', async () => {
    const { health, state, wait } = watch();
    state.answers = false;
    await wait(0); // the first check was answered
    await wait(30_000);
    await wait(1000);
    assert.equal(health.available, true);
    await wait(1000);
    assert.equal(health.available, false);
    assert.deepEqual(state.changes, [false]);
    assert.equal(state.checks, 4);
    state.works = true;
    await wait(1000);
    assert.equal(health.available, true);
  });

  it('is checked after each 30 s without a success, and one check that fails means nothing', async () => {
    const { health, state, wait } = watch();
    await wait(20_000);
    health.succeeded();
    await wait(29_999);
    assert.equal(state.checks, 1);
    state.answers = false;
    await wait(1);
    state.answers = true;
    await wait(1000);
    await wait(30_000);
    assert.equal(state.checks, 4);
    assert.deepEqual(state.changes, []);
    health.close();
    await wait(100_000);
    assert.equal(state.checks, 4);
  });

  it('tries no more once it is closed', async () => {
    const { health, state, wait } = watch();
    for (let round = 0; round < 3; round++) health.failed();
    health.close();
    await wait(100_000);
    assert.equal(state.probes, 0);
  });
});
