import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import { expectPendingResume, passed } from './gesture.js';

/** If one of these is red, WebKitGTK does no longer what the file named works around: take the workaround out. */
describe('WebKitGTK', () => {
  expectPendingResume();

  it('is isolated without SharedArrayBuffer (src/output/playout-line.ts: chooseTransport)', () => {
    expect(crossOriginIsolated).to.equal(true);
    expect(typeof SharedArrayBuffer).to.equal('undefined');
  });

  it('says that it has no latency (src/output/audio-output.ts: WEBKITGTK_LATENCY)', async () => {
    const context = new AudioContext();
    await sendMouse({ type: 'click', position: [1, 1] });
    await context.resume();
    await passed(context, 0.5);
    expect(context.outputLatency).to.equal(0);
    await context.close();
  });
});
