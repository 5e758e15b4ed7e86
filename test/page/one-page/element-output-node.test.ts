import { expect } from 'chai';
import { makeSpeaker, next, removeSpeakers, speakerOf } from '../support/speaker.js';

const tone = { tone: 440, seconds: 1 };

/** Loudest sample an analyser gets from a node within some time of it, in [0, 1]. */
async function peakOf(node: AudioNode, seconds: number): Promise<number> {
  const analyser = node.context.createAnalyser();
  node.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const until = node.context.currentTime + seconds;
  let peak = 0;
  while (node.context.currentTime < until) {
    await new Promise(requestAnimationFrame);
    analyser.getFloatTimeDomainData(samples);
    peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), peak);
  }
  return peak;
}

describe('outputNode of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('is null before there is speech, and after close()', async () => {
    expect(makeSpeaker().outputNode).to.equal(null);
    const speaker = speakerOf(tone);
    expect(speaker.outputNode).to.equal(null);
    await speaker.speak('Tone.').started;
    expect(speaker.outputNode).to.not.equal(null);
    speaker.close();
    expect(speaker.outputNode).to.equal(null);
  });

  it('gives a graph of the page what is heard, volume included', async () => {
    const speaker = speakerOf(tone);
    speaker.volume = 0.5;
    speaker.speak('Tone.');
    await next(speaker, 'playing');
    // The tone is half of full scale, and has some hundred periods in a quarter of a second.
    expect(await peakOf(speaker.outputNode!, 0.25)).to.be.closeTo(0.25, 0.01);
  });

  it('stays the same from one utterance to the next', async () => {
    const speaker = speakerOf({ tone: 440, seconds: 0.1 });
    await speaker.speak('One.').finished;
    const node = speaker.outputNode;
    await speaker.speak('Two.').started;
    expect(speaker.outputNode).to.equal(node);
  });
});
