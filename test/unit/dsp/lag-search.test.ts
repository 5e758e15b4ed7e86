import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LagSearch } from '../../../src/dsp/lag-search.js';
import { generator, voice } from '../worklet/voice.js';

/** Parameters of the time stretch at 24 kHz, in samples: 10 ms are compared, at lags of 5 to 15 ms. */
const WINDOW = 240;
const MIN = 120;
const MAX = 360;

const search = (): LagSearch => new LagSearch(24000, WINDOW, MAX);

describe('LagSearch', () => {
  for (const direction of [-1, 1] as const) {
    it(`finds the pitch period to the sample, ${direction < 0 ? 'into the past' : 'into the future'}`, () => {
      for (const period of [131, 160, 218, 299]) {
        const samples = Int16Array.from({ length: 2000 }, (_, i) => {
          const phase = (i % period) / period;
          return 8000 * Math.exp(-5 * phase) * Math.cos(40 * phase);
        });
        const one = search();
        one.search(samples, 800, MIN, MAX, direction);
        assert.equal(Math.sign(one.lag), direction);
        // A lag of two periods is as similar as one of one period.
        assert.ok(one.lag % period === 0, `${one.lag} for a period of ${period}`);
        assert.ok(one.similarity > 0.999);
      }
    });
  }

  it('finds no similarity in noise, and measures power and crossings', () => {
    const random = generator(4);
    const samples = Int16Array.from({ length: 2000 }, () => 20000 * (random() - 0.5));
    const one = search();
    one.search(samples, 800, MIN, MAX, -1);
    assert.ok(one.similarity < 0.5);
    assert.ok(Math.abs(one.power - 20000 ** 2 / 12) < 0.2 * (20000 ** 2 / 12));
    assert.ok(Math.abs(one.crossings - 0.5) < 0.1);
    assert.ok(one.peakPower > one.power);
  });

  it('reads no sample outside the given range', () => {
    const speech = voice(1, 2);
    for (const direction of [-1, 1] as const) {
      const from = direction < 0 ? 5000 - MAX : 5000;
      const one = search();
      one.search(speech, 5000, MIN, MAX, direction);
      const other = search();
      const loud = new Int16Array(speech.length).fill(32767);
      loud.set(speech.subarray(from, from + MAX + WINDOW), from);
      other.search(loud, 5000, MIN, MAX, direction);
      assert.equal(other.lag, one.lag);
      assert.equal(other.similarity, one.similarity);
      assert.equal(other.peakPower, one.peakPower);
    }
  });

  it('stays finite in silence and at full scale', () => {
    for (const value of [0, -32768]) {
      const one = search();
      one.search(new Int16Array(2000).fill(value), 800, MIN, MAX, 1);
      assert.ok(one.lag >= MIN && one.lag <= MAX);
      assert.ok(Number.isFinite(one.similarity) && one.similarity <= 1.0001);
    }
  });

  it('honours a range that is shorter than the maximum', () => {
    const one = search();
    one.search(voice(1, 3), 5000, MIN, 150, -1);
    assert.ok(one.lag <= -MIN && one.lag >= -150);
  });
});
