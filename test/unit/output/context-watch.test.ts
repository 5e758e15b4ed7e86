import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ContextWatch } from '../../../src/output/context-watch.js';

/** Limit of the contract: within this time of a clock that stands still, the state of a speaker is not `playing`. */
const FROZEN_WITHIN_MS = 3000;

describe('ContextWatch', () => {
  /** Watches a context whose clock advances with the time of `timers` while `isMoving`. */
  function watch(timers: TestContext['mock']['timers']) {
    const context = { currentTime: 0, state: 'running' };
    const state = { context, isMoving: true, changes: [] as boolean[] };
    const watching = new ContextWatch(context as BaseAudioContext, (isFrozen) => state.changes.push(isFrozen));
    watching.start();
    const pass = (ms: number): void => {
      for (let passed = 0; passed < ms; passed += 10) {
        if (state.isMoving) context.currentTime += 0.01;
        timers.tick(10);
      }
    };
    return { watching, state, pass };
  }

  it('reports a clock that stands still within 3 s, whenever it stops, and that it moves again within 500 ms', ({
    mock: { timers },
  }) => {
    timers.enable({ apis: ['setTimeout'] });
    for (let stopMs = 0; stopMs <= 500; stopMs += 50) {
      const { watching, state, pass } = watch(timers);
      pass(stopMs);
      state.isMoving = false;
      pass(FROZEN_WITHIN_MS);
      assert.deepEqual(state.changes, [true], `stopped after ${stopMs} ms`);
      state.isMoving = true;
      pass(500);
      assert.deepEqual(state.changes, [true, false]);
      watching.stop();
    }
  });

  it('does not take a page that is held up, or a context that is suspended, for a clock that stands still', ({
    mock: { timers },
  }) => {
    timers.enable({ apis: ['setTimeout'] });
    const { watching, state, pass } = watch(timers);
    // The page is held up: several timers are late, and the context went on meanwhile.
    for (let times = 0; times < 5; times++) {
      state.context.currentTime += 4;
      timers.tick(500);
    }
    state.context.state = 'suspended';
    state.isMoving = false;
    pass(10_000);
    assert.deepEqual(state.changes, []);
    watching.stop();
    state.context.state = 'running';
    pass(10_000);
    assert.deepEqual(state.changes, []);
  });
});
