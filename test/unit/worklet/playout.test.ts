import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createResampler, designResampler } from '../../../src/dsp/index.js';
import { Slot } from '../../../src/ring/index.js';
import { largestStep, Rig, soundingRange, tone } from './rig.js';

/** Source samples in one ms at 24 kHz, and output samples in one ms at 48 kHz. */
const SRC_MS = 24;
const OUT_MS = 48;
/** Length of a ramp, 4 ms, in output samples. */
const RAMP = 4 * OUT_MS;

/** Largest step of a 440 Hz sine of amplitude 0.5 at 48 kHz, plus 10 % for the filter and the ramp. */
const SMOOTH = 0.5 * 2 * Math.sin((Math.PI * 440) / 48000) * 1.1;

/** Resamples all of `samples`, without ramps. */
function resampled(samples: Int16Array, from = 24000, to = 48000): Float32Array {
  const table = designResampler(from, to);
  const resampler = createResampler(table, samples.length + table.taps);
  resampler.push(samples, 0, samples.length);
  resampler.pushSilence(resampler.latency);
  const out = new Float32Array(Math.ceil((samples.length * table.up) / table.down));
  resampler.pull(out, 0, out.length);
  return out;
}

function assertSame(actual: Float32Array, expected: Float32Array, message: string): void {
  assert.equal(actual.length, expected.length, message);
  for (let i = 0; i < actual.length; i++) {
    if (actual[i] !== expected[i]) assert.fail(`${message}: sample ${i} is ${actual[i]}, not ${expected[i]}`);
  }
}

describe('Playout', () => {
  it('is silent and idle while there is nothing to play', () => {
    const rig = new Rig();
    const block = rig.render(50);
    assert.ok(block.every((sample) => sample === 0));
    assert.deepEqual(rig.reported, []);
  });

  it('starts when the target is buffered, not when the utterance is complete', () => {
    const rig = new Rig();
    rig.begin(1, tone(119 * SRC_MS));
    rig.render(20);
    assert.equal(rig.events('playing').length, 0);
    rig.write(tone(1 * SRC_MS));
    const before = rig.output.length;
    const block = rig.render(3);
    assert.deepEqual(rig.events('playing'), [{ event: 'playing', sample: before }]);
    assert.notEqual(soundingRange(block)[0], block.length);
  });

  it('plays an utterance shorter than the target once its end is known', () => {
    const rig = new Rig();
    const samples = tone(80 * SRC_MS);
    rig.begin(1, samples);
    rig.render(10);
    assert.equal(rig.events('playing').length, 0);
    rig.end(1);
    rig.render(100);
    assert.equal(rig.events('playing').length, 1);
    assert.equal(rig.events('end')[0]!.sample - rig.events('start')[0]!.sample, 80 * OUT_MS);
  });

  it('starts with less than the target after it has waited for twice the target', () => {
    const rig = new Rig({ targetMs: 100 });
    rig.begin(1, tone(30 * SRC_MS));
    rig.render(195);
    assert.equal(rig.events('playing').length, 0);
    rig.render(10);
    assert.equal(rig.events('playing').length, 1);
  });

  for (const [from, to] of [
    [24000, 48000],
    [24000, 44100],
    [8000, 48000],
    [16000, 44100],
    [48000, 48000],
    [96000, 44100],
  ] as const) {
    it(`plays every sample of an utterance at ${from} Hz into ${to} Hz, equal to the resampler's except in the ramps`, () => {
      const rig = new Rig({ sourceRate: from, contextRate: to });
      const samples = tone(Math.round(0.5 * from) + 7, from);
      rig.utterance(1, samples);
      rig.render(700);
      const expected = resampled(samples, from, to);
      const start = rig.events('start')[0]!.sample;
      assert.equal(rig.events('end')[0]!.sample - start, expected.length);
      const ramp = Math.round(to * 0.004);
      const inner = rig.output.subarray(start + ramp, start + expected.length - ramp);
      assertSame(inner, expected.subarray(ramp, expected.length - ramp), 'between the ramps');
      assert.ok(rig.output.subarray(start + expected.length).every((sample) => sample === 0));
      assert.equal(rig.stat('emittedSamples'), samples.length);
    });
  }

  it('renders the same whatever the quantum', () => {
    const samples = tone(12345);
    const reference = new Rig({ quantum: 128 });
    reference.utterance(1, samples);
    reference.render(600);
    for (const quantum of [1, 64, 441, 480, 1024, 2048]) {
      const rig = new Rig({ quantum });
      rig.utterance(1, samples);
      rig.render(600);
      const length = Math.min(rig.output.length, reference.output.length);
      assertSame(rig.output.subarray(0, length), reference.output.subarray(0, length), `quantum ${quantum}`);
    }
  });

  it('plays one utterance after the other without a gap or a ramp', () => {
    const rig = new Rig();
    const samples = tone(24000);
    rig.utterance(1, samples.subarray(0, 10001));
    rig.utterance(2, samples.subarray(10001));
    rig.render(1100);
    const start = rig.events('start')[0]!.sample;
    const expected = resampled(samples);
    assertSame(
      rig.output.subarray(start + RAMP, start + expected.length - RAMP),
      expected.subarray(RAMP, expected.length - RAMP),
      'both as one',
    );
    assert.deepEqual(
      rig.reported.map(({ event, serial }) => [event, serial]),
      [
        ['playing', undefined],
        ['start', 1],
        ['end', 1],
        ['start', 2],
        ['end', 2],
        ['drained', undefined],
      ],
    );
    assert.equal(rig.events('start')[1]!.sample - start, 20002);
    assert.deepEqual(
      rig.events('start').map(({ playedSamples }) => playedSamples),
      [0, 10001],
    );
  });

  it('repeats the last pitch period, more softly each time and for at most 60 ms, when the ring runs dry', () => {
    const rig = new Rig();
    const samples = tone(24000);
    rig.begin(1, samples.subarray(0, 6000));
    rig.render(600);
    const dryAt = 12000 - 5 * OUT_MS; // the last 5 ms are held back for a fade-out
    const [from, to] = soundingRange(rig.output);
    assert.equal(from, 1, 'the ramp begins with 0');
    assert.ok(to > dryAt + 55 * OUT_MS && to < dryAt + 65 * OUT_MS, `silent from ${to} on`);
    assert.ok(largestStep(rig.output) <= SMOOTH, `a step of ${largestStep(rig.output)}`);
    const level = (ms: number): number =>
      Math.max(...rig.output.subarray(dryAt + ms * OUT_MS, dryAt + (ms + 3) * OUT_MS).map(Math.abs));
    assert.ok(level(5) > 0.48);
    assert.ok(level(20) < level(10) && level(35) < level(20) && level(50) < 0.15);
    const [stalled] = rig.events('stalled');
    assert.ok(Math.abs(stalled!.sample - to) < 3 * OUT_MS);
    assert.equal(rig.stat('underruns'), 0, 'it is not over');
    const concealed = rig.stat('concealedSamples') - rig.stat('silentConcealedSamples');
    assert.ok(Math.abs(concealed / SRC_MS - 60) < 3, `${concealed} samples concealed`);
  });

  for (const [mode, adaptive, resumeMs] of [
    ['fixed', false, 120],
    ['adaptive', true, 40],
  ] as const) {
    it(`resumes after silence with ${resumeMs} ms when ${mode}, from the next sample, with a ramp`, () => {
      const rig = new Rig({ adaptive });
      const samples = tone(24000);
      rig.begin(1, samples.subarray(0, 6000));
      rig.render(500);
      const short = 6000 + (resumeMs - 6) * SRC_MS; // 5 ms are still buffered
      rig.write(samples.subarray(6000, short));
      rig.render(20);
      assert.equal(rig.events('underrun').length, 0, 'holds back until there is enough');
      rig.write(samples.subarray(short));
      rig.end(1);
      const before = rig.output.length;
      rig.render(1000);
      const [underrun] = rig.events('underrun');
      assert.ok(underrun!.sample - before < 15 * OUT_MS);
      assert.equal(rig.stat('emittedSamples'), samples.length);
      assert.equal(rig.stat('underruns'), 1);
      assert.ok(largestStep(rig.output) <= SMOOTH, `a step of ${largestStep(rig.output)}`);
      const inserted = rig.stat('concealedSamples') + rig.stat('insertedSamples');
      assert.equal(rig.events('end')[0]!.sample, 2 * (samples.length + inserted));
      const expected = resampled(samples).subarray(12000 - 5 * OUT_MS);
      const resumed = rig.output.subarray(underrun!.sample);
      // The filter sees the ramp for 64 source samples.
      assertSame(resumed.subarray(128, 20000), expected.subarray(128, 20000), 'after the hole');
    });
  }

  it('counts no underrun if only the end mark was late', () => {
    const rig = new Rig();
    rig.begin(1, tone(6000));
    rig.render(400);
    rig.end(1);
    rig.render(10);
    assert.equal(rig.stat('underruns'), 0);
    assert.equal(rig.events('underrun').length, 0);
    assert.equal(rig.events('end').length, 1);
    assert.equal(rig.events('drained').length, 1);
    assert.equal(rig.stat('emittedSamples'), 6000);
  });

  it('holds its position with a ramp when paused, and continues from the same sample', () => {
    const rig = new Rig();
    const samples = tone(24000);
    rig.utterance(1, samples);
    rig.render(200);
    rig.request(true);
    const held = rig.render(100);
    assert.ok(held.subarray(RAMP).every((sample) => sample === 0));
    const emitted = rig.stat('emittedSamples');
    rig.render(100);
    assert.equal(rig.stat('emittedSamples'), emitted);
    const resumedAt = rig.output.length;
    rig.request(false);
    rig.render(900);
    assert.deepEqual(
      rig.events('playing').map(({ sample }) => sample),
      [0, resumedAt],
    );
    assert.equal(rig.stat('emittedSamples'), samples.length);
    assert.ok(largestStep(rig.output) <= SMOOTH);
    const expected = resampled(samples);
    const from = Math.round(emitted * 2);
    assertSame(
      rig.output.subarray(resumedAt + RAMP, resumedAt + 10000),
      expected.subarray(from + RAMP, from + 10000),
      'after the pause',
    );
  });

  it('answers every request to play, even before the fade-out of a pause is complete', () => {
    const rig = new Rig();
    rig.utterance(1, tone(24000));
    rig.render(100);
    rig.request(true);
    rig.request(false);
    rig.render(10);
    assert.equal(rig.events('playing').length, 2);
  });

  it('does not start while paused', () => {
    const rig = new Rig();
    rig.request(true);
    rig.utterance(1, tone(24000));
    assert.ok(rig.render(300).every((sample) => sample === 0));
    assert.equal(rig.events('playing').length, 0);
    rig.request(false);
    rig.render(10);
    assert.equal(rig.events('playing').length, 1);
  });

  describe('cancel', () => {
    it('fades out at once within one ramp, without a step', () => {
      const rig = new Rig();
      rig.begin(1, tone(24000));
      rig.render(200);
      rig.cancel(1);
      const block = rig.render(50);
      assert.ok(block.subarray(RAMP).every((sample) => sample === 0));
      assert.ok(largestStep(rig.output) <= SMOOTH);
    });

    it('skips its buffered and later samples, and plays the next utterance from its first sample', () => {
      const rig = new Rig();
      rig.begin(1, tone(24000));
      rig.render(200);
      rig.cancel(1);
      rig.render(20);
      rig.write(tone(500));
      rig.render(20);
      rig.write(tone(700));
      rig.end(1);
      const next = tone(12000, 24000, 300);
      rig.utterance(2, next);
      rig.render(700);
      const expected = resampled(next);
      const start = rig.events('start').find(({ serial }) => serial === 2)!.sample;
      assertSame(rig.output.subarray(start + RAMP, start + 20000), expected.subarray(RAMP, 20000), 'the next');
      assert.equal(rig.stat('emittedSamples') + rig.stat('discardedSamples'), 24000 + 1200 + 12000);
      assert.equal(rig.memory.header[Slot.read], 24000 + 1200 + 12000);
    });

    it('removes an utterance from the middle of the queue', () => {
      const rig = new Rig();
      rig.utterance(1, tone(6000));
      rig.utterance(2, tone(6000));
      const last = tone(6000, 24000, 700);
      rig.utterance(3, last);
      rig.render(20);
      rig.cancel(2);
      rig.render(800);
      assert.deepEqual(
        rig.events('start').map(({ serial }) => serial),
        [1, 3],
      );
      assert.deepEqual(
        rig.events('end').map(({ serial }) => serial),
        [1, 3],
      );
      assert.ok(largestStep(rig.output) <= SMOOTH * 2);
      const start = rig.events('start')[1]!.sample;
      assertSame(rig.output.subarray(start + RAMP, start + 10000), resampled(last).subarray(RAMP, 10000), 'the third');
    });

    it('loses no sample of the next utterance if that one is already in the filter', () => {
      for (let late = 0; late < 80; late += 3) {
        const rig = new Rig({ quantum: 64 });
        rig.utterance(1, tone(6000));
        const next = tone(6000, 24000, 700);
        rig.utterance(2, next);
        // 6000 source samples are 12000 of output; the filter reads 64 source samples ahead.
        rig.render((12000 - 128 + late * 2) / OUT_MS);
        rig.cancel(1);
        rig.render(600);
        const start = rig.events('start').find(({ serial }) => serial === 2)!.sample;
        assert.equal(rig.events('end').find(({ serial }) => serial === 2)!.sample - start, 12000, `late ${late}`);
      }
    });

    it('works while paused, and before anything has played', () => {
      const rig = new Rig();
      rig.utterance(1, tone(24000));
      rig.render(100);
      rig.request(true);
      rig.render(50);
      rig.cancel(1);
      rig.cancel(2);
      rig.request(false);
      rig.utterance(2, tone(24000));
      assert.ok(rig.render(100).every((sample) => sample === 0));
      assert.equal(rig.stat('emittedSamples') + rig.stat('discardedSamples'), 48000);
    });
  });

  it('releases every sample that it has played', () => {
    const rig = new Rig({ capacity: 2 ** 13 });
    const samples = tone(40000);
    rig.begin(1, samples.subarray(0, 8000));
    let sent = 8000;
    while (sent < samples.length) {
      rig.render(10);
      const count = Math.min(rig.writer.free, samples.length - sent);
      rig.write(samples.subarray(sent, sent + count));
      sent += count;
    }
    rig.end(1);
    rig.render(1000);
    assert.equal(rig.stat('underruns'), 0);
    assert.equal(rig.writer.free, 2 ** 13);
    const start = rig.events('start')[0]!.sample;
    const expected = resampled(samples);
    assertSame(
      rig.output.subarray(start + RAMP, start + 79000),
      expected.subarray(RAMP, 79000),
      'through a small ring',
    );
  });

  it('keeps its delay statistics as WebRTC defines them', () => {
    const rig = new Rig();
    rig.utterance(1, tone(24000));
    rig.render(1100);
    // A whole second arrives at once, so a sample waits 0.5 s on average.
    const mean = rig.stat('jitterBufferDelay') / rig.stat('emittedSamples');
    assert.ok(Math.abs(mean - 0.5) < 0.005, `${mean}`);
    assert.ok(Math.abs(rig.stat('jitterBufferTargetDelay') / rig.stat('emittedSamples') - 0.12) < 1e-9);
  });

  it('continues where the positions wrap, between 2^31 - 1 and -2^31 and between -1 and 0', () => {
    const samples = tone(24000);
    const play = (position: number): Rig => {
      const rig = new Rig({ position });
      rig.utterance(1, samples.subarray(0, 12000));
      rig.render(300);
      rig.utterance(2, samples.subarray(12000));
      rig.render(900);
      return rig;
    };
    const reference = play(0);
    for (const position of [2 ** 31 - 5000, -5000, -1, 2 ** 31 - 1]) {
      const rig = play(position);
      assertSame(rig.output, reference.output, `from ${position}`);
      assert.deepEqual(rig.reported, reference.reported);
    }
  });
});
