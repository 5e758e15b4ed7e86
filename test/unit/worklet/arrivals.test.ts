import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Arrivals } from '../../../worklet/arrivals.js';

const QUANTUM = 128 / 48000;

/** Observes each quantum between two times, in seconds. `sent` returns the samples, at 24 kHz, received by a time. */
function watch(arrivals: Arrivals, from: number, to: number, sent: (seconds: number) => number, open = true): void {
  for (let time = from; time < to; time += QUANTUM) arrivals.observe(Math.floor(time * 24000), sent(time) | 0, open);
}

/** Arrivals of a live source with frames of `ms`, each of which arrives when it is over. */
const live =
  (ms: number) =>
  (time: number): number =>
    Math.floor((time * 1000) / ms) * ms * 24;

/** Compares samples at 24 kHz with seconds, with a tolerance of two quanta. */
function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual / 24000 - expected) < 2 * QUANTUM, `${actual / 24000}, not ${expected}`);
}

describe('Arrivals', () => {
  it('measure a rise of one frame if frames arrive on time', () => {
    for (const ms of [20, 80, 200]) {
      const arrivals = new Arrivals(24000, 0);
      watch(arrivals, 0, 5, live(ms));
      assertNear(arrivals.rise, ms / 1000);
    }
  });

  it('measure the rise of a stall while it lasts and for ten seconds after it', () => {
    const arrivals = new Arrivals(24000, 0);
    const sent = (time: number): number => live(20)(time >= 2 && time < 2.3 ? 2 : time);
    watch(arrivals, 0, 2.2, sent);
    assertNear(arrivals.rise, 0.2);
    assertNear(arrivals.behind, 0.2);
    watch(arrivals, 2.2, 11.5, sent);
    assertNear(arrivals.rise, 0.32 - 0.02);
    assert.ok(arrivals.behind < 0.021 * 24000);
    watch(arrivals, 11.5, 13, sent);
    assertNear(arrivals.rise, 0.02);
  });

  it('measure no rise if speech arrives faster than it plays', () => {
    const arrivals = new Arrivals(24000, 0);
    watch(arrivals, 0, 5, (time) => live(20)(time * 4));
    assert.ok(arrivals.rise < 0.006 * 24000, `${arrivals.rise}`);
    assert.equal(arrivals.isLive, false);
  });

  it('measure no rise between two utterances', () => {
    const arrivals = new Arrivals(24000, 0);
    watch(arrivals, 0, 3, live(20));
    watch(arrivals, 3, 60, () => live(20)(3), false);
    watch(arrivals, 60, 63, (time) => live(20)(time - 57));
    assertNear(arrivals.rise, 0.02);
  });

  it('detect a live source at real time, even with a stall, and not at 0.95 of real time', () => {
    const paced = new Arrivals(24000, 0);
    watch(paced, 0, 4, live(20));
    assert.equal(paced.isLive, false, 'it takes five seconds to tell');
    watch(paced, 4, 10, (time) => live(20)(time >= 7 && time < 7.3 ? 7 : time));
    assert.equal(paced.isLive, true);
    const slow = new Arrivals(24000, 0);
    watch(slow, 0, 10, (time) => live(20)(time * 0.95));
    assert.equal(slow.isLive, false);
  });

  it('continue where the ring position wraps', () => {
    const start = 2 ** 31 - 10000;
    const arrivals = new Arrivals(24000, start);
    watch(arrivals, 0, 5, (time) => start + live(20)(time));
    assertNear(arrivals.rise, 0.02);
  });
});
