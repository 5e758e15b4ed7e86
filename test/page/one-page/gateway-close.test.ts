import { expect } from 'chai';
import type { SpeakerError } from '../../../src/index.js';
import { type FramesSpec, type GatewayStep, speaking } from '../../../src/testing/script.js';
import { assertHeard, exact, expected, SPEECH_RATE } from '../support/sound.js';
import {
  journal,
  makeSpeaker,
  next,
  rejection,
  removeSpeakers,
  scriptedSessions,
  sessionUrl,
  speakingOnce,
} from '../support/speaker.js';
import { forceSampleRate, heard } from '../support/tap.js';

/** Audio that is sent before a socket ends. */
const frames: FramesSpec = { noise: 20, seconds: 0.1 };

/** Ends a socket with a close code; for 1006, without a closing handshake. */
function ending(code: number): GatewayStep {
  return code === 1006 ? { terminate: true } : { close: code, reason: 'So there.' };
}

describe('<svc-speaker> whose socket ends', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  for (const code of [1000, 1006, 1011, 4429]) {
    describe(`with ${code}`, () => {
      it('before any audio fails the utterance', async () => {
        const speaker = makeSpeaker({ src: sessionUrl([{ wait: 'end' }, ending(code)]) });
        const closed = next(speaker, 'socketclose');
        const error = (await rejection(speaker.speak('Unheard.').finished)) as SpeakerError;
        expect(error).to.equal(speaker.error);
        expect(error.reason).to.equal('socket-closed');
        expect(error.closeCode).to.equal(code);
        expect((await closed).code).to.equal(code);
        expect((await closed).reason).to.equal(code === 1006 ? '' : 'So there.');
        expect(speaker.paused).to.equal(true);
      });

      it(`inside the audio ${code === 1000 ? 'ends' : 'fails'} the utterance after what arrived was played`, async () => {
        const { speaker, sessions } = scriptedSessions([[{ wait: 'end' }, { frames }, ending(code)]], exact);
        const events = journal(speaker);
        const { finished } = speaker.speak('Cut short.');
        if (code === 1000) {
          await finished;
          expect(speaker.error).to.equal(null);
        } else {
          const error = (await rejection(finished)) as SpeakerError;
          expect(error).to.equal(speaker.error);
          expect(error.reason).to.equal('socket-closed');
          expect(error.closeCode).to.equal(code);
        }
        assertHeard(await heard(), [expected(frames)]);
        expect(sessions.map((one) => one.reason)).to.deep.equal(['speak']);
        expect(events.filter((type) => type === 'error')).to.have.length(code === 1000 ? 0 : 1);
      });

      it('after the audio is no error', async () => {
        const speaker = makeSpeaker({ ...exact, src: sessionUrl([...speakingOnce(frames), ending(code)]) });
        const closed = next(speaker, 'socketclose');
        await speaker.speak('All of it.').finished;
        assertHeard(await heard(), [expected(frames)]);
        expect((await closed).code).to.equal(code);
        expect(speaker.error).to.equal(null);
      });
    });
  }

  it('before it is open fails play() with socket-failed', async () => {
    const speaker = makeSpeaker({ src: sessionUrl([{ refuse: 403 }]) });
    const error = (await rejection(speaker.play())) as DOMException;
    expect(error.name).to.equal('NotSupportedError');
    expect(speaker.error?.reason).to.equal('socket-failed');
    expect(speaker.error?.closeCode).to.equal(1006);
  });

  it('before any audio retries with a new session, if there can be one', async () => {
    const { speaker, sessions } = scriptedSessions(
      [[{ wait: 'end' }, ending(1006)], [ending(4429)], speaking(frames)],
      exact,
    );
    const events = journal(speaker);
    const closes = new Promise<void>((resolve) => {
      let count = 0;
      speaker.addEventListener('socketclose', () => ++count === 3 && resolve());
    });
    await Promise.all([speaker.speak('Third time.').finished, closes]);
    assertHeard(await heard(), [expected(frames)]);
    expect(sessions.map((one) => one.reason)).to.deep.equal(['speak', 'retry', 'retry']);
    expect(events.filter((type) => type === 'socketclose')).to.have.length(3);
    expect(events).not.to.include('error');
  });
});
