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

  /** A context in a state, whose state changes when the test says so. */
  class FakeContext extends EventTarget {
    state = 'suspended';
    currentTime = 0;
  }

  const watchOf = (context: FakeContext) => new ContextWatch(context as unknown as BaseAudioContext, () => {});

  it('measures the time from the mark until the context runs, once', () => {
    const context = new FakeContext();
    const { startTime } = performance.mark('svc-speaker context');
    watchOf(context);
    assert.deepEqual(performance.getEntriesByName('svc-speaker context'), [], 'not before it runs');
    context.state = 'running';
    context.dispatchEvent(new Event('statechange'));
    const measures = performance.getEntriesByName('svc-speaker context');
    assert.deepEqual(
      measures.map((measure) => [measure.entryType, measure.startTime]),
      [['measure', startTime]],
    );
    performance.clearMeasures();
  });

  it('measures no length below 0 of a context that renders in advance', () => {
    const context = Object.assign(new FakeContext(), { state: 'running', currentTime: 60 });
    performance.mark('svc-speaker context');
    watchOf(context);
    assert.equal(performance.getEntriesByName('svc-speaker context')[0]?.duration, 0);
    performance.clearMeasures();
  });

  it('measures nothing of a context of the page, also after one of this package was measured', () => {
    const context = Object.assign(new FakeContext(), { state: 'running' });
    watchOf(context);
    assert.deepEqual(performance.getEntriesByName('svc-speaker context'), []);
    const before = performance.measure('svc-speaker context', { start: 1, end: 2 });
    watchOf(context);
    assert.deepEqual(performance.getEntriesByName('svc-speaker context'), [before]);
    performance.clearMeasures();
  });
});
