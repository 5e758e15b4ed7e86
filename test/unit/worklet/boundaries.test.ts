import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { designResampler } from '../../../src/dsp/index.js';
import { Slot } from '../../../src/ring/index.js';
import { largestStep, Rig, tone } from './rig.js';
import { voice } from './voice.js';

/** Regression tests for boundaries: the end of an utterance, of the data, or of the ring. */
describe('Playout, at a boundary', () => {
  it('plays to the end when the next utterance is cancelled, at a rate that leaves samples out', () => {
    for (const rate of [1.5, 2]) {
      for (let late = 0; late < 25; late += 2) {
        const rig = new Rig({ rate });
        rig.utterance(1, voice(0.5, late + 1));
        rig.begin(2, voice(1, 50));
        while (12000 - rig.stat('emittedSamples') > 640) rig.render(1);
        rig.render(late);
        rig.cancel(2);
        rig.end(2);
        rig.render(1500);
        assert.equal(rig.events('drained').length, 1, `rate ${rate}, ${late} ms`);
        assert.equal(rig.memory.header[Slot.read], 36000);
      }
    }
  });

  it('never plays samples that have not arrived if the ring runs dry after a splice', () => {
    for (let length = 3000; length < 3600; length += 17) {
      const rig = new Rig({ rate: 2, targetMs: 60 });
      rig.memory.samples.fill(20000); // left over from the previous lap
      rig.begin(1, new Int16Array(length));
      rig.render(400);
      assert.ok(rig.output.every((sample) => sample === 0));
    }
  });

  it('plays many tiny utterances in a row at any rate', () => {
    for (const [rate, length, count] of [
      [2, 10, 100],
      [1.5, 3, 200],
      [0.6, 1, 80],
    ] as const) {
      const rig = new Rig({ rate });
      let serial = 0;
      rig.utterance(++serial, new Int16Array(12000).fill(9000));
      for (let i = 0; i < count; i++) rig.utterance(++serial, new Int16Array(length).fill(9000));
      rig.utterance(++serial, new Int16Array(12000).fill(9000));
      rig.render(2500);
      assert.ok(rig.output.every((sample) => Math.abs(sample) < 0.5));
      assert.equal(rig.events('end').length, count + 2);
      assert.equal(rig.events('drained').length, 1);
    }
  });

  it("plays without stretching if the ring's mirror is too short for a splice", () => {
    const rig = new Rig({ sourceRate: 384000, capacity: 2 ** 19, rate: 2 });
    const samples = tone(76800, 384000);
    rig.utterance(1, samples);
    rig.render(400);
    assert.equal(rig.stat('emittedSamples'), samples.length);
    assert.equal(rig.stat('removedSamples'), 0);
    assert.equal(rig.events('drained').length, 1);
  });

  it('makes no step when the next utterance is cancelled, or the target raised, within the last ramp', () => {
    const samples = tone(24000, 48000);
    // The tone's own largest step is 0.029 at 48 kHz.
    for (const change of ['cancel', 'target'] as const) {
      for (let offset = 0; offset < 128; offset += 16) {
        const cut = 6000 + offset;
        for (let quantum = 38; quantum < 50; quantum++) {
          const rig = new Rig({ sourceRate: 48000 });
          rig.utterance(1, samples.subarray(0, cut));
          rig.begin(2, samples.subarray(cut));
          rig.render((quantum * 128) / 48 - 0.01);
          if (change === 'cancel') rig.cancel(2);
          else rig.memory.header[Slot.targetDelayMs] = 4000;
          rig.render(60);
          assert.ok(largestStep(rig.output) < 0.03, `${change} in quantum ${quantum}, cut at ${cut}`);
        }
      }
    }
  });

  it('reports the end of an utterance if the next one has begun without a sample, even at a target of 0', () => {
    const rig = new Rig({ targetMs: 0 });
    rig.utterance(1, tone(6000));
    rig.begin(2, new Int16Array(0));
    rig.render(400);
    assert.deepEqual(
      rig.events('end').map(({ serial, sample }) => [serial, sample]),
      [[1, 12000]],
    );
    assert.equal(rig.events('stalled').length, 0);
  });

  it('stays silent when it gets another resampler table during a stall, and reports the whole underrun', () => {
    const rig = new Rig({ adaptive: true });
    rig.begin(1, tone(6000));
    rig.render(700);
    rig.setTable(designResampler(36000, 48000));
    assert.ok(rig.render(100).every((sample) => sample === 0));
    rig.write(tone(6000));
    rig.end(1);
    rig.render(600);
    assert.deepEqual(
      rig.reported.map(({ event }) => event),
      ['playing', 'start', 'stalled', 'playing', 'underrun', 'end', 'drained'],
    );
    const concealedMs = rig.stat('concealedSamples') / 24;
    assert.ok(Math.abs(rig.events('underrun')[0]!.durationMs! - concealedMs) < 1);
  });

  it('does not report playing if only the end mark arrives after silence', () => {
    const rig = new Rig({ adaptive: true });
    rig.begin(1, tone(6000));
    rig.render(700);
    rig.end(1);
    rig.render(50);
    assert.deepEqual(
      rig.reported.map(({ event }) => event),
      ['playing', 'start', 'stalled', 'end', 'drained'],
    );
  });

  it('does not speed up speech that waited behind a full ring or during a pause', () => {
    const samples = voice(20, 3);
    const full = new Rig({ adaptive: true, capacity: 2 ** 17 }); // 5.5 s
    full.begin(1, samples.subarray(0, 0));
    for (let sent = 0; sent < samples.length;) {
      const count = Math.min(9600, samples.length - sent, full.writer.free);
      full.write(samples.subarray(sent, sent + count));
      sent += count;
      full.render(20);
    }
    full.end(1);
    full.render(8000);
    assert.equal(full.stat('emittedSamples'), samples.length);
    assert.equal(full.stat('removedSamples'), 0);

    const paused = new Rig({ adaptive: true });
    paused.begin(1, samples.subarray(0, 0));
    for (let frame = 0; frame * 480 < samples.length; frame++) {
      if (frame === 300) paused.request(true);
      if (frame === 500) paused.request(false);
      paused.write(samples.subarray(frame * 480, (frame + 1) * 480));
      paused.render(20);
    }
    assert.equal(paused.stat('removedSamples'), 0);
  });

  it('does not run dry at rate 2 behind a source that slows down to 0.91 of real time', () => {
    const samples = voice(30, 5);
    const rig = new Rig({ adaptive: true, rate: 2 });
    rig.begin(1, samples.subarray(0, 0));
    let due = 0;
    for (let frame = 0; frame * 480 < samples.length; frame++) {
      due += frame < 300 ? 8 : 20 / 0.91;
      if (due > rig.output.length / 48) rig.render(due - rig.output.length / 48);
      rig.write(samples.subarray(frame * 480, (frame + 1) * 480));
    }
    assert.equal(rig.stat('concealedSamples'), 0);
  });
});
