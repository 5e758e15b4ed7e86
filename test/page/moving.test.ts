import { expect } from 'chai';
import type { FramesSpec } from '../../src/testing/script.js';
import { assertBeginning, assertHeard, exact, expected, placeOf, sound, SPEECH_RATE } from './support/sound.js';
import { itUnless, sinks } from './support/engine.js';
import { closeOwnContexts, ownContext } from './support/own-contexts.js';
import { next, rejection, removeSpeakers, speakerOf, transport } from './support/speaker.js';
import { becomes, forceSampleRate, freeze, heard, openContexts } from './support/tap.js';
import { STOP_LIMIT_MS, WATCH_MS, withoutWaiting, withPatience } from './support/timers.js';

/** So long that it is still played when a slow page has been blocked. */
const SECONDS = 5;
const noise: FramesSpec = { noise: 70, seconds: SECONDS };
/**
 * Maximum age of the position, in samples. On the message transport, the audio thread reports it at this interval, and
 * not after it has stopped.
 */
const REPORT_SAMPLES = transport === 'message' ? 0.15 * SPEECH_RATE : 0;

describe('<svc-speaker> that changes its output', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(closeOwnContexts);
  afterEach(removeSpeakers);

  it('continues in a new context when the clock of the old one stops, and loses nothing', async () => {
    const speaker = speakerOf(noise, { ...exact, transport });
    const { started, finished } = speaker.speak('Noise.');
    await started;
    const [old] = openContexts();
    const waiting = next(speaker, 'waiting');
    const played = await freeze(old!);
    const whole = expected(noise);
    const before = assertBeginning(played, whole);
    const heardBefore = before.to - before.from;
    // Dispatched once the clock has stood still for a while.
    await withoutWaiting(() => waiting, WATCH_MS);
    await finished;
    await becomes(old!, 'closed');
    const [fresh] = openContexts();
    expect(fresh).not.to.equal(old);
    const after = sound(await heard(fresh));
    const from = placeOf(whole, after);
    // The first sample of a ramp is zero, and the first sample of the noise may be zero.
    expect(from).to.be.within(heardBefore - 3 - REPORT_SAMPLES, heardBefore + 3);
    expect(from + after.length).to.be.closeTo(whole.length, 3);
    expect(speaker.currentTime).to.equal(SECONDS);
    expect(speaker.getStats().underruns).to.equal(0);
  });

  it('continues in another context of the page, from the same sample', async () => {
    const contexts = [ownContext(), ownContext()];
    const speaker = speakerOf(noise, { ...exact, transport });
    speaker.audioContext = contexts[0]!;
    const { started, finished } = speaker.speak('Noise.');
    await started;
    await withPatience(STOP_LIMIT_MS, () => {
      speaker.audioContext = contexts[1]!;
      return finished;
    });
    const whole = expected(noise);
    const before = assertBeginning(await heard(contexts[0]), whole);
    const after = sound(await heard(contexts[1]));
    const from = placeOf(whole, after);
    expect(from).to.be.closeTo(before.to - before.from, 3);
    expect(from + after.length).to.be.closeTo(whole.length, 3);
    expect(contexts.map(({ state }) => state)).to.deep.equal(['running', 'running']);
    expect(speaker.getStats().underruns).to.equal(0);
  });

  it('loses nothing if the page is held up before it has connected the new nodes', async () => {
    const { connect } = AudioNode.prototype;
    const contexts = [ownContext(), ownContext()];
    const speaker = speakerOf(noise, { ...exact, transport });
    speaker.audioContext = contexts[0]!;
    const { started, finished } = speaker.speak('Noise.');
    await started;
    AudioNode.prototype.connect = function connectLate(this: AudioNode, ...to: unknown[]) {
      if (this instanceof AudioWorkletNode) for (const end = performance.now() + 100; performance.now() < end;);
      return Reflect.apply(connect, this, to) as AudioNode;
    };
    try {
      await withPatience(STOP_LIMIT_MS, () => {
        speaker.audioContext = contexts[1]!;
        return finished;
      });
    } finally {
      AudioNode.prototype.connect = connect;
    }
    const whole = expected(noise);
    const before = assertBeginning(await heard(contexts[0]), whole);
    const after = sound(await heard(contexts[1]));
    expect(placeOf(whole, after)).to.be.closeTo(before.to - before.from, 3);
  });

  it('does not suspend or close a context of the page', async () => {
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

  itUnless(sinks)('moves to another device at setSinkId(), and stays if there is no such device', async () => {
    // For real devices, see test/engines/devices.test.ts. Here, only the context changes.
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
      await becomes(first!, 'closed');
      expect(openContexts()).to.have.length(1);
      expect(speaker.currentTime).to.equal(SECONDS);
      expect(speaker.getStats().underruns).to.equal(0);
    } finally {
      Object.assign(AudioContext.prototype, { setSinkId });
    }
  });

  itUnless(sinks)(
    'keeps the device that works if another is asked for at the same time (workadventure/workadventure 6403)',
    async () => {
      const { setSinkId } = AudioContext.prototype as unknown as { setSinkId: (id: string) => Promise<void> };
      const asked: string[] = [];
      Object.assign(AudioContext.prototype, {
        setSinkId(this: AudioContext, id: string) {
          asked.push(id);
          return id === 'loudspeaker' ? Promise.resolve() : setSinkId.call(this, id);
        },
      });
      try {
        const speaker = speakerOf(noise, { ...exact, transport });
        const { started, finished } = speaker.speak('Noise.');
        await started;
        const [works, none] = await Promise.allSettled([
          speaker.setSinkId('loudspeaker'),
          speaker.setSinkId('no such device'),
        ]);
        expect(works.status).to.equal('fulfilled');
        expect(((none as PromiseRejectedResult).reason as DOMException).name).to.equal('NotFoundError');
        expect(speaker.sinkId).to.equal('loudspeaker');
        expect(asked).to.deep.equal(['loudspeaker', 'no such device']);
        await finished;
        expect(speaker.error).to.equal(null);
      } finally {
        Object.assign(AudioContext.prototype, { setSinkId });
      }
    },
  );

  it('continues in another context when its device is gone', async () => {
    const speaker = speakerOf(noise, { ...exact, transport });
    const { started, finished } = speaker.speak('Noise.');
    await started;
    const [old] = openContexts();
    old!.dispatchEvent(new Event('error'));
    await finished;
    await becomes(old!, 'closed');
    expect(openContexts()).to.have.length(1);
    expect(speaker.currentTime).to.equal(SECONDS);
  });
});
