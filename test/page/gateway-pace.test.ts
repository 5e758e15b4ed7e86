import { expect } from 'chai';
import type { FramesSpec, GatewayStep } from '../../src/testing/script.js';
import { assertHeard, exact, expected, lastSound, longestSilence, placeOf, SPEECH_RATE } from './support/sound.js';
import { journal, next, removeSpeakers, scriptedSpeaker, speakerOf, speakingOnce } from './support/speaker.js';
import { forceSampleRate, heard } from './support/tap.js';

/** What is made up where nothing has come ends in silence after 60 ms, and a quantum. */
const CONCEALED_MOST = 0.06 * SPEECH_RATE + 128;

/** A busy machine may let the gateway be late by more than the 120 ms that are held by default. */
const patientMs = 400;

describe('<svc-speaker> at the pace of the service', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('plays without a gap what comes in real time', async () => {
    const frames: FramesSpec = { noise: 10, seconds: 1, pace: 'realtime', bytesPerFrame: 960 };
    const speaker = speakerOf(frames, { ...exact, 'jitter-buffer-target': patientMs });
    const events = journal(speaker);
    await speaker.speak('Steady.').finished;
    assertHeard(await heard(), [expected(frames)]);
    expect(speaker.getStats().underruns).to.equal(0);
    expect(speaker.getStats().concealedSamples).to.equal(0);
    expect(events).not.to.include('underrun');
  });

  it('plays an utterance that is shorter than the target delay', async () => {
    const frames: FramesSpec = { noise: 11, seconds: 0.08 };
    const speaker = speakerOf(frames, { ...exact, 'jitter-buffer-target': 4000 });
    await speaker.speak('Yes.').finished;
    assertHeard(await heard(), [expected(frames)]);
  });

  it('plays less than the target delay when no more has come for twice as long, and fades out', async () => {
    const frames: FramesSpec = { noise: 12, seconds: 0.08 };
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames }, { wait: 'end' }], exact);
    const utterance = speaker.speak('Well …');
    await next(speaker, 'waiting'); // for the session
    await next(speaker, 'waiting'); // for the rest
    const recording = await heard();
    const end = placeOf(recording, expected(frames)) + expected(frames).length;
    expect(lastSound(recording) - end).to.be.within(0, CONCEALED_MOST);
    utterance.cancel();
  });

  it('tells what it holds before it plays', async () => {
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: { noise: 15, seconds: 1 } }, { wait: 'end' }], {
      'jitter-buffer-target': 4000,
    });
    speaker.speak('Not yet.');
    await next(speaker, 'canplay');
    while (speaker.buffered.length === 0 || speaker.buffered.end(0) < 1) await heard();
    expect(speaker.currentTime).to.equal(0);
    speaker.cancel();
  });

  it('tells an underrun once, makes up for its beginning, and loses nothing', async () => {
    const before: FramesSpec = { noise: 13, seconds: 0.2 };
    const after: FramesSpec = { ...before, seconds: 0.3, from: 0.2 * SPEECH_RATE };
    const first: FramesSpec = { noise: 14, seconds: 0.05 };
    const stalled: GatewayStep[] = [
      { wait: 'end' },
      { frames: before },
      { stall: 400 },
      { frames: after },
      { done: true },
    ];
    const speaker = scriptedSpeaker([...speakingOnce(first), ...stalled], { ...exact, 'keep-open': true });
    await speaker.speak('By now everything runs.').finished;
    const events = journal(speaker);
    const underrun = next(speaker, 'underrun');
    await speaker.speak('Stalled.').finished;
    const recording = await heard();
    const from = placeOf(recording, expected(before)) + expected(before).length;
    const to = placeOf(recording, expected(after));
    const silence = longestSilence(recording.subarray(from, to));
    expect(silence.from).to.be.at.most(CONCEALED_MOST);
    // 400 ms, of which 200 ms were in store.
    expect(silence.to - silence.from).to.be.greaterThan(0.1 * SPEECH_RATE);
    expect((await underrun).durationMs).to.be.closeTo(((to - from) / SPEECH_RATE) * 1000, 1);
    expect(events.filter((type) => type === 'underrun')).to.have.length(1);
    expect(events.filter((type) => type === 'playing')).to.have.length(2);
    const { underruns, concealmentEvents, concealedSamples, silentConcealedSamples } = speaker.getStats();
    expect([underruns, concealmentEvents]).to.deep.equal([1, 1]);
    expect(concealedSamples).to.be.closeTo(to - from, 0.001 * SPEECH_RATE);
    // At the end of its fade, what is made up is rounded to zero before it is silent.
    expect(silentConcealedSamples).to.be.closeTo(silence.to - silence.from, 0.002 * SPEECH_RATE);
  });
});
