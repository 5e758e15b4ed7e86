import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Slot, Stat } from '../../../src/ring/index.js';
import { largestStep, Rig, soundingRange, tone } from './rig.js';

const RATE = 24000;
/** Number of samples that is longer than any ramp. */
const RAMP = 0.005 * RATE;
const QUANTUM = 128;

/** Creates a rig whose resampler passes samples unchanged. */
function exactRig(): Rig {
  return new Rig({ sourceRate: RATE, contextRate: RATE });
}

/** Returns samples of which no two nearby ones are equal. */
function counting(count: number, from = 0): Int16Array {
  return new Int16Array(count).map((_, i) => 1 + (((i + from) * 7919) % 30000));
}

/**
 * Asserts that `output` ends with `samples`, except for the ramps at both ends.
 *
 * @returns The index in `output` at which they begin.
 */
function assertHeard(output: Float32Array, samples: Int16Array): number {
  // The first sample of a ramp up is silent, and the last of a ramp down.
  const from = soundingRange(output)[1] + 1 - samples.length;
  // One assertion per sample would take most of the time of these tests.
  const wrong = samples.findIndex(
    (sample, i) => i >= RAMP && i < samples.length - RAMP && output[from + i] !== sample / 32768,
  );
  assert.equal(wrong, -1, `sample ${wrong} is ${output[from + wrong]}, not ${samples[wrong]! / 32768}`);
  for (const edge of [from - 1, from, from + samples.length - 1]) assert.equal(output[edge] ?? 0, 0);
  return from;
}

describe('A playout with a seek request', () => {
  it('falls silent within a quantum and a ramp, and plays the samples after the mark', () => {
    const rig = exactRig();
    rig.utterance(1, counting(2 * RATE));
    rig.render(300);
    rig.seek(1);
    const asked = rig.output.length;
    rig.render(50);
    const [, silent] = soundingRange(rig.output);
    assert.ok(silent - asked <= QUANTUM + RAMP, `${silent - asked}`);
    assert.equal(rig.events('drained').length, 0, 'more is to come');
    rig.markSeek(1);
    const replay = counting(RATE / 2, 777);
    rig.utterance(2, replay);
    rig.render(1000);
    assertHeard(rig.output, replay);
    assert.deepEqual(
      rig.reported.map(({ event, serial }) => [event, serial]),
      [
        ['playing', undefined],
        ['start', 1],
        ['playing', undefined],
        ['start', 2],
        ['end', 2],
        ['drained', undefined],
      ],
    );
    assert.equal(rig.events('start')[1]!.playedSamples, 0, 'counted from the seek');
  });

  it('plays from the mark within a quantum once the mark is in the ring', () => {
    fc.assert(
      fc.property(
        fc.record({
          written: fc.integer({ min: 1, max: 3 * RATE }),
          playedMs: fc.integer({ min: 0, max: 4000 }),
          isOpen: fc.boolean(),
          lateMs: fc.integer({ min: 0, max: 40 }),
          replayed: fc.integer({ min: 2 * RAMP, max: 3 * RATE }),
        }),
        ({ written, playedMs, isOpen, lateMs, replayed }) => {
          const rig = exactRig();
          rig.begin(1, counting(written));
          if (!isOpen) rig.end(1);
          rig.render(playedMs);
          rig.seek(1);
          const asked = rig.output.length;
          rig.render(lateMs);
          rig.markSeek(1);
          const marked = rig.output.length;
          const replay = counting(replayed, 777);
          rig.utterance(2, replay);
          rig.render((replayed / RATE) * 1000 + 100);
          const begins = assertHeard(rig.output, replay);
          const silent = asked + Math.ceil((QUANTUM + RAMP) / QUANTUM) * QUANTUM;
          assert.ok(begins - Math.max(marked, silent) <= QUANTUM, `${begins} ${marked} ${asked}`);
          assert.equal(rig.stat('emittedSamples') - rig.stat('seekOrigin'), replayed);
          assert.equal(rig.stat('emittedSamples') + rig.stat('discardedSamples'), written + replayed);
        },
      ),
      { numRuns: process.env.SVC_LONG ? 400 : 100 },
    );
  });

  it('does not report that all was played before the speech that follows the mark is written', () => {
    const rig = exactRig();
    rig.utterance(1, counting(RATE / 4));
    rig.render(500);
    assert.equal(rig.events('drained').length, 1);
    rig.seek(1);
    rig.markSeek(1);
    rig.render(50);
    const replay = counting(RATE / 4, 99);
    rig.utterance(2, replay);
    rig.render(500);
    assertHeard(rig.output, replay);
    assert.deepEqual(
      rig.reported.map(({ event }) => event),
      ['playing', 'start', 'end', 'drained'].concat(['playing', 'start', 'end', 'drained']),
    );
  });

  it('plays nothing of an earlier seek', () => {
    const rig = exactRig();
    rig.utterance(1, counting(RATE));
    rig.render(300);
    rig.seek(1);
    rig.seek(2);
    rig.markSeek(1);
    rig.utterance(2, counting(RATE));
    rig.render(200);
    const from = rig.output.length;
    rig.render(500);
    assert.ok(rig.output.subarray(from).every((sample) => sample === 0));
    rig.markSeek(2);
    const replay = counting(RATE / 4, 99);
    rig.utterance(3, replay);
    rig.render(400);
    assertHeard(rig.output, replay);
  });

  it('counts from the seek before it reports the seek, since another thread may read in between', () => {
    const rig = exactRig();
    rig.utterance(1, counting(RATE));
    rig.render(100);
    rig.seek(1);
    rig.markSeek(1);
    const { store } = Atomics;
    const counted: number[] = [];
    Atomics.store = ((array: Int32Array, slot: number, value: number) => {
      const { stats, header } = rig.memory;
      if (array === header && slot === Slot.heardSeek) {
        counted.push(stats[Stat.emittedSamples]! - stats[Stat.seekOrigin]!);
      }
      return store(array, slot, value);
    }) as typeof store;
    try {
      rig.render(20);
    } finally {
      Atomics.store = store;
    }
    assert.equal(counted.length, 1);
    assert.ok(counted[0]! <= 0, `${counted[0]} samples`);
  });

  it('seeks silently while it is paused, and plays from there on request', () => {
    const rig = exactRig();
    rig.utterance(1, counting(RATE));
    rig.render(300);
    rig.request(true);
    rig.render(50);
    rig.seek(1);
    rig.markSeek(1);
    const replay = counting(RATE / 4, 99);
    rig.utterance(2, replay);
    const from = rig.output.length;
    rig.render(200);
    assert.ok(rig.output.subarray(from).every((sample) => sample === 0));
    assert.equal(rig.memory.header[Slot.heardSeek], 1, 'the ring is free for what follows');
    rig.request(false);
    rig.render(400);
    assertHeard(rig.output, replay);
  });

  it('replays the samples of a cancelled utterance under another serial', () => {
    const rig = exactRig();
    rig.utterance(1, counting(RATE));
    rig.render(300);
    rig.cancel(1);
    rig.seek(1);
    rig.markSeek(1);
    const kept = counting(RATE / 4);
    rig.utterance(7, kept);
    const from = rig.output.length;
    rig.render(500);
    assert.ok(assertHeard(rig.output, kept) - from <= 2 * QUANTUM + RAMP);
  });

  it('lets the next playout continue after the seek', () => {
    const rig = exactRig();
    rig.utterance(1, counting(RATE));
    rig.render(300);
    rig.seek(1);
    rig.render(1);
    rig.handOver(false);
    rig.render(20);
    rig.handOver(true);
    rig.markSeek(1);
    const replay = counting(RATE / 4, 99);
    rig.utterance(2, replay);
    rig.render(500);
    assertHeard(rig.output, replay);
  });

  it('does not click', () => {
    const rig = new Rig();
    rig.utterance(1, tone(2 * RATE));
    for (let seek = 1; seek <= 50; seek++) {
      rig.render(37);
      rig.seek(seek);
      rig.markSeek(seek);
      rig.utterance(seek + 1, tone(RATE / 4));
    }
    rig.render(500);
    const step = (0.5 * 2 * Math.PI * 440) / 48000;
    assert.ok(largestStep(rig.output) < 1.1 * step);
  });
});
