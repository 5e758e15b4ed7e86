import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import { expectBrokenOff } from './closing.js';
import { expectPendingResume, passed } from './gesture.js';

/** If one of these is red, WebKitGTK does no longer what the file named works around: take the workaround out. */
describe('WebKitGTK', () => {
  expectPendingResume();
  expectBrokenOff();

  it('is isolated without SharedArrayBuffer (src/output/playout-node.ts: chooseTransport)', () => {
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

  it('loads no worklet into a document of `srcdoc`, which nothing can be done about (docs/browsers.md)', async () => {
    const frame = document.createElement('iframe');
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    frame.srcdoc = '<!doctype html>';
    document.body.append(frame);
    await loaded;
    const { AudioContext: Context } = frame.contentWindow as unknown as typeof globalThis;
    const context = new Context();
    const url = URL.createObjectURL(new Blob([''], { type: 'text/javascript' }));
    const error: unknown = await context.audioWorklet.addModule(url).catch((cause: unknown) => cause);
    expect(String(error)).to.include('AbortError');
    await context.close();
    frame.remove();
  });
});
