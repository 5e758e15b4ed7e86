import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { designResampler } from '../../../src/dsp/index.js';
import { Slot } from '../../../src/ring/index.js';
import { peak, Rig } from './rig.js';
import { voice } from './voice.js';

const speech = voice(30, 11);
const tables = [designResampler(24000, 48000), designResampler(36000, 48000), designResampler(18000, 48000)];

/** Any operation on a playout. They may follow each other in any order. */
const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write' as const), samples: fc.integer({ min: 0, max: 6000 }) }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('render' as const), ms: fc.integer({ min: 1, max: 250 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), ago: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), paused: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rate' as const), rate: fc.double({ min: 0.5, max: 2, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('adaptive' as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('target' as const), ms: fc.integer({ min: 0, max: 500 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('table' as const), table: fc.nat(2) }) },
);

describe('Playout, for any order of operations', () => {
  it('loses no sample, releases all of them, reports each mark once and in order, and stays finite', () => {
    fc.assert(
      fc.property(
        fc.array(anyStep, { minLength: 5, maxLength: 60 }),
        fc.constantFrom(1, 64, 128, 441, 2048),
        fc.constantFrom(0, -1000, 2 ** 31 - 50_000),
        (steps, quantum, position) => {
          const rig = new Rig({ adaptive: true, quantum, position, capacity: 2 ** 19 });
          let sent = 0;
          let serial = 0;
          /** Number of samples sent before each utterance, by serial. */
          const sentBefore: number[] = [0];
          let open = false;
          const cancelled = new Set<number>();
          for (const step of steps) {
            if (step.do === 'write') {
              if (!open) {
                rig.begin(++serial, speech.subarray(0, 0));
                sentBefore[serial] = sent;
              }
              open = true;
              const from = sent % (speech.length - 6000);
              rig.write(speech.subarray(from, from + step.samples));
              sent += step.samples;
            } else if (step.do === 'render') {
              rig.render(step.ms);
            } else if (step.do === 'end' && open) {
              rig.end(serial);
              open = false;
            } else if (step.do === 'cancel' && serial - step.ago > 0) {
              cancelled.add(serial - step.ago);
              rig.cancel(serial - step.ago);
            } else if (step.do === 'pause') {
              rig.request(step.paused);
            } else if (step.do === 'rate') {
              rig.setRate(step.rate);
            } else if (step.do === 'adaptive') {
              rig.memory.header[Slot.adaptive] = Number(step.on);
            } else if (step.do === 'target') {
              rig.memory.header[Slot.targetDelayMs] = step.ms;
            } else if (step.do === 'table') {
              rig.setTable(tables[step.table]!);
            }
          }
          if (open) rig.end(serial);
          rig.request(false);
          rig.render((sent / 24) * 3 + 2000);

          assert.ok(peak(rig.output) < 2, `${peak(rig.output)}`);
          assert.equal(
            rig.stat('emittedSamples') + rig.stat('discardedSamples'),
            sent,
            'every sample is accounted for',
          );
          assert.equal(rig.memory.header[Slot.read]! | 0, (position + sent) | 0, 'the ring is given back');
          assert.equal(rig.memory.header[Slot.markRead], rig.memory.header[Slot.markWrite]);
          const marks = rig.reported.filter(({ event }) => event === 'start' || event === 'end');
          const heard = marks.filter((mark) => !cancelled.has(mark.serial!));
          const wanted = Array.from({ length: serial }, (_, i) => i + 1).filter((one) => !cancelled.has(one));
          assert.deepEqual(
            heard.map(({ event, serial: of }) => `${event} ${of}`),
            wanted.flatMap((one) => [`start ${one}`, `end ${one}`]),
          );
          const starts = heard.filter(({ event }) => event === 'start');
          for (const { serial: of, playedSamples } of starts) {
            const earlier = starts.find((start) => start.serial === of! - 1);
            if (of === 1) assert.equal(playedSamples, 0);
            if (!earlier) continue;
            const length = sentBefore[of!]! - sentBefore[of! - 1]!;
            assert.equal(playedSamples! - earlier.playedSamples!, length, `samples before utterance ${of}`);
          }
          if (serial > 0) assert.equal(rig.reported.at(-1)!.event, 'drained');
        },
      ),
      { numRuns: process.env.SVC_LONG ? 150 : 50 },
    );
  });
});
