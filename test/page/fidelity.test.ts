import { expect } from 'chai';
import { forceSampleRate, heard, openContexts } from './support/tap.js';
import { assertHeard, exact, expected } from './support/sound.js';
import { pcmBytes, wavBytes } from './support/audio-file.js';
import { removeSpeakers, speakerOf, transport } from './support/speaker.js';
import type { FramesSpec } from '../../src/testing/script.js';

/** Noise at full scale, in which every wrong sample shows. */
const noise: FramesSpec = { noise: 7, seconds: 0.5 };

describe('The samples that <svc-speaker> plays', () => {
  afterEach(removeSpeakers);

  for (const backend of ['native', 'standardized']) {
    for (const rate of [44100, 48000]) {
      it(`are those that the service sent, except in ramps: ${backend}, ${transport}, ${rate} Hz`, async () => {
        forceSampleRate(rate);
        const speaker = speakerOf(noise, { ...exact, transport, 'audio-backend': backend });
        const utterance = speaker.speak('Noise.');
        await utterance.finished;
        assertHeard(await heard(), [expected(noise, rate)], rate);
        const stats = speaker.getStats();
        expect(stats.transport).to.equal(transport);
        expect(stats.audioBackend).to.equal(backend);
        expect(stats.contextSampleRate).to.equal(rate);
        expect(stats.underruns).to.equal(0);
        expect(openContexts()).to.have.length(1);
      });
    }
  }

  for (const rate of [8000, 16000, 22050, 48000, 96000]) {
    it(`are those that the service sent at ${rate} Hz, resampled`, async () => {
      const frames: FramesSpec = { noise: 3, seconds: 0.2, rate };
      const speaker = speakerOf(frames, exact);
      await speaker.speak('Noise.').finished;
      const contextRate = openContexts()[0]!.sampleRate;
      assertHeard(await heard(), [expected(frames, contextRate)], contextRate);
      expect(speaker.getStats().sampleRate).to.equal(rate);
    });
  }

  it('are those of audio streams and of speech in order, each at its sample rate', async () => {
    const rate = 24000;
    const speaker = speakerOf(noise, { ...exact, transport });
    forceSampleRate(rate);
    const more: FramesSpec = { noise: 8, seconds: 0.3 };
    const fast: FramesSpec = { noise: 9, seconds: 0.2, rate: 48000 };
    const utterances = [
      speaker.speakAudio(wavBytes(more).buffer),
      speaker.speak('Noise.'),
      speaker.speakAudio(wavBytes(fast).buffer),
      speaker.speakAudio(pcmBytes(more).buffer, { sampleRate: rate }),
    ];
    await Promise.all(utterances.map(({ finished }) => finished));
    assertHeard(await heard(), [expected(more), expected(noise), expected(fast, rate), expected(more)]);
  });
});
