import { assert } from 'chai';
import { assertHeard, exact, expected, SPEECH_RATE } from '../support/sound.js';
import { ended, removeSpeakers, speakerOf } from '../support/speaker.js';
import { forceSampleRate, heardToSilence } from '../support/tap.js';

const noise = { noise: 51, seconds: 0.4 };

// Chromium supports the policy since version 137. Firefox and WebKit ignore the header, so a speaker uses messages
// there.
describe('A page with Document-Isolation-Policy: isolate-and-require-corp', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('is cross-origin isolated without the headers for opener and embedder', async () => {
    const { headers } = await fetch(location.href);
    assert.equal(headers.get('Document-Isolation-Policy'), 'isolate-and-require-corp');
    assert.isNull(headers.get('Cross-Origin-Opener-Policy'));
    assert.isNull(headers.get('Cross-Origin-Embedder-Policy'));
    assert.isTrue(crossOriginIsolated);
  });

  it('plays speech from shared memory, sample for sample', async () => {
    const speaker = speakerOf(noise, exact);
    speaker.speak('Noise.');
    await ended(speaker);
    assert.equal(speaker.getStats().transport, 'shared');
    assertHeard(await heardToSilence(), [expected(noise)]);
  });

  it('also does so with its own thread files', async () => {
    const speaker = speakerOf(noise, {
      ...exact,
      'worker-url': '/dist/threads/session.worker.js',
      'worklet-url': '/dist/threads/speaker.worklet.js',
    });
    speaker.speak('Noise.');
    await ended(speaker);
    assert.equal(speaker.getStats().transport, 'shared');
    assertHeard(await heardToSilence(), [expected(noise)]);
  });
});
