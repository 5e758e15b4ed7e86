import { executeServerCommand, sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { Recorded } from '../launch/recorder.js';
import { samplesOf, sounds, type Stretch } from '../tone.js';
import { passed } from './gesture.js';

const LEVEL = 0.5;

/** Adds a test for engines that, when a context is closed, discard audio that the sound card has not yet played. */
export function expectCutTail(): void {
  it('close-cuts-tail: discards what has been rendered when a context is closed', async () => {
    await executeServerCommand('start-recording');
    const context = new AudioContext();
    await sendMouse({ type: 'click', position: [1, 1] });
    await context.resume();
    const gain = new GainNode(context, { gain: LEVEL });
    const tone = new OscillatorNode(context, { frequency: 440 });
    tone.connect(gain).connect(context.destination);
    tone.start();
    await passed(context, 0.5);
    gain.gain.setTargetAtTime(0, context.currentTime, 0.001);
    await passed(context, 0.01);
    await context.close();
    const recorded = await executeServerCommand<Recorded, undefined>('stop-recording');
    const samples = samplesOf(recorded);
    const { to } = sounds(samples, recorded.rate).at(-1) as Stretch;
    const end = samples.subarray(to - 0.002 * recorded.rate, to);
    expect(Math.max(...end.map(Math.abs)), 'of the ramp').to.be.above(LEVEL / 8);
  });
}
