import { expect } from 'chai';
import * as Tone from 'tone';
import type { FramesSpec } from '../../../src/testing/script.js';
import { assertHeard, exact, expected, pitchOf, sound, SPEECH_RATE } from '../support/sound.js';
import { itUnless, patientRendering } from '../support/engine.js';
import { closeOwnContexts, ownContext } from '../support/own-contexts.js';
import { makeSpeaker, next, rejection, removeSpeakers, speakerOf } from '../support/speaker.js';
import { forceSampleRate, heard, joined, nextFrame, openContexts } from '../support/tap.js';

describe('<svc-speaker> in the audio graph of its page', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(closeOwnContexts);
  afterEach(removeSpeakers);

  it('plays into the destination node that the page sets', async () => {
    const context = ownContext();
    const half = context.createGain();
    half.gain.value = 0.5;
    half.connect(context.destination);
    const frames: FramesSpec = { noise: 72, seconds: 0.2 };
    const speaker = speakerOf(frames, exact);
    speaker.destination = half;
    expect(speaker.audioContext).to.equal(null);
    await speaker.speak('Softly.').finished;
    assertHeard(await heard(context), [expected(frames).map((sample) => sample / 2)]);
    expect(openContexts()).to.deep.equal([context]);
    speaker.destination = null;
    speaker.audioContext = context;
    await speaker.speak('Aloud.').finished;
    assertHeard(await heard(context), [expected(frames)]);
  });

  it('moves to a context that the page has suspended without waking it, until it speaks', async () => {
    const frames: FramesSpec = { noise: 75, seconds: 0.1 };
    const speaker = speakerOf(frames, exact);
    speaker.speak('Here.');
    await next(speaker, 'ended');
    const context = ownContext();
    await context.resume(); // A context that is only starting runs after a suspend().
    await context.suspend();
    speaker.audioContext = context;
    while (speaker.outputNode?.context !== context) await nextFrame();
    for (let frame = 0; frame < 5; frame++) await nextFrame();
    expect(context.state).to.equal('suspended');
    await speaker.speak('There.').finished;
    assertHeard(await heard(context), [expected(frames)]);
  });

  it('reports a node of another context, and a closed context', async () => {
    const speaker = speakerOf({ noise: 73, seconds: 0.1 });
    speaker.audioContext = ownContext();
    speaker.destination = ownContext().createGain();
    await rejection(speaker.speak('Nowhere.').finished);
    expect(speaker.error!.reason).to.equal('output-failed');
    expect(speaker.error!.message).to.include('another AudioContext');
    speaker.close();
    speaker.destination = null;
    const closed = ownContext();
    await closed.close();
    speaker.audioContext = closed;
    await rejection(speaker.speak('Nowhere.').finished);
    expect(speaker.error!.message).to.include('closed');
    speaker.audioContext = null;
    await speaker.speak('Here.').finished;
  });

  it('can be captured as a media stream until close()', async () => {
    const tone: FramesSpec = { tone: 440, seconds: 30 };
    const speaker = speakerOf(tone, exact);
    const stream = speaker.captureStream();
    expect(stream.getAudioTracks()).to.have.length(1);
    expect(speaker.captureStream()).to.equal(stream);
    const listener = ownContext();
    listener.createMediaStreamSource(stream).connect(listener.destination);
    await heard(listener); // it renders
    await speaker.speak('Tone.').started;
    const piece = 0.05 * SPEECH_RATE;
    // A stream between two contexts has gaps on a busy machine, and always in WebKitGTK.
    let captured: Float32Array = new Float32Array();
    const right = (): number =>
      Array.from({ length: Math.floor(captured.length / piece) }, (_, index) =>
        pitchOf(captured.subarray(index * piece, (index + 1) * piece), SPEECH_RATE),
      ).filter((pitch) => Math.abs(pitch - 440) <= 10).length;
    while (right() < 6) captured = sound(joined(captured, await heard(listener)));
    const [track] = stream.getTracks();
    speaker.close();
    expect(track!.readyState).to.equal('ended');
    expect(speaker.captureStream()).not.to.equal(stream);
  });

  itUnless(patientRendering)('plays into a context that renders offline', async () => {
    const frames: FramesSpec = { noise: 74, seconds: 0.3 };
    const context = new OfflineAudioContext(1, SPEECH_RATE, SPEECH_RATE);
    const speaker = speakerOf(frames, exact);
    speaker.audioContext = context;
    const { finished } = speaker.speak('Noise.');
    await next(speaker, 'socketclose'); // all of it has arrived
    while (!speaker.outputNode) await nextFrame();
    // Replies of the worker and of the audio thread, which have the speech and the ring by then.
    await speaker.toBlob();
    await heard(context as unknown as AudioContext);
    const rendered = await context.startRendering();
    assertHeard(rendered.getChannelData(0), [expected(frames)]);
    await finished;
  });

  for (const [name, contextOf] of [
    ['context', () => Tone.getContext()],
    ['raw context', () => Tone.getContext().rawContext],
  ] as const) {
    it(`plays in the ${name} of Tone.js, through its nodes`, async () => {
      Tone.setContext(new Tone.Context());
      const speaker = makeSpeaker(exact);
      speaker.sessionProvider = speakerOf({ tone: 440, seconds: 20 }).sessionProvider;
      speaker.audioContext = contextOf() as unknown as AudioContext;
      const meter = new Tone.Meter();
      await speaker.speak('Tone.').started;
      Tone.connect(speaker.outputNode!, meter);
      expect(speaker.getStats().audioBackend).to.equal('standardized');
      while (meter.getValue() < -20) await nextFrame();
      speaker.cancel();
      Tone.getContext().dispose();
    });
  }
});
