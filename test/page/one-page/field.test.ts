import { expect } from 'chai';
import type { SpeakerError, SvcSpeakerElement, Utterance } from '../../../src/index.js';
import { type FramesSpec, speaking } from '../../../src/testing/script.js';
import { pcmBytes, serveAudio, wavBytes } from '../support/audio-file.js';
import { assertHeard, exact, expected, largestStep, pitchOf, placeOf, SPEECH_RATE } from '../support/sound.js';
import {
  ended,
  journal,
  makeSpeaker,
  next,
  rejection,
  removeSpeakers,
  scriptedSessions,
  scriptedSpeaker,
  sessionUrl,
  speakerOf,
} from '../support/speaker.js';
import { backend, ENDPOINT, response, startBackend, stopBackend } from '../support/session-endpoint.js';
import { forceSampleRate, heard, heardToSilence, joined, openContexts } from '../support/tap.js';

/** Cases that users of other players reported. The numbers are those of the issue trackers. */

describe('<svc-speaker> that is moved in the page', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  const room = (): HTMLElement => document.body.appendChild(document.createElement('div'));
  const shadow = (): ShadowRoot => room().attachShadow({ mode: 'open' });
  type Move = (speaker: SvcSpeakerElement) => void;
  const moves: Readonly<Record<string, Move>> = {
    append: (speaker) => room().append(speaker),
    'into a shadow root': (speaker) => shadow().append(speaker),
    replaceWith: (speaker) => {
      const parent = room();
      parent.append(speaker);
      const clone = parent.cloneNode(false) as HTMLElement;
      parent.replaceWith(clone);
      clone.append(speaker);
    },
    ...('moveBefore' in Element.prototype && {
      moveBefore: (speaker: SvcSpeakerElement) => {
        const target = room() as HTMLElement & { moveBefore(node: Node, child: Node | null): void };
        target.moveBefore(speaker, null);
      },
    }),
  };

  for (const [name, move] of Object.entries(moves)) {
    it(`loses no sample, and dispatches nothing: ${name} (muxinc/elements 765)`, async () => {
      const frames: FramesSpec = { noise: 55, seconds: 0.6 };
      const speaker = speakerOf(frames, exact);
      const utterance = speaker.speak('Moving house.');
      await utterance.started;
      const events = journal(speaker);
      move(speaker);
      await Promise.resolve();
      expect(events).to.deep.equal([]);
      await utterance.finished;
      assertHeard(await heard(), [expected(frames)]);
    });
  }

  for (const isPaused of [false, true]) {
    it(`can speak again after it was out of the page, ${isPaused ? 'paused' : 'playing'} (formkit/drag-and-drop 23)`, async () => {
      const frames: FramesSpec = { noise: 56, seconds: 0.2 };
      const { speaker } = scriptedSessions(
        [[{ wait: 'end' }, { frames: { noise: 57, seconds: 9 } }, { done: true }], speaking(frames)],
        { ...exact, text: 'Hello.' },
      );
      // Keeps the context open, and with it the recording.
      await speakerOf({ noise: 1, seconds: 0.02 }, exact).speak('Hush.').finished;
      const { started, finished } = speaker.speak('On and on.');
      await started;
      if (isPaused) speaker.pause();
      speaker.remove();
      expect(((await rejection(finished)) as Error).name).to.equal('AbortError');
      await heardToSilence();
      document.body.append(speaker);
      expect([speaker.state, speaker.error]).to.deep.equal(['idle', null]);
      await speaker.speak('Again.').finished;
      await ended(speaker);
      const end = next(speaker, 'ended');
      await speaker.play();
      await end;
      assertHeard(await heard(), [expected(frames), expected(frames)]);
    });
  }
});

describe('<svc-speaker> with a queue of different rates', () => {
  afterEach(removeSpeakers);

  for (const contextRate of [48_000, 44_100]) {
    it(`keeps the pitch, and makes no click, in a context of ${contextRate} Hz (KR8MER/eas-station 488)`, async () => {
      forceSampleRate(contextRate);
      const tone = (rate: number): FramesSpec => ({ tone: 440, seconds: 0.5, rate });
      const { speaker } = scriptedSessions([speaking(tone(24_000))], exact);
      const ends = journal(speaker);
      const all = [
        speaker.speakAudio(new Blob([wavBytes(tone(16_000))])),
        speaker.speakAudio(new Blob([wavBytes(tone(44_100))])),
        speaker.speak('Hello.'),
        speaker.speakAudio(new Blob([pcmBytes(tone(8_000))]), { sampleRate: 8_000 }),
      ];
      await Promise.all(all.map(({ finished }) => finished));
      expect(ends.filter((type) => type === 'utteranceend')).to.have.length(4);
      const recording = await heard();
      const parts = soundsOf(recording, 0.005 * contextRate);
      expect(parts).to.have.length(4);
      for (const part of parts) {
        expect(part.length / contextRate).to.be.closeTo(0.5, 0.01);
        const middle = part.subarray(0.02 * contextRate, part.length - 0.02 * contextRate);
        expect(pitchOf(middle, contextRate)).to.be.closeTo(440, 2);
      }
      expect(largestStep(recording)).to.be.at.most((1.1 * 2 * Math.PI * 440) / contextRate);
    });
  }
});

function streamOfText(text: string): ReadableStream<string> {
  return new Response(text).body!.pipeThrough(new TextDecoderStream());
}

/** Returns the sounds of a recording that are separated by at least `gap` samples of silence. */
function soundsOf(recording: Float32Array, gap: number): Float32Array[] {
  const parts: Float32Array[] = [];
  let from = -1;
  let last = -Infinity;
  recording.forEach((sample, at) => {
    if (Math.abs(sample) <= 2e-6) return;
    if (at - last > gap) {
      if (from >= 0) parts.push(recording.subarray(from, last + 1));
      from = at;
    }
    last = at;
  });
  if (from >= 0) parts.push(recording.subarray(from, last + 1));
  return parts;
}

describe('<svc-speaker> that is interrupted twenty times', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  for (const transport of ['shared', 'message'] as const) {
    for (const isStream of [false, true]) {
      it(`plays the last answer, and nothing of those before: ${transport}, ${isStream ? 'streams' : 'strings'} (akdeb/ElatoAI 9)`, async () => {
        // In one frame, so that it is played without a gap.
        const answer: FramesSpec = { noise: 90, seconds: 0.5, bytesPerFrame: 2 ** 20 };
        const endless: FramesSpec = { noise: 91, seconds: 30, pace: 'realtime' };
        const { speaker, sessions } = scriptedSessions([[{ wait: 'end' }, { frames: endless }, { done: true }]], {
          'jitter-buffer': 'fixed',
          transport,
          'keep-open': true,
        });
        const events = journal(speaker);
        const speak = (number: number): Utterance =>
          speaker.speak(isStream ? streamOfText(`Answer ${number}.`) : `Answer ${number}.`);
        const reasons: Promise<unknown>[] = [];
        for (let number = 0; number < 19; number++) {
          speaker.cancel();
          const utterance = speak(number);
          reasons.push(rejection(utterance.finished));
          // Some are cancelled before their session, some before their audio, and some while they are heard.
          if (number % 3 === 1) await new Promise((resolve) => setTimeout(resolve, 50));
          if (number % 3 === 2 || number === 18) await utterance.started;
        }
        speaker.sessionProvider = () => Promise.resolve(sessionUrl(speaking(answer)));
        speaker.cancel();
        const last = speak(19);
        const before = await heard(); // the answer may have begun
        await last.finished;
        for (const reason of await Promise.all(reasons)) expect((reason as Error).name).to.equal('AbortError');
        expect(events).to.not.include('error');
        expect(sessions.length).to.be.at.most(19);
        const recording = joined(before, await heard());
        assertHeard(recording.subarray(placeOf(recording, expected(answer))), [expected(answer)]);
      });
    }
  }
});

describe('<svc-speaker> with a kept socket that is closed meanwhile', () => {
  afterEach(removeSpeakers);

  it('gets a fresh one after the service has closed the kept socket (Silo-Server/silo-server 851)', async () => {
    const short: FramesSpec = { tone: 440, seconds: 0.1 };
    const { speaker, sessions } = scriptedSessions(
      [[{ wait: 'end' }, { frames: short }, { done: true }, { close: 1000 }], speaking(short)],
      { 'keep-open': true },
    );
    const closed = next(speaker, 'socketclose');
    await speaker.speak('One.').finished;
    await closed;
    expect(speaker.error).to.equal(null);
    await speaker.speak('Two.').finished;
    expect(sessions).to.have.length(2);
  });
});

describe('<svc-speaker> whose endpoint is busy', () => {
  beforeEach(startBackend);
  afterEach(stopBackend);
  afterEach(removeSpeakers);

  it('reports status 429 of the endpoint, asks once, and speaks when asked again (adrianlyjak/obsidian-aloud-tts 48)', async () => {
    backend.answer = () =>
      backend.requests.length <= 2
        ? Response.json({ detail: 'Busy.' }, { status: 429, headers: { 'Retry-After': '2' } })
        : Response.json(response());
    const speaker = makeSpeaker({ 'session-endpoint': ENDPOINT });
    for (let attempt = 1; attempt <= 2; attempt++) {
      const { reason, httpStatus, retryable } = (await rejection(speaker.speak('Hello.').finished)) as SpeakerError;
      expect([reason, httpStatus, retryable]).to.deep.equal(['session-request-failed', 429, true]);
      expect(backend.requests).to.have.length(attempt);
    }
    await speaker.speak('Hello.').finished;
    expect(speaker.error).to.equal(null);
  });

  it('reports status 429 of an audio stream, and plays nothing of its body', async () => {
    const file = await serveAudio(wavBytes({ tone: 440, seconds: 0.2 }), { status: 429, type: 'audio/wav' });
    const speaker = makeSpeaker();
    const error = (await rejection(speaker.speakAudio(file.path).finished)) as SpeakerError;
    expect([error.reason, error.httpStatus, error.retryable]).to.deep.equal(['socket-failed', 429, true]);
    expect(speaker.played.length).to.equal(0);
    expect(openContexts().length).to.be.at.most(1);
  });

  it('has to log in again after status 401, and then speaks (briarrrn/apogee-issues 64)', async () => {
    backend.answer = () => Response.json({ detail: 'Log in.' }, { status: 401 });
    const speaker = makeSpeaker({ 'session-endpoint': ENDPOINT, text: 'Hello.' });
    await rejection(speaker.play());
    const { reason, httpStatus, retryable } = speaker.error!;
    expect([reason, httpStatus, retryable]).to.deep.equal(['session-request-failed', 401, false]);
    backend.answer = () => Response.json(response());
    const end = next(speaker, 'ended');
    await speaker.play();
    await end;
    expect(speaker.error).to.equal(null);
  });

  it('plays what has arrived, and fails, after a close without a code (raycast/extensions 30301)', async () => {
    forceSampleRate(SPEECH_RATE);
    const half: FramesSpec = { noise: 58, seconds: 0.3 };
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: half }, { close: 1005 }], exact);
    const error = (await rejection(speaker.speak('Hello.').finished)) as SpeakerError;
    expect([error.reason, error.closeCode]).to.deep.equal(['socket-closed', 1005]);
    assertHeard(await heard(), [expected(half)]);
  });
});
