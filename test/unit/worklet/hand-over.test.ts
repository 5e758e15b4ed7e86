import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { largestStep, Rig, soundingRange, tone } from './rig.js';

const RATE = 24000;
/** Number of samples that is longer than any ramp. */
const RAMP = 0.005 * RATE;

/** Creates a rig whose resampler passes samples unchanged. */
function exactRig(): Rig {
  return new Rig({ sourceRate: RATE, contextRate: RATE });
}

/** Returns samples of which no two nearby ones are equal. */
function counting(count: number): Int16Array {
  return Int16Array.from({ length: count }, (_, i) => 1 + ((i * 7919) % 30000));
}

describe('A playout that takes over a ring', () => {
  for (const politely of [true, false]) {
    it(`continues with the sample that plays next, ${politely ? 'after a ramp' : 'from the middle of a sound'}`, () => {
      const rig = exactRig();
      const samples = counting(RATE);
      rig.utterance(1, samples);
      rig.render(300);
      rig.handOver(politely);
      const silent = rig.output.length;
      rig.render(1500);
      const before = rig.output.subarray(0, silent);
      const after = rig.output.subarray(silent);
      const [from, to] = soundingRange(before);
      const [again, end] = soundingRange(after);
      // The first sample of each ramp up is silent, and the last of each ramp down.
      assert.equal(to - from + (end - again), samples.length - (politely ? 4 : 3));
      for (let i = RAMP; i < to - from - (politely ? RAMP : 0); i++)
        assert.equal(before[from + i], samples[i + 1]! / 32768);
      for (let i = RAMP; i < end - again - RAMP; i++) {
        assert.equal(after[end - 1 - i], samples[samples.length - 2 - i]! / 32768);
      }
      assert.equal(rig.stat('emittedSamples'), samples.length);
      assert.deepEqual(
        rig.reported.map(({ event }) => event),
        ['playing', 'start', 'playing', 'end', 'drained'],
      );
    });
  }

  it('does not click when the playout before it fades out', () => {
    const rig = new Rig();
    const samples = tone(RATE);
    rig.utterance(1, samples);
    rig.render(333);
    rig.handOver(true);
    rig.render(1000);
    const step = (0.5 * 2 * Math.PI * 440) / 48000;
    assert.ok(largestStep(rig.output) < 1.1 * step);
  });

  it('stays silent while it is paused, and continues on request', () => {
    const rig = exactRig();
    rig.utterance(1, counting(RATE));
    rig.render(300);
    rig.request(true);
    rig.render(50);
    rig.handOver(false);
    const from = rig.output.length;
    rig.render(200);
    assert.ok(rig.output.subarray(from).every((sample) => sample === 0));
    rig.request(false);
    rig.render(1500);
    assert.equal(rig.stat('emittedSamples'), RATE);
    assert.equal(rig.events('end').length, 1);
  });

  it('does not play utterances that were cancelled before or during the hand-over', () => {
    const rig = exactRig();
    rig.utterance(1, counting(RATE / 2));
    rig.utterance(2, counting(RATE / 2));
    rig.utterance(3, counting(RATE / 2));
    rig.render(100);
    rig.cancel(2);
    rig.handOver(false);
    rig.cancel(1);
    rig.render(2000);
    assert.deepEqual(
      rig.events('start').map(({ serial }) => serial),
      [1, 3],
    );
    assert.ok(rig.stat('emittedSamples') + rig.stat('discardedSamples') === 1.5 * RATE);
  });

  it('reports every mark once and plays every sample once, for any hand-overs', () => {
    const step = fc.record({ ms: fc.integer({ min: 1, max: 400 }), politely: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 8 }),
        fc.constantFrom(0.75, 1, 1.5),
        fc.boolean(),
        (steps, rate, adaptive) => {
          const rig = new Rig({ sourceRate: RATE, contextRate: 44100, rate, adaptive, position: 0x7fff_f000 });
          for (let serial = 1; serial <= 4; serial++) rig.utterance(serial, tone(RATE / 3));
          for (const { ms, politely } of steps) {
            rig.render(ms);
            rig.handOver(politely);
          }
          rig.render(3000);
          const marks = rig.reported.flatMap(({ event, serial }) => (serial ? [`${event} ${serial}`] : []));
          assert.deepEqual(
            marks,
            [1, 2, 3, 4].flatMap((serial) => [`start ${serial}`, `end ${serial}`]),
          );
          assert.equal(rig.stat('emittedSamples'), (4 * RATE) / 3);
          assert.equal(rig.stat('discardedSamples'), 0);
        },
      ),
      { seed: 5, numRuns: process.env.SVC_LONG ? 60 : 20 },
    );
  });
});
