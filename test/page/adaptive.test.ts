import { expect } from 'chai';
import type { FramesSpec, GatewayStep } from '../../src/testing/script.js';
import { longestSilence, pitchOf, sound, SPEECH_RATE } from './support/sound.js';
import { journal, next, removeSpeakers, scriptedSpeaker, speakerOf, transport } from './support/speaker.js';
import { forceSampleRate, heard } from './support/tap.js';

const PITCH = 440;
/** A busy machine may let the gateway be late by more than the 120 ms that are held by default. */
const patientMs = 400;

describe(`<svc-speaker> with an adaptive buffer, transport ${transport}`, () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('plays a service that is slower than speech without a gap, and keeps the pitch', async () => {
    const frames: FramesSpec = { tone: PITCH, seconds: 2.5, pace: 0.91, bytesPerFrame: 960 };
    const speaker = speakerOf(frames, { transport, 'jitter-buffer-target': patientMs });
    const told = journal(speaker);
    await speaker.speak('Slow.').finished;
    const tone = sound(await heard());
    expect(longestSilence(tone).to - longestSilence(tone).from).to.be.lessThan(2);
    expect(pitchOf(tone, SPEECH_RATE)).to.be.closeTo(PITCH, 0.005 * PITCH);
    const stats = speaker.getStats();
    expect(stats.underruns).to.equal(0);
    // All that was put in is heard, and nothing else is.
    expect(tone.length).to.be.closeTo(2.5 * SPEECH_RATE + stats.insertedSamplesForDeceleration, 48);
    expect(stats.insertedSamplesForDeceleration).to.be.greaterThan(0.05 * SPEECH_RATE);
    expect(stats.removedSamplesForAcceleration).to.equal(0);
    expect(told.filter((type) => type === 'waiting')).to.have.length(1); // for the session
    expect(speaker.currentTime).to.equal(2.5);
  });

  it('makes what it has last longer when the network stalls', async () => {
    const before: FramesSpec = { tone: PITCH, seconds: 0.4 };
    const after: FramesSpec = { ...before, seconds: 0.6, from: 0.4 * SPEECH_RATE };
    const steps: GatewayStep[] = [
      { wait: 'end' },
      { frames: before },
      { stall: 430 },
      { frames: after },
      { done: true },
    ];
    const speaker = scriptedSpeaker(steps, { transport, 'jitter-buffer-target': 400 });
    const told = journal(speaker);
    await speaker.speak('Stalled.').finished;
    const tone = sound(await heard());
    expect(longestSilence(tone).to - longestSilence(tone).from).to.be.lessThan(2);
    expect(told.filter((type) => type === 'waiting')).to.have.length(1);
    expect(speaker.getStats().silentConcealedSamples).to.equal(0);
    expect(speaker.getStats().insertedSamplesForDeceleration).to.be.greaterThan(0.04 * SPEECH_RATE);
  });

  it('obeys a change of mode and target at once', async () => {
    const frames: FramesSpec = { tone: PITCH, seconds: 20, pace: 'realtime', bytesPerFrame: 960 };
    const speaker = speakerOf(frames, { transport, 'jitter-buffer-target': 200 });
    await speaker.speak('Long.').started;
    const inserted = (): number => speaker.getStats().insertedSamplesForDeceleration;
    speaker.jitterBufferTarget = 4000;
    while (inserted() < 0.02 * SPEECH_RATE) await next(speaker, 'timeupdate');
    speaker.jitterBuffer = 'fixed';
    await next(speaker, 'timeupdate'); // On the message transport, the audio thread tells every 100 ms.
    const before = inserted();
    await next(speaker, 'timeupdate');
    expect(inserted()).to.equal(before);
    speaker.jitterBuffer = 'adaptive';
    while (inserted() === before) await next(speaker, 'timeupdate');
  });

  it('holds 60 ms for low delay where the network asks for no more', async () => {
    const speaker = speakerOf({ tone: PITCH, seconds: 0.5 }, { transport, 'jitter-buffer': 'low-delay' });
    await speaker.speak('Quick.').finished;
    const { jitterBufferTargetDelay, jitterBufferEmittedCount } = speaker.getStats();
    expect(jitterBufferTargetDelay / jitterBufferEmittedCount).to.be.closeTo(0.06, 0.001);
  });
});
