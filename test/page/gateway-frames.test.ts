import { expect } from 'chai';
import type { SpeakerError } from '../../src/index.js';
import { pcmOf, speaking, type FramesSpec } from '../../src/testing/script.js';
import { assertBeginning, assertHeard, exact, expected, placeOf, SPEECH_RATE } from './support/sound.js';
import {
  endedConnection,
  makeSpeaker,
  next,
  rejection,
  removeSpeakers,
  sessionUrl,
  scriptedSessions,
  scriptedSpeaker,
  speakerOf,
  speakingOnce,
} from './support/speaker.js';
import { forceSampleRate, heard, heardToSilence } from './support/tap.js';

const HEADER_BYTES = 12;

describe('<svc-speaker> plays frames', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  for (const bytesPerFrame of [1, 2, 333, 1921, 2 ** 20]) {
    it(`of ${bytesPerFrame} bytes`, async () => {
      const frames: FramesSpec = { noise: 5, seconds: 0.05, bytesPerFrame };
      const speaker = speakerOf(frames, exact);
      const closed = next(speaker, 'socketclose');
      await speaker.speak('Noise.').finished;
      assertHeard(await heard(), [expected(frames)]);
      // The final counts come with `socketclose`. Until then, they are up to 100 ms old.
      await closed;
      const bytes = pcmOf(frames).byteLength;
      const count = Math.ceil(bytes / bytesPerFrame);
      const stats = speaker.getStats();
      expect(stats.framesReceived).to.equal(count);
      expect(stats.bytesReceived).to.equal(bytes + count * HEADER_BYTES);
      expect(stats.totalSamplesReceived).to.equal(bytes / 2);
      expect(stats.framesMalformed).to.equal(0);
    });
  }

  it('and skips those that are only a header', async () => {
    const frames: FramesSpec = { noise: 6, seconds: 0.1, bytesPerFrame: 481, headerOnlyEvery: 2 };
    const speaker = speakerOf(frames, exact);
    const closed = next(speaker, 'socketclose');
    await speaker.speak('Noise.').finished;
    assertHeard(await heard(), [expected(frames)]);
    await closed;
    expect(speaker.getStats().framesReceived).to.equal(15); // 4800 bytes are 10 frames, and 5 headers
  });

  it('and ignores those that are shorter than a header', async () => {
    const frames: FramesSpec = { noise: 6, seconds: 0.1 };
    const speaker = scriptedSpeaker(
      [{ wait: 'end' }, { bytes: [1, 2, 3] }, { bytes: [] }, { frames }, { done: true }],
      exact,
    );
    await speaker.speak('Noise.').finished;
    assertHeard(await heard(), [expected(frames)]);
    expect(speaker.error).to.equal(null);
  });

  // A ring has room for 44 s at 24 kHz, and for 33 s at 16 kHz: less than what arrives at once.
  for (const [rate, bytesPerFrame] of [
    [24000, 2 ** 20],
    [16000, 1920],
  ] as const) {
    it(`that carry 40 s at ${rate} Hz at once, ${bytesPerFrame} bytes each`, async () => {
      forceSampleRate(rate);
      const long: FramesSpec = { noise: 8, seconds: 40, rate, bytesPerFrame };
      const short: FramesSpec = { noise: 9, seconds: 0.1, rate };
      const { speaker, sessions } = scriptedSessions([speaking(long), speaking(short)], exact, { sample_rate: rate });
      const utterance = speaker.speak('A long one.');
      await next(speaker, 'socketclose');
      expect(speaker.duration).to.equal(40);
      const samples = 40 * rate;
      const stats = speaker.getStats();
      expect(stats.totalSamplesReceived).to.equal(samples);
      expect(stats.bytesReceived).to.equal(samples * 2 + stats.framesReceived * HEADER_BYTES);
      await utterance.started;
      // Audio that the device has buffered does not count. The audio thread reports every 100 ms.
      while (speaker.buffered.end(0) < 39.8) await next(speaker, 'timeupdate');
      expect(speaker.buffered.end(0)).to.be.at.most(40);
      speaker.cancel();
      assertBeginning(await heardToSilence(), expected(long, rate), rate);

      await speaker.speak('A short one.').finished;
      assertHeard(await heard(), [expected(short, rate)], rate);
      expect(speaker.getStats().underruns).to.equal(0);
      expect(sessions).to.have.length(2);
    });
  }

  it('that wait in the worker behind a full ring, as soon as the ring has room', async () => {
    const rate = 16000;
    forceSampleRate(rate);
    const long: FramesSpec = { noise: 8, seconds: 40, rate, bytesPerFrame: 2 ** 20 };
    const short: FramesSpec = { noise: 9, seconds: 0.1, rate };
    const speaker = scriptedSpeaker([...speakingOnce(long), ...speakingOnce(short)], exact, { sample_rate: rate });
    const first = speaker.speak('A long one.');
    const second = speaker.speak('A short one.');
    await next(speaker, 'socketclose'); // both have arrived
    await first.started;
    first.cancel();
    await second.finished;
    const samples = await heard();
    const begin = placeOf(samples, expected(short, rate), rate);
    assertBeginning(samples.subarray(0, begin), expected(long, rate), rate);
    assertHeard(samples.subarray(begin), [expected(short, rate)], rate);
  });

  it('of sessions at different rates, one after the other', async () => {
    const parts: FramesSpec[] = [24000, 16000, 48000].map((rate) => ({ noise: rate, seconds: 0.1, rate }));
    const speaker = makeSpeaker(exact);
    let session = 0;
    speaker.sessionProvider = () => {
      const frames = parts[session++]!;
      return Promise.resolve(sessionUrl([...speakingOnce(frames), { close: 1000 }], { sample_rate: frames.rate! }));
    };
    await Promise.all(parts.map((_, index) => speaker.speak(`Session ${index}.`).finished));
    assertHeard(
      await heard(),
      parts.map((frames) => expected(frames)),
    );
  });

  it('of utterances that follow one another on one socket', async () => {
    const parts = [
      { noise: 1, seconds: 0.1 },
      { noise: 2, seconds: 0.08 },
      { noise: 3, seconds: 0.05 },
    ];
    const { speaker, sessions } = scriptedSessions([parts.flatMap(speakingOnce)], exact);
    await Promise.all(['One.', 'Two.', 'Three.'].map((text) => speaker.speak(text).finished));
    assertHeard(
      await heard(),
      parts.map((one) => expected(one)),
    );
    expect(sessions).to.have.length(1);
  });

  it('that arrived before the socket failed in mid-utterance, then those of the next utterance', async () => {
    const first: FramesSpec = { noise: 20, seconds: 0.1 };
    const second: FramesSpec = { noise: 21, seconds: 0.1 };
    const { speaker, sessions } = scriptedSessions(
      [[{ wait: 'end' }, { frames: first }, { close: 1011 }], speaking(second)],
      exact,
    );
    const cut = speaker.speak('One.');
    const whole = speaker.speak('Two.');
    expect(((await rejection(cut.finished)) as SpeakerError).closeCode).to.equal(1011);
    await whole.finished;
    assertHeard(await heard(), [expected(first), expected(second)]);
    expect(sessions.map((one) => one.reason)).to.deep.equal(['speak', 'speak']);
    const { messages } = await endedConnection(sessions[1]!.url);
    expect(messages.map(({ message }) => (message as { text?: string }).text)).to.deep.equal(['Two.', undefined]);
  });
});
