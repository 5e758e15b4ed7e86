import { expect } from 'chai';
import type { SpeakerError } from '../../src/index.js';
import { rejection, removeSpeakers, speakerOf, transport } from './support/speaker.js';

const tone = { tone: 440, seconds: 0.1 };

describe('The transport of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('can be "shared" on an isolated page; on any other, the error names the headers', async () => {
    const speaker = speakerOf(tone, { transport: 'shared' });
    const { finished } = speaker.speak('Tone.');
    if (crossOriginIsolated) {
      await finished;
      expect(speaker.getStats().transport).to.equal('shared');
      return;
    }
    const error = (await rejection(finished)) as SpeakerError;
    expect(error.reason).to.equal('output-failed');
    for (const header of ['Cross-Origin-Opener-Policy', 'Cross-Origin-Embedder-Policy', 'Document-Isolation-Policy']) {
      expect(error.message).to.include(header);
    }
  });

  it('takes effect with the next session when it changes', async () => {
    const speaker = speakerOf(tone);
    await speaker.speak('One.').finished;
    expect(speaker.getStats().transport).to.equal(transport);
    speaker.transport = 'message';
    await speaker.speak('Two.').finished;
    expect(speaker.getStats().transport).to.equal('message');
  });
});
