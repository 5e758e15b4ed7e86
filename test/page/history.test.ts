import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../src/index.js';
import { type FramesSpec, pcmOf, speaking } from '../../src/testing/script.js';
import { assertBeginning, assertHeard, exact, expected, lastSound, placeOf, SPEECH_RATE } from './support/sound.js';
import {
  allReceived,
  ended,
  makeSpeaker,
  next,
  rejection,
  removeSpeakers,
  scriptedSessions,
  speakingInParts,
  speakInParts,
  transport,
} from './support/speaker.js';
import { forceSampleRate, heard, heardFor, heardToSilence, joined, nextFrame } from './support/tap.js';

/**
 * Maximum length of the sound after a seek, in samples: a render quantum of 128 samples, a ramp of 5 ms, and the
 * delivery of the command to the audio thread. A message takes longer on a busy machine. Without the seek, there would
 * be sound for a second.
 */
const SILENT_WITHIN = 128 + 0.005 * SPEECH_RATE + (transport === 'message' ? 0.4 * SPEECH_RATE : 2 * 128);

const FIRST: FramesSpec = { noise: 81, seconds: 0.6 };
const SECOND: FramesSpec = { noise: 82, seconds: 0.4 };
/** Events of a seek, and the events around it. */
const TYPES = ['play', 'pause', 'playing', 'waiting', 'seeking', 'seeked', 'ended'] as const;

/** Records the types of these events from now on. The returned array grows. */
function typesOf(speaker: SvcSpeakerElement): string[] {
  const types: string[] = [];
  for (const type of TYPES) speaker.addEventListener(type, () => types.push(type));
  return types;
}

/** Creates a speaker that has spoken both utterances, and checks their recording. */
async function spoken(attributes: Record<string, string | number> = {}) {
  const { speaker, sessions } = scriptedSessions([speaking(FIRST), speaking(SECOND)], { ...exact, ...attributes });
  const utterances = [speaker.speak('One.')];
  await ended(speaker);
  utterances.push(speaker.speak('Two.'));
  await ended(speaker);
  assertHeard(await heard(), [expected(FIRST), expected(SECOND)]);
  return { speaker, sessions, utterances, types: typesOf(speaker) };
}

describe('<svc-speaker> that keeps what it has received', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('plays everything again after the end, sample by sample, without a session', async () => {
    const { speaker, sessions, types } = await spoken();
    expect([speaker.seekable.length, speaker.seekable.start(0), speaker.seekable.end(0)]).to.deep.equal([1, 0, 1]);
    expect(speaker.duration).to.equal(1);
    const again = speaker.play();
    for (const end = performance.now() + 100; performance.now() < end;); // the audio thread starts to play in this time
    expect([speaker.seeking, speaker.currentTime, speaker.paused, speaker.ended]).to.deep.equal([
      true,
      0,
      false,
      false,
    ]);
    await again;
    await next(speaker, 'ended');
    assertHeard(await heard(), [joined(expected(FIRST), expected(SECOND))]);
    expect(types).to.deep.equal(['seeking', 'play', 'waiting', 'seeked', 'playing', 'pause', 'ended']);
    expect([speaker.currentTime, speaker.duration]).to.deep.equal([1, 1]);
    expect(sessions.length).to.equal(2);
  });

  it('seeks while it plays: is silent at once, and continues from there', async () => {
    const long: FramesSpec = { noise: 87, seconds: 20 };
    const { speaker, sessions } = scriptedSessions([speaking(long)], exact);
    await speaker.speak('Long.').started;
    await allReceived(speaker);
    const types = typesOf(speaker);
    await heard();
    speaker.currentTime = 19.5;
    expect(speaker.currentTime).to.equal(19.5);
    const during = await heard(); // the tap receives this after the seek
    await ended(speaker);
    const after = joined(during, await heard());
    const rest = expected(long).subarray(19.5 * SPEECH_RATE);
    const from = placeOf(after, rest.subarray(0, 2400));
    expect(lastSound(after.subarray(0, from))).to.be.at.most(during.length + SILENT_WITHIN);
    assertHeard(after.subarray(from), [rest]);
    expect(types).to.deep.equal(['seeking', 'waiting', 'seeked', 'playing', 'pause', 'ended']);
    expect(sessions.length).to.equal(1);
  });

  it('seeks while it is paused, and is heard from there when it plays', async () => {
    const { speaker, types } = await spoken();
    speaker.currentTime = 0.8;
    expect([speaker.paused, speaker.ended, speaker.state]).to.deep.equal([true, false, 'paused']);
    await next(speaker, 'seeked');
    speaker.fastSeek(0.7);
    await next(speaker, 'seeked');
    expect(speaker.currentTime).to.equal(0.7);
    expect(lastSound(await heardFor(0.05))).to.equal(0);
    await speaker.play();
    await ended(speaker);
    assertHeard(await heard(), [expected(SECOND).subarray(0.1 * SPEECH_RATE)]);
    expect(types).to.deep.equal(
      ['seeking', 'seeked', 'seeking', 'seeked'].concat(['play', 'playing', 'pause', 'ended']),
    );
  });

  it('clamps a seek to the history, and refuses values that are not numbers', async () => {
    const { speaker } = await spoken();
    speaker.currentTime = -3;
    expect(speaker.currentTime).to.equal(0);
    speaker.currentTime = 1000;
    expect(speaker.currentTime).to.equal(1);
    expect(() => (speaker.currentTime = Number.NaN)).to.throw(TypeError);
    await next(speaker, 'ended');
    expect(speaker.ended).to.equal(true);
  });

  it('plays audio that arrives after a seek behind the audio before it', async () => {
    const parts: FramesSpec[] = [
      { noise: 83, seconds: 0.5 },
      { noise: 84, seconds: 0.4 },
    ];
    const { speaker } = scriptedSessions([speakingInParts(...parts)], {
      'jitter-buffer': 'fixed',
      'jitter-buffer-target': 400,
    });
    const { utterance, goOn } = speakInParts(speaker, 2);
    await utterance.started;
    await heardFor(0.2);
    speaker.pause();
    speaker.currentTime = 0;
    await next(speaker, 'seeked');
    const received = next(speaker, 'durationchange');
    goOn();
    await received;
    await heard();
    await speaker.play();
    await ended(speaker);
    const after = await heard();
    const whole = joined(...parts.map((part) => expected(part)));
    const from = placeOf(after, whole.subarray(0, 0.1 * SPEECH_RATE));
    assertHeard(after.subarray(from), [whole]);
    expect(speaker.duration).to.equal(0.9);
  });

  it('is silent after a seek to the end, also if not all of the speech fits into the ring', async () => {
    const { speaker } = scriptedSessions([speaking({ noise: 86, seconds: 60 })], exact);
    const utterance = speaker.speak('Long.');
    await utterance.started;
    while (!Number.isFinite(speaker.duration)) await next(speaker, 'durationchange');
    speaker.currentTime = speaker.duration;
    await next(speaker, 'ended');
    await heardToSilence();
    expect(lastSound(await heardFor(0.3))).to.equal(0);
    expect([speaker.currentTime, speaker.ended]).to.deep.equal([60, true]);
  });

  it('plays one utterance again, and pauses at its end', async () => {
    const { speaker, sessions, utterances } = await spoken();
    const [first, second] = utterances;
    expect([first!.startTime, first!.endTime, second!.startTime, second!.endTime]).to.deep.equal([0, 0.6, 0.6, 1]);
    await first!.replay();
    await next(speaker, 'pause');
    assertHeard(await heardToSilence(), [expected(FIRST)]);
    expect([speaker.currentTime, speaker.paused, speaker.ended]).to.deep.equal([0.6, true, false]);
    await speaker.play();
    await ended(speaker);
    assertHeard(await heard(), [expected(SECOND)]);
    expect(sessions.length).to.equal(2);
  });

  it('speaks again after the newest utterance was replayed', async () => {
    const { speaker, sessions, utterances } = await spoken();
    await utterances[1]!.replay();
    await next(speaker, 'ended');
    assertHeard(await heardToSilence(), [expected(SECOND)]);
    await speaker.speak('Again.').finished;
    assertHeard(await heard(), [expected(SECOND)]);
    expect(sessions.length).to.equal(3);
  });

  it('keeps the heard part of a cancelled utterance', async () => {
    const frames: FramesSpec = { noise: 85, seconds: 3 };
    const { speaker, sessions } = scriptedSessions([speaking(frames)], exact);
    const utterance = speaker.speak('On and on.');
    await utterance.started;
    // On the message transport, the position is up to 100 ms old.
    while (speaker.currentTime < 0.1) await nextFrame();
    speaker.cancel();
    await heardToSilence();
    await heard();
    const { endTime } = utterance;
    expect(endTime).to.be.within(0.01, 3);
    expect(speaker.currentTime).to.be.closeTo(endTime, 2 / SPEECH_RATE);
    await utterance.replay();
    await next(speaker, 'ended');
    const place = assertBeginning(await heard(), expected(frames));
    expect((place.to - place.from) / SPEECH_RATE).to.be.closeTo(endTime, 2 / SPEECH_RATE);
    expect(sessions.length).to.equal(1);
  });

  it('exports its history as a WAV file', async () => {
    const { speaker, utterances } = await spoken();
    const samplesOf = async (blob: Blob): Promise<Int16Array> => {
      expect(blob.type).to.equal('audio/wav');
      const context = new OfflineAudioContext(1, 1, SPEECH_RATE);
      const { length, sampleRate } = await context.decodeAudioData(await blob.arrayBuffer());
      const samples = new Int16Array((await blob.arrayBuffer()).slice(44));
      expect([length, sampleRate]).to.deep.equal([samples.length, SPEECH_RATE]);
      return samples;
    };
    const sent = [pcmOf(FIRST), pcmOf(SECOND)];
    expect(await samplesOf(await speaker.toBlob())).to.deep.equal(Int16Array.of(...sent[0]!, ...sent[1]!));
    expect(await samplesOf(await utterances[1]!.toBlob())).to.deep.equal(sent[1]);
    speaker.clearHistory();
    const refused = await Promise.all(
      [speaker.toBlob(), utterances[0]!.toBlob(), utterances[0]!.replay()].map(rejection),
    );
    expect(refused.map((error) => (error as DOMException).name)).to.deep.equal(Array(3).fill('InvalidStateError'));
    expect(speaker.seekable.length).to.equal(0);
    expect(speaker.currentTime).to.equal(0);
  });

  it('keeps nothing with history="0": play() after the end speaks again', async () => {
    const { speaker, sessions } = await spoken({ history: 0 });
    expect(speaker.seekable.length).to.equal(0);
    speaker.currentTime = 0.2;
    expect([speaker.currentTime, speaker.seeking]).to.deep.equal([1, false]);
    speaker.text = 'Again.';
    await speaker.play();
    expect(sessions.length).to.equal(3);
  });

  it('forgets everything at once if its history becomes 0 after the end', async () => {
    const { speaker, sessions } = await spoken();
    const shrunk = next(speaker, 'progress');
    speaker.history = 0;
    expect(speaker.seekable.length).to.equal(0);
    await shrunk;
    speaker.text = 'Again.';
    await speaker.play();
    expect(sessions.length).to.equal(3);
  });

  it('plays what is left if its history is lowered after the end', async () => {
    const { speaker, sessions } = await spoken();
    speaker.history = 0.1;
    void speaker.play();
    await next(speaker, 'ended');
    assertHeard(await heard(), [expected(SECOND).subarray(0.3 * SPEECH_RATE)]);
    await speaker.play();
    await next(speaker, 'ended');
    expect(sessions.length).to.equal(2);
  });

  it('speaks again after the end if its text has changed', async () => {
    const { speaker, sessions } = await spoken();
    speaker.text = 'Something else.';
    await speaker.play();
    expect(sessions.length).to.equal(3);
    await ended(speaker);
    expect(speaker.duration).to.be.closeTo(1.4, 1e-9);
  });

  it('has nothing to seek before it has spoken', () => {
    const speaker = makeSpeaker();
    expect([speaker.history, speaker.seekable.length, speaker.seeking]).to.deep.equal([600, 0, false]);
    speaker.currentTime = 3;
    expect(speaker.currentTime).to.equal(0);
    speaker.history = 5000;
    expect(speaker.history).to.equal(3600);
  });
});
