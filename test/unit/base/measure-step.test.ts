import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { measureStep } from '../../../src/base/measure-step.js';

/** Returns the measures of a step: beginning and length, in ms. */
const measuresOf = (step: string): [number, number][] =>
  performance.getEntriesByName(`svc-speaker ${step}`).map(({ startTime, duration }) => [startTime, duration]);

describe('measureStep', () => {
  afterEach(() => performance.clearMeasures());

  it('adds a measure to the timeline of the page', () => {
    measureStep('worker', 100, 130);
    assert.deepEqual(measuresOf('worker'), [[100, 30]]);
  });

  it('replaces the earlier measure of the same step only', () => {
    measureStep('worker', 100, 130);
    measureStep('session', 200, 240);
    measureStep('session', 300, 350);
    assert.deepEqual(measuresOf('session'), [[300, 50]]);
    assert.equal(measuresOf('worker').length, 1);
  });
});
