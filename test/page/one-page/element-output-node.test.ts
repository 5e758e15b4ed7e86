import { expect } from 'chai';
import { exact, peak } from '../support/sound.js';
import { makeSpeaker, next, removeSpeakers, speakerOf } from '../support/speaker.js';
import { heard, nextFrame } from '../support/tap.js';

const tone = { tone: 440, seconds: 20 };

/** Peak in [0, 1] that an analyser measures at a node, over five readings. */
async function peakOf(node: AudioNode): Promise<number> {
  const analyser = node.context.createAnalyser();
  node.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const length = analyser.fftSize / node.context.sampleRate;
  let highest = 0;
  for (let look = 0; look < 5; look++) {
    const until = node.context.currentTime + length;
    while (node.context.currentTime < until) await nextFrame();
    analyser.getFloatTimeDomainData(samples);
    highest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), highest);
  }
  return highest;
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

  it('may be connected to an effect of the page alone, whatever is set afterwards (Tonejs/Tone.js 224)', async () => {
    const speaker = speakerOf({ tone: 440, seconds: 0.2 }, exact);
    const context = new AudioContext();
    speaker.audioContext = context;
    await speaker.speak('One.').finished;
    const node = speaker.outputNode!;
    const half = new GainNode(context, { gain: 0.5 });
    node.disconnect();
    node.connect(half).connect(context.destination);
    speaker.destination = null;
    speaker.audioContext = context;
    await heard();
    await speaker.speak('Two.').finished;
    // The tone is at half of full scale. It would be at three quarters if the node were connected to the destination again.
    expect(peak(await heard())).to.be.closeTo(0.25, 0.01);
    const quarter = new GainNode(context, { gain: 0.25 });
    quarter.connect(context.destination);
    speaker.destination = quarter;
    await speaker.speak('Three.').finished;
    expect(peak(await heard())).to.be.closeTo(0.375, 0.01);
    expect([speaker.error, speaker.outputNode]).to.deep.equal([null, node]);
    await context.close();
  });

  it('is in the state playing after the page has connected it to another node (muhku/FreeStreamer 248)', async () => {
    const speaker = speakerOf(tone);
    const context = new AudioContext();
    speaker.audioContext = context;
    await speaker.speak('Tone.').started;
    const half = new GainNode(context, { gain: 0.5 });
    half.connect(context.destination);
    speaker.destination = half;
    expect(await peakOf(half)).to.be.closeTo(0.25, 0.01);
    expect(speaker.state).to.equal('playing');
    await context.close();
  });

  it('stays the same from one utterance to the next', async () => {
    const speaker = speakerOf({ tone: 440, seconds: 0.1 });
    await speaker.speak('One.').finished;
    const node = speaker.outputNode;
    await speaker.speak('Two.').started;
    expect(speaker.outputNode).to.equal(node);
  });
});
