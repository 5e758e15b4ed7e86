import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../src/index.js';
import type { FramesSpec } from '../../src/testing/script.js';
import { longestSilence, pitchOf, sound, SPEECH_RATE } from './support/sound.js';
import {
  journal,
  next,
  removeSpeakers,
  scriptedSpeaker,
  speakerOf,
  speakingInParts,
  speakInParts,
  transport,
} from './support/speaker.js';
import { forceSampleRate, heard } from './support/tap.js';

const PITCH = 440;
/** As much as the buffer holds at most, so that a slow page has some seconds until it runs dry. */
const LEAD_SECONDS = 4;
const whole: FramesSpec = { tone: PITCH, seconds: LEAD_SECONDS + 1, bytesPerFrame: 960 };
/** Arrives at once. */
const lead: FramesSpec = { ...whole, seconds: LEAD_SECONDS };
/** Arrives when the test calls `goOn`. */
const rest: FramesSpec = { ...whole, seconds: 1, from: LEAD_SECONDS * SPEECH_RATE };

/** Resolves when the audio thread has reported `count` new positions. */
async function reports(speaker: SvcSpeakerElement, count: number): Promise<void> {
  for (let seen = 0, last = emitted(speaker); seen < count;) {
    await next(speaker, 'timeupdate');
    if (emitted(speaker) === last) continue;
    last = emitted(speaker);
    seen++;
  }
}

const emitted = (speaker: SvcSpeakerElement): number => speaker.getStats().jitterBufferEmittedCount;
const inserted = (speaker: SvcSpeakerElement): number => speaker.getStats().insertedSamplesForDeceleration;

describe(`<svc-speaker> with an adaptive buffer, transport ${transport}`, () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  // For all kinds of arrival, without a real clock, see test/unit/worklet/adaptive.test.ts.
  it('slows down when speech stops arriving, without a gap, and keeps the pitch', async () => {
    const speaker = scriptedSpeaker(speakingInParts(lead, rest), {
      transport,
      'jitter-buffer-target': 1000 * LEAD_SECONDS,
    });
    const events = journal(speaker);
    const { utterance, goOn } = speakInParts(speaker, 2);
    while (inserted(speaker) < 0.04 * SPEECH_RATE) await reports(speaker, 1);
    goOn();
    await utterance.finished;
    const tone = sound(await heard());
    expect(longestSilence(tone).to - longestSilence(tone).from).to.be.lessThan(2);
    expect(pitchOf(tone, SPEECH_RATE)).to.be.closeTo(PITCH, 0.005 * PITCH);
    const stats = speaker.getStats();
    expect([stats.underruns, stats.silentConcealedSamples]).to.deep.equal([0, 0]);
    // Exactly the inserted samples are played in addition.
    expect(tone.length).to.be.closeTo(whole.seconds! * SPEECH_RATE + stats.insertedSamplesForDeceleration, 48);
    expect(stats.removedSamplesForAcceleration).to.equal(0);
    expect(events.filter((type) => type === 'waiting')).to.have.length(1); // for the session
    expect(speaker.currentTime).to.equal(whole.seconds);
  });
  it('applies a change of mode and target at once', async () => {
    const frames: FramesSpec = { tone: PITCH, seconds: 20, pace: 'realtime', bytesPerFrame: 960 };
    const speaker = speakerOf(frames, { transport, 'jitter-buffer-target': 200 });
    await speaker.speak('Long.').started;
    speaker.jitterBufferTarget = 4000;
    while (inserted(speaker) < 0.02 * SPEECH_RATE) await reports(speaker, 1);
    speaker.jitterBuffer = 'fixed';
    await reports(speaker, 2); // the first may be from before
    const before = inserted(speaker);
    await reports(speaker, 1);
    expect(inserted(speaker)).to.equal(before);
    speaker.jitterBuffer = 'adaptive';
    while (inserted(speaker) === before) await reports(speaker, 1);
  });

  it('holds 60 ms for low delay on a network without jitter', async () => {
    const frames: FramesSpec = { tone: PITCH, seconds: 0.3, bytesPerFrame: 2 ** 20 };
    const targets: number[] = [];
    for (let round = 0; round < 5; round++) {
      const speaker = speakerOf(frames, { transport, 'jitter-buffer': 'low-delay' });
      await speaker.speak('Quick.').finished;
      const { jitterBufferTargetDelay, jitterBufferEmittedCount } = speaker.getStats();
      targets.push(jitterBufferTargetDelay / jitterBufferEmittedCount);
      await removeSpeakers();
    }
    // Below the 120 ms of the other modes. A busy processor looks like a late network, so the minimum counts.
    expect(Math.min(...targets)).to.be.within(0.059, 0.11);
  });
});
