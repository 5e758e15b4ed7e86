import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { peak, Rig, soundingRange, tone } from './rig.js';
import { generator, voice } from './voice.js';

const isLong = process.env.SVC_LONG !== undefined;

/** Tolerance of a duration: the deviation that forces a splice, the longest splice, and the unspliced start and end. */
const SLACK_SECONDS = 0.05 + 0.015 + 0.02 + 0.025;

/** Signals that may be difficult for the time stretch. */
const signals: Record<string, (samples: number, seed: number) => Int16Array> = {
  voice: (samples, seed) => voice(samples / 24000, seed),
  noise: (samples, seed) => {
    const random = generator(seed);
    return Int16Array.from({ length: samples }, () => random() * 65536 - 32768);
  },
  silence: (samples) => new Int16Array(samples),
  'full-scale square wave': (samples, seed) =>
    Int16Array.from({ length: samples }, (_, i) => (i % (50 + (seed % 400)) < 30 ? -32768 : 32767)),
  'lowest value': (samples) => new Int16Array(samples).fill(-32768),
  impulses: (samples, seed) =>
    Int16Array.from({ length: samples }, (_, i) => (i % (100 + (seed % 900)) === 0 ? 32767 : 0)),
};

/** Parameters of a signal instead of its samples, so that the report of a failure is readable. */
const anySignal = fc.record({
  name: fc.constantFrom(...Object.keys(signals)),
  length: fc.integer({ min: 12000, max: 60000 }),
  seed: fc.nat(1e6),
});
const anyRate = fc.oneof(fc.constantFrom(0.5, 1, 2), fc.double({ min: 0.5, max: 2, noNaN: true }));

const make = ({ name, length, seed }: { name: string; length: number; seed: number }): Int16Array =>
  signals[name]!(length, seed);

function play(samples: Int16Array, options: ConstructorParameters<typeof Rig>[0]): Rig {
  const rig = new Rig(options);
  rig.utterance(1, samples);
  const seconds = samples.length / 24000 / (options?.rate ?? 1);
  rig.render(seconds * 1000 + 150);
  return rig;
}

describe('playback rate', () => {
  it('changes the duration of speech as the rate requires, plays every sample, and stays finite', () => {
    fc.assert(
      fc.property(anySignal, anyRate, (signal, rate) => {
        const samples = make(signal);
        const rig = play(samples, { rate });
        const seconds = (rig.events('end')[0]!.sample - rig.events('start')[0]!.sample) / 48000;
        const wanted = samples.length / 24000 / rate;
        assert.ok(Math.abs(seconds - wanted) <= SLACK_SECONDS, `${seconds} s instead of ${wanted} s at ${rate}`);
        assert.equal(rig.stat('emittedSamples'), samples.length);
        const made = samples.length + rig.stat('insertedSamples') - rig.stat('removedSamples');
        assert.equal(Math.round(seconds * 48000), 2 * made, 'the books are right');
        // The magnitudes of a filter row add up to less than 4. Noise of full-scale steps reaches almost half of that.
        assert.ok(peak(rig.output) < 4, `${peak(rig.output)}`);
      }),
      { numRuns: isLong ? 60 : 30 },
    );
  });

  it('renders the same output bit for bit whatever the quantum', () => {
    fc.assert(
      fc.property(anySignal, anyRate, fc.constantFrom(1, 64, 441, 480, 1024, 2048), (signal, rate, quantum) => {
        const samples = make(signal);
        const reference = play(samples, { rate }).output;
        const other = play(samples, { rate, quantum }).output;
        const length = Math.min(reference.length, other.length);
        assert.deepEqual(other.subarray(0, length), reference.subarray(0, length));
      }),
      { numRuns: isLong ? 40 : 15 },
    );
  });

  for (const rate of [0.5, 0.75, 1.5, 2]) {
    it(`keeps the pitch of a tone at rate ${rate}, without a step`, () => {
      const rig = play(tone(72000, 24000, 150), { rate });
      const [from, to] = soundingRange(rig.output);
      const inner = rig.output.subarray(from + 4800, to - 4800);
      let crossings = 0;
      for (let i = 1; i < inner.length; i++) if (inner[i - 1]! < 0 !== inner[i]! < 0) crossings++;
      // Splices may be a sample off the pitch period: less than 0.5 %.
      assert.ok(Math.abs((crossings / 2 / inner.length) * 48000 - 150) < 0.75);
      let largest = 0;
      for (let i = 1; i < inner.length; i++) largest = Math.max(largest, Math.abs(inner[i]! - inner[i - 1]!));
      // The largest step of the tone itself is 0.0098.
      assert.ok(largest < 0.0102, `a step of ${largest}`);
    });
  }

  for (const sourceRate of [8000, 16000, 24000, 44100, 48000]) {
    it(`keeps the pitch of a tone within 1 Hz, at any rate, for speech of ${sourceRate} Hz`, () => {
      for (const [rate, hz] of [
        ...[0.5, 0.75, 0.9, 1.1, 1.25, 1.5, 2].map((pace) => [pace, 440] as const),
        ...[150, 277, 300, 550, 660].map((pitch) => [2, pitch] as const),
      ]) {
        const rig = new Rig({ rate, sourceRate, capacity: 2 ** 18 });
        rig.utterance(1, tone(3 * sourceRate, sourceRate, hz));
        rig.render(3000 / rate + 150);
        const [from, to] = soundingRange(rig.output);
        const heard = pitchNear(hz, rig.output.subarray(from + 9600, to - 9600), 48000);
        assert.ok(Math.abs(heard - hz) < 1, `${heard} Hz instead of ${hz} Hz at rate ${rate}`);
      }
    });
  }

  it('is bit-exact again once the rate is back at 1', () => {
    const samples = voice(6);
    const rig = new Rig({ rate: 1.5 });
    rig.utterance(1, samples);
    rig.render(1000);
    rig.setRate(1);
    rig.render(5000);
    const plain = play(samples, {}).output;
    const shift = rig.events('end')[0]!.sample - 2 * samples.length;
    const from = 72000;
    assert.ok(shift < -15000, 'a second at 1.5 took half a second out');
    for (let i = from; i < rig.output.length - 48000; i++) {
      if (rig.output[i] !== (plain[i - shift] ?? 0))
        assert.fail(`sample ${i}: ${rig.output[i]}, not ${plain[i - shift]}`);
    }
  });

  it('reports the start of the next utterance when its first sample plays', () => {
    const first = tone(48000, 24000, 300);
    const second = tone(24000, 24000, 3000);
    const rig = new Rig({ rate: 0.7 });
    rig.utterance(1, first);
    rig.utterance(2, second);
    rig.render(5500);
    const start = rig.events('start')[1]!.sample;
    assert.equal(start, rig.events('end')[0]!.sample);
    const power = (from: number): number => {
      let sum = 0;
      // The difference over one period of 3 kHz removes the tone.
      for (let i = from; i < from + 96; i++) sum += (rig.output[i]! - rig.output[i + 16]!) ** 2;
      return sum / 96;
    };
    assert.ok(power(start + 256) < 1e-6, 'the tone after it');
    assert.ok(power(start - 1200) > 1e-6, 'the other tone before it');
  });
});

/** Measures the mean frequency of a tone near `expected`, in Hz, from the phases of its parts of 20 ms. */
function pitchNear(expected: number, samples: Float32Array, sampleRate: number): number {
  const part = sampleRate / 50;
  let turns = 0;
  let before = Number.NaN;
  let parts = 0;
  for (let from = 0; from + part <= samples.length; from += part, parts++) {
    let cosine = 0;
    let sine = 0;
    for (let i = from; i < from + part; i++) {
      const angle = (2 * Math.PI * expected * i) / sampleRate;
      cosine += samples[i]! * Math.cos(angle);
      sine -= samples[i]! * Math.sin(angle);
    }
    const phase = Math.atan2(sine, cosine) / (2 * Math.PI);
    const step = phase - before;
    if (parts > 0) turns += step - Math.round(step);
    before = phase;
  }
  return expected + (turns * sampleRate) / ((parts - 1) * part);
}
