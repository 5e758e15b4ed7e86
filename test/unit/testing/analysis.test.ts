import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  clicksOf,
  gapsOf,
  type Heard,
  matchOf,
  resampled,
  silencesOf,
  soundOf,
} from '../../../src/testing/analysis.js';
import { joined, noise, silence, tone } from '../../../src/testing/index.js';
import type { Sound } from '../../../src/testing/sound.js';

const RATE = 48_000;

/** What a player without fault makes of a sound: a ramp of 4 ms at both ends, and silence around. */
function heardOf(sound: Sound, { lead = 0.1, change = (samples: Float32Array): Float32Array => samples } = {}): Heard {
  const played = change(resampled(sound, RATE));
  const ramp = 0.004 * RATE;
  for (let i = 0; i < ramp; i++) {
    const gain = 0.5 - 0.5 * Math.cos((Math.PI * i) / ramp);
    played[i]! *= gain;
    played[played.length - 1 - i]! *= gain;
  }
  const samples = new Float32Array(lead * RATE + played.length + 0.2 * RATE);
  samples.set(played, lead * RATE);
  return { samples, sampleRate: RATE };
}

/** A recording with so many samples of nothing put in, as when a player runs dry. */
function drySince(at: number, length: number): (samples: Float32Array) => Float32Array {
  return (samples) => {
    const longer = new Float32Array(samples.length + length);
    longer.set(samples.subarray(0, at));
    longer.set(samples.subarray(at), at + length);
    return longer;
  };
}

const speech = joined(tone(300, 0.4), silence(0.25), tone(500, 0.3), silence(0.12), tone(200, 0.5));

describe('The analysis of a recording', () => {
  it('finds where sound begins and ends', () => {
    const { from, to } = soundOf(heardOf(noise(1, 0.5)));
    assert.ok(Math.abs(from - 0.1 * RATE) < 0.001 * RATE);
    assert.ok(Math.abs(to - 0.6 * RATE) < 0.001 * RATE);
  });

  it('finds no sound in silence', () => {
    assert.deepEqual(soundOf({ samples: new Float32Array(9), sampleRate: RATE }), { from: 9, to: 9 });
  });

  it('finds silence of some length inside the sound only', () => {
    const seconds = silencesOf(heardOf(speech), 0.005).map(({ from, to }) => ((to - from) / RATE).toFixed(2));
    assert.deepEqual(seconds, ['0.25', '0.12']);
  });

  it('takes no pause that was sent for a gap', () => {
    assert.deepEqual(gapsOf(heardOf(speech), speech, 0.005), []);
  });

  it('takes every silence for a gap where it does not know what was sent', () => {
    assert.equal(gapsOf(heardOf(speech), null, 0.005).length, 2);
  });

  it('finds a gap beside pauses that were sent, to the sample', () => {
    const at = 0.8 * RATE;
    const gaps = gapsOf(heardOf(speech, { change: drySince(at, 0.03 * RATE) }), speech, 0.005);
    assert.equal(gaps.length, 1);
    assert.ok(Math.abs(gaps[0]!.from - (at + 0.1 * RATE)) <= 2);
    assert.ok(Math.abs(gaps[0]!.to - gaps[0]!.from - 0.03 * RATE) <= 4);
  });

  it('finds a gap in a pause if it makes that much longer', () => {
    const inPause = 0.5 * RATE;
    assert.deepEqual(gapsOf(heardOf(speech, { change: drySince(inPause, 0.1 * RATE) }), speech, 0.005), []);
    assert.equal(gapsOf(heardOf(speech, { change: drySince(inPause, 0.4 * RATE) }), speech, 0.005).length, 1);
  });

  it('finds no click in speech, nor where it begins and ends', () => {
    // Tones that are cut off click: those of `speech` begin and end in the middle of nothing, at zero.
    assert.deepEqual(clicksOf(heardOf(tone(440, 1)), tone(440, 1)), []);
  });

  it('finds one sample that is wrong by a thirtieth of full scale, and says where', () => {
    const clicks = clicksOf(
      heardOf(tone(440, 1), {
        change: (samples) => {
          samples[30_000]! += 1 / 30;
          return samples;
        },
      }),
      tone(440, 1),
    );
    assert.equal(clicks.length, 1);
    assert.ok(Math.abs(clicks[0]!.at - (30_000 + 0.1 * RATE)) <= 1);
  });

  it('finds two clicks 20 ms apart as two', () => {
    const change = (samples: Float32Array): Float32Array => {
      samples[20_000]! += 0.2;
      samples[20_960]! += 0.2;
      return samples;
    };
    assert.equal(clicksOf(heardOf(tone(440, 1), { change }), tone(440, 1)).length, 2);
  });

  it('matches what was sent, but for the ramps', () => {
    const { snr, bad, gain, pitch } = matchOf(heardOf(noise(2, 0.5)), noise(2, 0.5), 60);
    assert.ok(snr > 120, `${snr} dB`);
    assert.equal(bad, null);
    assert.ok(Math.abs(gain - 1) < 1e-6);
    assert.ok(Math.abs(pitch - 1) < 0.01);
  });

  it('matches at any loudness, and says how loud', () => {
    const { snr, gain } = matchOf(
      heardOf(noise(2, 0.5), { change: (all) => all.map((x) => x / 4) }),
      noise(2, 0.5),
      60,
    );
    assert.ok(snr > 100);
    assert.ok(Math.abs(gain - 0.25) < 1e-6);
  });

  it('says from where on samples are missing', () => {
    const cut = Math.round(0.3 * RATE);
    const change = (samples: Float32Array): Float32Array =>
      Float32Array.of(...samples.subarray(0, cut), ...samples.subarray(cut + 100));
    const { snr, bad } = matchOf(heardOf(noise(2, 0.6), { change }), noise(2, 0.6), 40);
    assert.ok(snr < 10);
    // It is looked for in steps of 10 ms.
    assert.ok(Math.abs(bad!.from - (cut + 0.1 * RATE)) <= 0.01 * RATE);
  });

  it('finds the beginning that is missing', () => {
    const change = (samples: Float32Array): Float32Array => samples.slice(0.1 * RATE);
    const { start, bad } = matchOf(heardOf(noise(2, 0.6), { change }), noise(2, 0.6), 40);
    assert.equal(start, 0);
    assert.ok(bad!.from < 0.1 * RATE);
  });

  it('tells a pitch that is too high', () => {
    const high = resampled({ ...tone(440, 1), sampleRate: 26_122 }, RATE);
    const { pitch } = matchOf({ samples: high, sampleRate: RATE }, tone(440, 1), 40);
    assert.ok(Math.abs(pitch - 26_122 / 24_000) < 0.002, `${pitch}`);
  });
});
