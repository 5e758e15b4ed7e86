import { expect } from 'chai';
import type { FramesSpec } from '../../src/testing/script.js';
import { itUnless, ownSockets } from './support/engine.js';
import { assertHeard, exact, expected } from './support/sound.js';
import { next, removeSpeakers, speakerOf, transport } from './support/speaker.js';
import { heard, openContexts } from './support/tap.js';

/**
 * A quarter of what the page is blocked for: would anything on the way of the sound wait for the page, there would be
 * gaps. With the 120 ms that are held by default, gaps of a busy machine are heard too.
 */
const targetMs = 500;

/** Keeps the main thread from doing anything else. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('<svc-speaker> on a busy page', () => {
  afterEach(removeSpeakers);

  itUnless(ownSockets)(`plays without a gap what comes while the page is blocked for 2 s: ${transport}`, async () => {
    const frames: FramesSpec = { noise: 40, seconds: 2.5, pace: 'realtime', bytesPerFrame: 960 };
    const speaker = speakerOf(frames, { ...exact, transport, 'jitter-buffer-target': targetMs });
    const utterance = speaker.speak('Nobody hears the page stall.');
    await next(speaker, 'playing');
    block(2000);
    await utterance.finished;
    const { sampleRate } = openContexts()[0]!;
    assertHeard(await heard(), [expected(frames, sampleRate)], sampleRate);
    expect(speaker.getStats().underruns).to.equal(0);
    expect(speaker.getStats().transport).to.equal(transport);
  });
});
