import { expect } from 'chai';
import { makeSpeaker, next, removeSpeakers, speakerOf } from '../support/speaker.js';
import { nextFrame } from '../support/tap.js';

const tone = { tone: 440, seconds: 20 };

/** Peak in [0, 1] that an analyser measures at a node, over five readings. */
async function peakOf(node: AudioNode): Promise<number> {
  const analyser = node.context.createAnalyser();
  node.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const length = analyser.fftSize / node.context.sampleRate;
  let peak = 0;
  for (let look = 0; look < 5; look++) {
    const until = node.context.currentTime + length;
    while (node.context.currentTime < until) await nextFrame();
    analyser.getFloatTimeDomainData(samples);
    peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), peak);
  }
  return peak;
}

describe('outputNode of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('is null before the first utterance and after close()', async () => {
    expect(makeSpeaker().outputNode).to.equal(null);
    const speaker = speakerOf(tone);
    expect(speaker.outputNode).to.equal(null);
    await speaker.speak('Tone.').started;
    expect(speaker.outputNode).to.not.equal(null);
    speaker.close();
    expect(speaker.outputNode).to.equal(null);
  });

  it('passes what is played to a graph of the page, volume included', async () => {
    const speaker = speakerOf(tone);
    speaker.volume = 0.5;
    speaker.speak('Tone.');
    await next(speaker, 'playing');
    // The tone is at half of full scale, the volume is 0.5.
    expect(await peakOf(speaker.outputNode!)).to.be.closeTo(0.25, 0.01);
  });

  it('stays the same from one utterance to the next', async () => {
    const speaker = speakerOf({ tone: 440, seconds: 0.1 });
    await speaker.speak('One.').finished;
    const node = speaker.outputNode;
    await speaker.speak('Two.').started;
    expect(speaker.outputNode).to.equal(node);
  });
});
