import { assert } from 'chai';
import { assertHeard, exact, expected, peak, SPEECH_RATE } from './support/sound.js';
import { ended, next, removeSpeakers, scriptedSpeaker, speakerOf } from './support/speaker.js';
import { forceSampleRate, heard, heardFor, heardToSilence, nextFrame } from './support/tap.js';

/** Two steps of a 16-bit sample: louder sound may be audible. */
const INAUDIBLE = 2 ** -14;
const LEAD_IN_MS = 300;

/** Counts the samples of `recording` that are inaudible but not digital silence, and replaces them with silence. */
function takeLeadIn(recording: Float32Array): number {
  let count = 0;
  recording.forEach((sample, i) => {
    if (sample === 0 || Math.abs(sample) > INAUDIBLE) return;
    recording[i] = 0;
    count++;
  });
  return count;
}

describe('lead-in', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('comes before the first sample, once, and counts in no position', async () => {
    const noise = { noise: 41, seconds: 0.5 };
    const speaker = speakerOf(noise, { ...exact, 'lead-in': LEAD_IN_MS });
    speaker.speak('After some silence.');
    await ended(speaker);
    const { jitterBufferEmittedCount, concealedSamples } = speaker.getStats();
    assert.approximately(speaker.currentTime, 0.5, 0.001);
    assert.deepEqual([jitterBufferEmittedCount, concealedSamples], [SPEECH_RATE / 2, 0]);
    speaker.speak('At once.'); // before the output counts as idle
    await ended(speaker);
    const all = await heardToSilence();
    const speech = all.slice();
    takeLeadIn(speech);
    const [first, second] = assertHeard(speech, [expected(noise), expected(noise)]);
    assert.isAtLeast(takeLeadIn(all.slice(0, first!.from)), (LEAD_IN_MS * SPEECH_RATE) / 1000);
    // A ramp has faint samples of its own.
    assert.isBelow(takeLeadIn(all.slice(first!.to, second!.from)), 20, 'the output was not idle');
  });

  it('ends at once when it is cancelled', async () => {
    // While less speech than the target delay has arrived, the lead-in goes on.
    const little = { frames: { noise: 42, seconds: 0.1 } };
    const speaker = scriptedSpeaker([{ wait: 'end' }, little, { wait: 600_000 }], { ...exact, 'lead-in': 1000 });
    const utterance = speaker.speak('Never heard.');
    utterance.finished.catch(() => {});
    await next(speaker, 'canplay');
    for (let part = await heard(); !part.some((sample) => sample !== 0); part = await heard()) await nextFrame();
    speaker.cancel();
    await heard(); // the tap receives this after the cancel
    const after = await heardFor(2);
    assert.isBelow(takeLeadIn(after), SPEECH_RATE / 2, 'not all of it');
    assert.isBelow(peak(after), INAUDIBLE);
    assert.isTrue(after.subarray(-SPEECH_RATE).every((sample) => sample === 0));
  });

  it('is 0 to 1000 ms, and 0 by default', () => {
    const speaker = speakerOf({ noise: 1, seconds: 1 });
    assert.equal(speaker.leadIn, 0);
    for (const [attribute, value] of [
      ['250', 250],
      ['-1', 0],
      ['5000', 1000],
      ['soon', 0],
    ] as const) {
      speaker.setAttribute('lead-in', attribute);
      assert.equal(speaker.leadIn, value, attribute);
    }
    speaker.leadIn = 120;
    assert.equal(speaker.getAttribute('lead-in'), '120');
    assert.throws(() => (speaker.leadIn = Number.NaN), TypeError, 'leadIn');
  });
});
