import { expect } from 'chai';
import type { SpeakerError } from '../../../src/index.js';
import { type FramesSpec, speaking } from '../../../src/testing/script.js';
import { assertHeard, exact, expected, SPEECH_RATE } from '../support/sound.js';
import {
  endedConnection,
  journal,
  makeSpeaker,
  next,
  rejection,
  removeSpeakers,
  scriptedSessions,
  sessionUrl,
  speakPaused,
} from '../support/speaker.js';
import { forceSampleRate, heard } from '../support/tap.js';

const frames: FramesSpec = { noise: 20, seconds: 0.1 };

// For all codes, messages and moments see test/unit/connection/ending.test.ts and sending.test.ts. Here, the reports of
// the worker reach the page, and the audio that arrived before them reaches the output.
describe('<svc-speaker> whose socket ends', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('before any audio fails the utterance', async () => {
    const speaker = makeSpeaker({ src: sessionUrl([{ wait: 'end' }, { close: 4429, reason: 'So there.' }]) });
    const closed = next(speaker, 'socketclose');
    const error = (await rejection(speaker.speak('Unheard.').finished)) as SpeakerError;
    expect(error).to.equal(speaker.error);
    expect([error.reason, error.closeCode, speaker.paused]).to.deep.equal(['socket-closed', 4429, true]);
    const { code, reason } = await closed;
    expect([code, reason]).to.deep.equal([4429, 'So there.']);
  });

  it('inside the audio fails the utterance after what arrived was played', async () => {
    const { speaker, sessions } = scriptedSessions([[{ wait: 'end' }, { frames }, { terminate: true }]], exact);
    const events = journal(speaker);
    const error = (await rejection(speaker.speak('Cut short.').finished)) as SpeakerError;
    expect(error).to.equal(speaker.error);
    expect([error.reason, error.closeCode]).to.deep.equal(['socket-closed', 1006]);
    assertHeard(await heard(), [expected(frames)]);
    expect(sessions.map((one) => one.reason)).to.deep.equal(['speak']);
    expect(events.filter((type) => type === 'error')).to.have.length(1);
  });

  it('with 1000 inside the audio ends the utterance after what arrived was played', async () => {
    const { speaker } = scriptedSessions([[{ wait: 'end' }, { frames }, { close: 1000 }]], exact);
    await speaker.speak('Cut short.').finished;
    assertHeard(await heard(), [expected(frames)]);
    expect(speaker.error).to.equal(null);
  });

  it('before it is open fails play() with socket-failed', async () => {
    const speaker = makeSpeaker({ src: sessionUrl([{ refuse: 403 }]) });
    const error = (await rejection(speaker.play())) as DOMException;
    expect(error.name).to.equal('NotSupportedError');
    expect(speaker.error?.reason).to.equal('socket-failed');
    expect(speaker.error?.closeCode).to.equal(1006);
  });

  it('before any audio retries with a new session, if there can be one', async () => {
    const { speaker, sessions } = scriptedSessions(
      [[{ wait: 'end' }, { terminate: true }], [{ close: 4429 }], speaking(frames)],
      exact,
    );
    const events = journal(speaker);
    await speaker.speak('Third time.').finished;
    assertHeard(await heard(), [expected(frames)]);
    expect(sessions.map((one) => one.reason)).to.deep.equal(['speak', 'retry', 'retry']);
    expect(events).not.to.include('error');
  });

  it('with an error message fails the utterance after what arrived was played, and speaks the next one', async () => {
    const script = [{ wait: 'end' }, { frames }, { error: 'lost my voice' }, ...speaking(frames)] as const;
    const { speaker, sessions } = scriptedSessions([script], exact);
    const failed = speaker.speak('One.');
    const spoken = speaker.speak('Two.');
    const error = (await rejection(failed.finished)) as SpeakerError;
    expect(error.reason).to.equal('service-error');
    expect(error.message).to.include('lost my voice');
    await spoken.finished;
    assertHeard(await heard(), [expected(frames), expected(frames)]);
    expect(sessions).to.have.length(1);
  });

  it('at context_done closes the socket at once, and plays everything', async () => {
    const { speaker, sessions } = scriptedSessions([[{ wait: 'end' }, { frames }, { done: true }]], exact);
    const events = journal(speaker);
    const done = next(speaker, 'contextdone');
    const closed = next(speaker, 'socketclose');
    const { contextId, finished } = speakPaused(speaker);
    expect((await closed).code).to.equal(1000);
    expect(events).not.to.include('utterancestart');
    void speaker.play();
    await finished;
    assertHeard(await heard(), [expected(frames)]);
    expect((await done).contextId).to.equal(contextId);
    expect((await endedConnection(sessions[0]!.url)).closed!.code).to.equal(1000);
  });

  it('keeps the socket for the next utterance with keep-open', async () => {
    const { speaker, sessions } = scriptedSessions([speaking(frames)], { ...exact, 'keep-open': true });
    await speaker.speak('One.').finished;
    await speaker.speak('Two.').finished;
    assertHeard(await heard(), [expected(frames), expected(frames)]);
    expect(sessions).to.have.length(1);
    speaker.keepOpen = false;
    expect((await next(speaker, 'socketclose')).code).to.equal(1000);
  });
});
