import { expect } from 'chai';
import type { FramesSpec } from '../../src/testing/script.js';
import { itUnless, ownSockets } from './support/engine.js';
import { assertHeard, exact, expected, SPEECH_RATE } from './support/sound.js';
import { journal, next, removeSpeakers, scriptedSpeaker, transport } from './support/speaker.js';
import { forceSampleRate, heard, openContexts } from './support/tap.js';

const LEAD_SECONDS = 3;
const whole: FramesSpec = { noise: 40, seconds: 3.9, bytesPerFrame: 960 };
/** Arrives at once. */
const lead: FramesSpec = { ...whole, seconds: LEAD_SECONDS };
/** Arrives while the page is blocked, each frame three seconds before it is due. */
const rest: FramesSpec = { ...whole, seconds: 0.9, from: LEAD_SECONDS * SPEECH_RATE, pace: 'realtime' };

/** Keeps the main thread busy until a context has played for `seconds`. */
function blockWhilePlaying(context: AudioContext, seconds: number): void {
  const end = context.currentTime + seconds;
  const guard = performance.now() + 20_000;
  while (context.currentTime < end && performance.now() < guard);
  expect(context.currentTime).to.be.at.least(end);
}

describe('<svc-speaker> on a busy page', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  itUnless(ownSockets)(`plays audio that arrives while the page is blocked, without a gap: ${transport}`, async () => {
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: lead }, { frames: rest }, { done: true }], {
      ...exact,
      transport,
      'jitter-buffer-target': 1000 * LEAD_SECONDS,
    });
    const events = journal(speaker);
    const utterance = speaker.speak('Nobody hears the page stall.');
    await next(speaker, 'playing');
    blockWhilePlaying(openContexts()[0]!, 4);
    await utterance.finished;
    assertHeard(await heard(), [expected(whole)]);
    expect(events).not.to.include('underrun');
    expect(speaker.getStats().underruns).to.equal(0);
    expect(speaker.getStats().concealedSamples).to.equal(0);
    expect(speaker.getStats().transport).to.equal(transport);
  });
});
