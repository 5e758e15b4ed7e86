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
import { Rig } from '../worklet/rig.js';

const RATE = 48_000;

/** Returns the recording of a faultless player: the sound with ramps of 4 ms at both ends, and silence around it. */
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

/** Returns a function that inserts `length` zero samples at `at`, as a player does that runs dry. */
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

  it('finds silence of a minimum length, only inside the sound', () => {
    const seconds = silencesOf(heardOf(speech), 0.005).map(({ from, to }) => ((to - from) / RATE).toFixed(2));
    assert.deepEqual(seconds, ['0.25', '0.12']);
  });

  it('reports no gap for a pause that was sent', () => {
    assert.deepEqual(gapsOf(heardOf(speech), speech, 0.005), []);
  });

  it('reports every silence as a gap if the sent sound is unknown', () => {
    assert.equal(gapsOf(heardOf(speech), null, 0.005).length, 2);
  });

  it('finds a gap among pauses that were sent, with its exact position', () => {
    const at = 0.8 * RATE;
    const gaps = gapsOf(heardOf(speech, { change: drySince(at, 0.03 * RATE) }), speech, 0.005);
    assert.equal(gaps.length, 1);
    assert.ok(Math.abs(gaps[0]!.from - (at + 0.1 * RATE)) <= 2);
    assert.ok(Math.abs(gaps[0]!.to - gaps[0]!.from - 0.03 * RATE) <= 4);
  });

  it('finds a gap in a pause if it makes the pause much longer', () => {
    const inPause = 0.5 * RATE;
    assert.deepEqual(gapsOf(heardOf(speech, { change: drySince(inPause, 0.1 * RATE) }), speech, 0.005), []);
    assert.equal(gapsOf(heardOf(speech, { change: drySince(inPause, 0.4 * RATE) }), speech, 0.005).length, 1);
  });

  it('finds no click in a tone, nor at its beginning and end', () => {
    // A tone that is cut off would click. This one has whole periods, so it begins and ends at zero.
    assert.deepEqual(clicksOf(heardOf(tone(440, 1)), tone(440, 1)), []);
  });

  it('finds the position of one sample that is wrong by a thirtieth of full scale', () => {
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

  it('distinguishes two clicks 20 ms apart', () => {
    const change = (samples: Float32Array): Float32Array => {
      samples[20_000]! += 0.2;
      samples[20_960]! += 0.2;
      return samples;
    };
    assert.equal(clicksOf(heardOf(tone(440, 1), { change }), tone(440, 1)).length, 2);
  });

  it('matches the sent sound except in the ramps', () => {
    const { snr, bad, gain, pitch } = matchOf(heardOf(noise(2, 0.5)), noise(2, 0.5), 60);
    assert.ok(snr > 120, `${snr} dB`);
    assert.equal(bad, null);
    assert.ok(Math.abs(gain - 1) < 1e-6);
    assert.ok(Math.abs(pitch - 1) < 0.01);
  });

  for (const ms of [60, 90, 125]) {
    it(`matches an utterance of ${ms} ms that the player resamples to 44.1 kHz`, () => {
      for (const sent of [noise(3, ms / 1000), tone(300, ms / 1000)]) {
        const rig = new Rig({ contextRate: 44_100 });
        // 500 samples at 24 kHz are 918.75 at 44.1 kHz, so each sample lies between two of the reference.
        rig.utterance(1, joined(silence(500 / 24_000), sent).samples);
        while (rig.events('drained').length === 0) rig.render(200);
        const { snr, worstSnr, bad, gain } = matchOf({ samples: rig.output, sampleRate: 44_100 }, sent, 60);
        assert.equal(bad, null);
        assert.ok(Math.min(snr, worstSnr) > 60, `${snr} dB, ${worstSnr} dB`);
        assert.ok(Math.abs(gain - 1) < 0.001, `${gain}`);
      }
    });
  }

  it('matches at any level, and reports the gain', () => {
    const { snr, gain } = matchOf(
      heardOf(noise(2, 0.5), { change: (all) => all.map((x) => x / 4) }),
      noise(2, 0.5),
      60,
    );
    assert.ok(snr > 100);
    assert.ok(Math.abs(gain - 0.25) < 1e-6);
  });

  it('reports where samples are missing', () => {
    const cut = Math.round(0.3 * RATE);
    const change = (samples: Float32Array): Float32Array =>
      Float32Array.of(...samples.subarray(0, cut), ...samples.subarray(cut + 100));
    const { snr, bad } = matchOf(heardOf(noise(2, 0.6), { change }), noise(2, 0.6), 40);
    assert.ok(snr < 10);
    // The search has steps of 10 ms.
    assert.ok(Math.abs(bad!.from - (cut + 0.1 * RATE)) <= 0.01 * RATE);
  });

  it('reports a missing beginning', () => {
    const change = (samples: Float32Array): Float32Array => samples.slice(0.1 * RATE);
    const { start, bad } = matchOf(heardOf(noise(2, 0.6), { change }), noise(2, 0.6), 40);
    assert.equal(start, 0);
    assert.ok(bad!.from < 0.1 * RATE);
  });

  it('reports a pitch that is too high', () => {
    const high = resampled({ ...tone(440, 1), sampleRate: 26_122 }, RATE);
    const { pitch } = matchOf({ samples: high, sampleRate: RATE }, tone(440, 1), 40);
    assert.ok(Math.abs(pitch - 26_122 / 24_000) < 0.002, `${pitch}`);
  });
});
