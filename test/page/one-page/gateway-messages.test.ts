import { expect } from 'chai';
import type { SpeakerError } from '../../../src/index.js';
import { type FramesSpec, type GatewayStep, speaking } from '../../../src/testing/script.js';
import { assertHeard, exact, expected, SPEECH_RATE } from '../support/sound.js';
import {
  endedConnection,
  journal,
  next,
  rejection,
  removeSpeakers,
  scriptedSessions,
  speakPaused,
} from '../support/speaker.js';
import { forceSampleRate, heard } from '../support/tap.js';

/** Audio in five frames. */
const frames: FramesSpec = { noise: 30, seconds: 0.1, bytesPerFrame: 960 };
const half: FramesSpec = { ...frames, seconds: 0.05 };
const otherHalf: FramesSpec = { ...half, from: 0.05 * SPEECH_RATE };

describe('<svc-speaker> and the messages of the service', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('fails the utterance at an error message before the audio', async () => {
    const { speaker, sessions } = scriptedSessions([[{ wait: 'end' }, { error: 'no voice today' }]]);
    const error = (await rejection(speaker.speak('Unheard.').finished)) as SpeakerError;
    expect(error.reason).to.equal('service-error');
    expect(error.message).to.include('no voice today');
    expect(speaker.error).to.equal(error);
    expect((await endedConnection(sessions[0]!.url)).closed!.code).to.equal(1000);
    expect(sessions).to.have.length(1);
  });

  it('fails the utterance at an error message inside the audio, after what arrived was played', async () => {
    const { speaker } = scriptedSessions([[{ wait: 'end' }, { frames: half }, { error: 'lost my voice' }]], exact);
    const error = (await rejection(speaker.speak('Half of it.').finished)) as SpeakerError;
    expect(error.reason).to.equal('service-error');
    assertHeard(await heard(), [expected(half)]);
  });

  it('speaks the next utterance on the same socket after an error message', async () => {
    const { speaker, sessions } = scriptedSessions(
      [[{ wait: 'end' }, { error: 'not that' }, ...speaking(half)]],
      exact,
    );
    const failed = speaker.speak('One.');
    const spoken = speaker.speak('Two.');
    await rejection(failed.finished);
    await spoken.finished;
    assertHeard(await heard(), [expected(half)]);
    expect(sessions).to.have.length(1);
  });

  const noise: GatewayStep[] = [
    { text: 'not JSON' },
    { text: '' },
    { json: null },
    { json: { type: 'weather', fine: true } },
    { json: { type: 'context_done', context_id: 'of someone else' } },
  ];

  it('ignores unknown messages', async () => {
    const { speaker } = scriptedSessions(
      [[...noise, { wait: 'end' }, ...noise, { frames: half }, ...noise, { frames: otherHalf }, { done: true }]],
      exact,
    );
    await speaker.speak('All of it.').finished;
    assertHeard(await heard(), [expected(frames)]);
    expect(speaker.error).to.equal(null);
  });

  const orders: Record<string, GatewayStep[]> = {
    with: [{ frames }, { done: true }],
    'some time after': [{ frames }, { wait: 20 }, { done: true }],
    'without an id after': [{ frames }, { done: null }],
  };
  // For frames that arrive after it, see test/unit/connection/sending.test.ts.
  for (const [order, steps] of Object.entries(orders)) {
    it(`closes the socket at once, and plays everything, when context_done arrives ${order} the last frames`, async () => {
      const { speaker, sessions } = scriptedSessions([[{ wait: 'end' }, ...steps]], exact);
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
      expect(speaker.error).to.equal(null);
    });
  }

  it('keeps the socket for the next utterance with keep-open', async () => {
    const { speaker, sessions } = scriptedSessions([speaking(half)], { ...exact, 'keep-open': true });
    await speaker.speak('One.').finished;
    await speaker.speak('Two.').finished;
    assertHeard(await heard(), [expected(half), expected(half)]);
    expect(sessions).to.have.length(1);
    speaker.keepOpen = false;
    expect((await next(speaker, 'socketclose')).code).to.equal(1000);
  });
});
