import { expect } from 'chai';
import * as Tone from 'tone';
import type { FramesSpec } from '../../gateway/script.js';
import {
  assertBeginning,
  assertHeard,
  exact,
  expected,
  pitchOf,
  placeOf,
  sound,
  SPEECH_RATE,
} from '../support/sound.js';
import { itUnless, patientRendering, sinks } from '../support/engine.js';
import { makeSpeaker, next, rejection, removeSpeakers, speakerOf, transport } from '../support/speaker.js';
import { forceSampleRate, freeze, heard, openContexts } from '../support/tap.js';

const noise: FramesSpec = { noise: 70, seconds: 2 };
/** The message transport tells where it is this often; the audio thread that has stopped tells nothing any more. */
const REPORT_SAMPLES = transport === 'message' ? 0.15 * SPEECH_RATE : 0;

/** Contexts of the page's own, which are closed after the test. */
const own: AudioContext[] = [];
function ownContext(): AudioContext {
  const context = new AudioContext();
  own.push(context);
  return context;
}

describe('<svc-speaker> in another place', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(async () => {
    for (const context of own.splice(0)) if (context.state !== 'closed') void context.close();
    await removeSpeakers();
  });

  it('goes on in a new context when the clock of the old one stands still, and loses nothing', async () => {
    const speaker = speakerOf(noise, { ...exact, transport });
    const { started, finished } = speaker.speak('Noise.');
    await started;
    const [old] = openContexts();
    await freeze(old!);
    const whole = expected(noise);
    const before = assertBeginning(await heard(old), whole);
    const heardBefore = before.to - before.from;
    await next(speaker, 'waiting'); // once it has stood still for a while
    await finished;
    const [fresh] = openContexts();
    expect(fresh).not.to.equal(old);
    expect(old!.state).to.equal('closed');
    const after = sound(await heard(fresh));
    const from = placeOf(whole, after);
    // The first sample of noise may be zero, and that of a ramp is.
    expect(from).to.be.within(heardBefore - 3 - REPORT_SAMPLES, heardBefore + 3);
    expect(from + after.length).to.be.closeTo(whole.length, 3);
    expect(speaker.currentTime).to.equal(2);
    expect(speaker.getStats().underruns).to.equal(0);
  });

  it('goes on where the page wants it to, from the same sample', async () => {
    const contexts = [ownContext(), ownContext()];
    const speaker = speakerOf(noise, { ...exact, transport });
    speaker.audioContext = contexts[0]!;
    const { started, finished } = speaker.speak('Noise.');
    await started;
    speaker.audioContext = contexts[1]!;
    await finished;
    const whole = expected(noise);
    const before = assertBeginning(await heard(contexts[0]), whole);
    const after = sound(await heard(contexts[1]));
    const from = placeOf(whole, after);
    expect(from).to.be.closeTo(before.to - before.from, 3);
    expect(from + after.length).to.be.closeTo(whole.length, 3);
    expect(contexts.map(({ state }) => state)).to.deep.equal(['running', 'running']);
    expect(speaker.getStats().underruns).to.equal(0);
  });

  it('leaves the page’s own context as it is', async () => {
    const context = ownContext();
    const speaker = speakerOf({ noise: 71, seconds: 0.1 }, exact);
    speaker.audioContext = context;
    await speaker.speak('One.').finished;
    speaker.close();
    speaker.audioContext = context;
    await speaker.speak('Two.').finished;
    speaker.remove();
    await Promise.resolve();
    expect(context.state).to.equal('running');
    const part = expected({ noise: 71, seconds: 0.1 });
    assertHeard(await heard(context), [part, part]);
  });

  it('is heard through the node that the page wants instead of the destination', async () => {
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

  it('says what is wrong with a node of another context, and with a context that is closed', async () => {
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

  it('is captured, at once and wherever it goes on', async () => {
    const tone: FramesSpec = { tone: 440, seconds: 1 };
    const speaker = speakerOf(tone, exact);
    const stream = speaker.captureStream();
    expect(stream.getAudioTracks()).to.have.length(1);
    expect(speaker.captureStream()).to.equal(stream);
    const listener = ownContext();
    listener.createMediaStreamSource(stream).connect(listener.destination);
    await speaker.speak('Tone.').finished;
    const captured = sound(await heard(listener));
    expect(captured.length / SPEECH_RATE).to.be.within(0.9, 1.1);
    expect(pitchOf(captured, SPEECH_RATE)).to.be.closeTo(440, 5);
    const [track] = stream.getTracks();
    speaker.close();
    expect(track!.readyState).to.equal('ended');
    expect(speaker.captureStream()).not.to.equal(stream);
  });

  itUnless(sinks)('moves to another device when the page asks, and stays where it is if there is none', async () => {
    // This machine has one device; what matters is that it is another context, and what becomes of the speech.
    const { setSinkId } = AudioContext.prototype as unknown as { setSinkId: (id: string) => Promise<void> };
    Object.assign(AudioContext.prototype, {
      setSinkId(this: AudioContext, id: string) {
        return id === 'loudspeaker' ? Promise.resolve() : setSinkId.call(this, id);
      },
    });
    try {
      const speaker = speakerOf(noise, { ...exact, transport });
      const { started, finished } = speaker.speak('Noise.');
      await started;
      const [first] = openContexts();
      expect(((await rejection(speaker.setSinkId('no such device'))) as DOMException).name).to.equal('NotFoundError');
      expect(speaker.sinkId).to.equal('');
      expect(speaker.error).to.equal(null);
      await speaker.setSinkId('loudspeaker');
      expect(speaker.sinkId).to.equal('loudspeaker');
      await finished;
      expect(openContexts()).to.have.length(1);
      expect(openContexts()[0]).not.to.equal(first);
      expect(speaker.currentTime).to.equal(2);
      expect(speaker.getStats().underruns).to.equal(0);
    } finally {
      Object.assign(AudioContext.prototype, { setSinkId });
    }
  });

  it('goes on in another context when its device is gone', async () => {
    const speaker = speakerOf(noise, { ...exact, transport });
    const { started, finished } = speaker.speak('Noise.');
    await started;
    const [old] = openContexts();
    old!.dispatchEvent(new Event('error'));
    await finished;
    expect(openContexts()[0]).not.to.equal(old);
    expect(speaker.currentTime).to.equal(2);
  });

  itUnless(patientRendering)('plays into a context that renders offline', async () => {
    const frames: FramesSpec = { noise: 74, seconds: 0.3 };
    const context = new OfflineAudioContext(1, SPEECH_RATE, SPEECH_RATE);
    const speaker = speakerOf(frames, exact);
    speaker.audioContext = context;
    const { finished } = speaker.speak('Noise.');
    await next(speaker, 'socketclose'); // all of it is there
    const rendered = await context.startRendering();
    assertHeard(rendered.getChannelData(0), [expected(frames)]);
    await finished;
  });

  for (const [name, contextOf] of [
    ['context', () => Tone.getContext()],
    ['raw context', () => Tone.getContext().rawContext],
  ] as const) {
    it(`is heard in Tone.js’s ${name}, through its nodes`, async () => {
      Tone.setContext(new Tone.Context());
      const speaker = makeSpeaker(exact);
      speaker.sessionProvider = speakerOf({ tone: 440, seconds: 0.3 }).sessionProvider;
      speaker.audioContext = contextOf() as unknown as AudioContext;
      const meter = new Tone.Meter();
      const { started, finished } = speaker.speak('Tone.');
      await started;
      Tone.connect(speaker.outputNode!, meter);
      expect(speaker.getStats().audioBackend).to.equal('standardized');
      while (meter.getValue() < -20) await new Promise(requestAnimationFrame);
      await finished;
      Tone.getContext().dispose();
    });
  }
});
