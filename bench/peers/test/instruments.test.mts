import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { cleanEnergies, countClicks } from '../analysis/clicks.mjs';
import { lostMs } from '../analysis/lost-speech.mjs';
import { convertRate } from '../analysis/rate-conversion.mjs';
import { findGaps, soundBetween } from '../analysis/silence.mjs';
import { bestSineFit } from '../analysis/sine-fit.mjs';
import { SOURCE_RATE, speechSignal } from '../speech-signal.mjs';

const RATE = SOURCE_RATE;
const seconds = (count: number): number => Math.round(count * RATE);

describe('The instruments', () => {
  let source: Int16Array;
  let clean: Float32Array;

  before(() => {
    source = speechSignal(4, 7);
    clean = Float32Array.from(source, (sample) => sample / 32768);
  });

  /** Returns the results of all instruments for a recording at the source's rate. */
  const measure = (recording: Float32Array) => {
    const gaps = findGaps(recording, RATE);
    const clicks = countClicks(recording, cleanEnergies(source));
    const gapMs = gaps.reduce((sum, { from, to }) => sum + ((to - from) * 1000) / RATE, 0);
    return { gaps: gaps.length, gapMs, clicks, lost: lostMs(recording, soundBetween(recording, gaps), source) };
  };

  it('find nothing wrong with the signal itself, pauses included', () => {
    const { gaps, clicks, lost } = measure(join(silence(0.3), clean, silence(0.3)));
    assert.deepEqual([gaps, lost], [0, 0]);
    // The beginning and end of the signal are loud edges. There are no others.
    assert.ok(clicks.count <= 2, `${clicks.count} clicks`);
    assert.equal(countClicks(clean, cleanEnergies(source)).count, 0);
  });

  it('distinguish a gap that loses nothing from one that loses speech', () => {
    const held = measure(join(clean.slice(0, seconds(1.01)), silence(0.1), clean.slice(seconds(1.01))));
    const lossy = measure(join(clean.slice(0, seconds(1.01)), silence(0.1), clean.slice(seconds(1.11))));
    assert.deepEqual([held.gaps, lossy.gaps], [1, 1]);
    for (const { gapMs } of [held, lossy]) assert.ok(Math.abs(gapMs - 100) < 1.5, `${gapMs} ms`);
    assert.ok(held.lost < 3, `${held.lost} ms`);
    assert.ok(Math.abs(lossy.lost - 100) < 6, `${lossy.lost} ms`);
  });

  it('find skipped speech that leaves no gap', () => {
    const { gaps, lost } = measure(join(clean.slice(0, seconds(2)), clean.slice(seconds(2.5))));
    assert.equal(gaps, 0);
    // A piece of 20 ms across the cut counts as one side of it.
    assert.ok(Math.abs(lost - 500) < 12, `${lost} ms`);
  });

  it('find nothing lost where speech was repeated or came in fragments', () => {
    const parts: Float32Array[] = [];
    for (let at = 0; at < 4; at += 0.04) parts.push(clean.slice(seconds(at), seconds(at + 0.04)), silence(0.004));
    const repeated = join(clean.slice(0, seconds(1)), clean.slice(seconds(0.95)));
    assert.ok(measure(repeated).lost < 3);
    const fragments = measure(join(...parts));
    assert.equal(fragments.gaps, 99);
    assert.ok(fragments.lost < 20, `${fragments.lost} ms`);
  });

  it('detect a hard edge in a vowel, but not a ramp of 5 ms', () => {
    // The loudest sample of the first second, where a cut is clearly audible.
    const at = clean.subarray(0, seconds(1)).reduce((best, sample, i, all) => (sample > all[best]! ? i : best), 0);
    const hard = clean.slice();
    hard.fill(0, at, at + seconds(0.05));
    const soft = clean.map((sample, i) => sample * Math.min(1, Math.max(0, Math.abs(i - at) / seconds(0.005) - 1)));
    assert.ok(countClicks(hard, cleanEnergies(source)).count >= 1);
    assert.equal(countClicks(soft, cleanEnergies(source)).count, 0);
  });

  it('find no fault after a conversion to another rate and back', () => {
    for (const rate of [44100, 48000]) {
      const there = convertRate(clean, RATE, rate);
      const back = convertRate(there, rate, RATE);
      assert.equal(countClicks(back.subarray(480, -480), cleanEnergies(source)).count, 0);
      assert.ok(lostMs(back, [{ from: 0, to: back.length }], source) < 1);
    }
  });

  it('measure a sine to the limit of 16 bits, and a known disturbance exactly', () => {
    const sine = (hz: number) =>
      Float32Array.from({ length: RATE }, (_, i) => Math.sin((2 * Math.PI * hz * i) / RATE) / 2);
    const rounded = sine(1000).map((sample) => Math.round(sample * 32768) / 32768);
    assert.ok(bestSineFit(rounded, 1000, RATE).sndrDb > 90);
    const image = sine(7000);
    const disturbed = sine(1000).map((sample, i) => sample + image[i]! / 100);
    assert.ok(Math.abs(bestSineFit(disturbed, 1000, RATE).sndrDb - 40) < 0.1);
    // Our rate conversion must be better than the players that it measures.
    const converted = convertRate(sine(9000), RATE, 48000);
    assert.ok(bestSineFit(converted, 9000, 48000).sndrDb > 95);
  });
});

function silence(duration: number): Float32Array {
  return new Float32Array(seconds(duration));
}

function join(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
