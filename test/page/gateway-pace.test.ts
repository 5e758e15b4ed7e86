import { expect } from 'chai';
import type { FramesSpec } from '../../src/testing/script.js';
import { assertHeard, exact, expected, lastSound, longestSilence, placeOf, SPEECH_RATE } from './support/sound.js';
import {
  ended,
  journal,
  next,
  nextAfter,
  removeSpeakers,
  scriptedSpeaker,
  speakerOf,
  speakInParts,
  speakingInParts,
  speakingOnce,
} from './support/speaker.js';
import { forceSampleRate, heard, heardFor, joined } from './support/tap.js';

/** Maximum length of audible concealment, in samples. It fades to silence within 60 ms and a render quantum. */
const CONCEALED_MOST = 0.06 * SPEECH_RATE + 128;
/** A target that is reached, or times out, quickly. */
const shortBuffer = { 'jitter-buffer': 'fixed', 'jitter-buffer-target': 120 } as const;

describe('<svc-speaker> at the pace of the service', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('plays an utterance that is shorter than the target delay', async () => {
    const frames: FramesSpec = { noise: 11, seconds: 0.08 };
    const speaker = speakerOf(frames, exact);
    await speaker.speak('Yes.').finished;
    assertHeard(await heard(), [expected(frames)]);
  });

  it('plays less than the target delay if no more arrives for twice the delay, and fades out', async () => {
    const frames: FramesSpec = { noise: 12, seconds: 0.08, bytesPerFrame: 2 ** 20 };
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames }, { wait: 'end' }], shortBuffer);
    const dry = nextAfter(speaker, 'playing', 'waiting');
    const utterance = speaker.speak('Well …');
    await dry;
    const recording = await heard();
    const end = placeOf(recording, expected(frames)) + expected(frames).length;
    expect(lastSound(recording) - end).to.be.within(0, CONCEALED_MOST);
    utterance.cancel();
  });

  it('reports buffered audio before it plays', async () => {
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: { noise: 15, seconds: 1 } }, { wait: 'end' }], exact);
    speaker.speak('Not yet.');
    await next(speaker, 'canplay');
    while (speaker.buffered.length === 0 || speaker.buffered.end(0) < 1) await heard();
    expect(speaker.currentTime).to.equal(0);
    speaker.cancel();
  });

  it('reports an underrun once, conceals its beginning, and loses nothing', async () => {
    const first: FramesSpec = { noise: 14, seconds: 0.05 };
    const before: FramesSpec = { noise: 13, seconds: 0.2, bytesPerFrame: 2 ** 20 };
    const after: FramesSpec = { ...before, seconds: 0.3, from: 0.2 * SPEECH_RATE };
    const speaker = scriptedSpeaker(
      [{ wait: 'synthesize' }, ...speakingOnce(first), ...speakingInParts(before, after)],
      { ...exact, 'keep-open': true },
    );
    await speaker.speak('The first utterance starts the output.').finished;
    await ended(speaker);
    const events = journal(speaker);
    const underrun = next(speaker, 'underrun');
    const dry = nextAfter(speaker, 'playing', 'waiting');
    // The first part fills the buffer at once. Playback then resumes when the end of the speech has arrived, too.
    speaker.jitterBufferTarget = 120;
    const { utterance, goOn } = speakInParts(speaker, 2);
    await dry;
    speaker.jitterBufferTarget = 4000;
    const beforeGap = await heard();
    const gap = await heardFor(0.2);
    goOn();
    await utterance.finished;
    const recording = joined(beforeGap, gap, await heard());
    const from = placeOf(recording, expected(before)) + expected(before).length;
    const to = placeOf(recording, expected(after));
    const silence = longestSilence(recording.subarray(from, to));
    expect(silence.from).to.be.at.most(CONCEALED_MOST);
    expect(silence.to - silence.from).to.be.greaterThan(0.1 * SPEECH_RATE);
    expect((await underrun).durationMs).to.be.closeTo(((to - from) / SPEECH_RATE) * 1000, 1);
    expect(events.filter((type) => type === 'underrun')).to.have.length(1);
    expect(events.filter((type) => type === 'playing')).to.have.length(2);
    const { underruns, concealmentEvents, concealedSamples, silentConcealedSamples } = speaker.getStats();
    expect([underruns, concealmentEvents]).to.deep.equal([1, 1]);
    expect(concealedSamples).to.be.closeTo(to - from, 0.001 * SPEECH_RATE);
    // At the end of its fade, concealment is rounded to zero before it counts as silent.
    expect(silentConcealedSamples).to.be.closeTo(silence.to - silence.from, 0.002 * SPEECH_RATE);
  });
});
