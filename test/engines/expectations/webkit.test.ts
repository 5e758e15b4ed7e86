import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import { expectCutTail } from './closing.js';
import { expectNoAutoplayPolicy, expectPendingResume, passed } from './gesture.js';

/** If one of these fails, WebKitGTK no longer needs the workaround with that id: see docs/browsers.md. */
describe('WebKitGTK', () => {
  expectPendingResume();
  expectCutTail();
  expectNoAutoplayPolicy();

  it('webkitgtk-no-shared-memory: is isolated without SharedArrayBuffer', () => {
    expect(crossOriginIsolated).to.equal(true);
    expect(typeof SharedArrayBuffer).to.equal('undefined');
  });

  it('webkit-stream-transfer: cannot transfer a stream', () => {
    const stream = new ReadableStream();
    expect(() => structuredClone(stream, { transfer: [stream] }))
      .to.throw()
      .with.property('name', 'DataCloneError');
  });

  it('webkitgtk-zero-latency: reports a latency of 0', async () => {
    const context = new AudioContext();
    await sendMouse({ type: 'click', position: [1, 1] });
    await context.resume();
    await passed(context, 0.5);
    expect(context.outputLatency).to.equal(0);
    await context.close();
  });

  it('webkit-srcdoc-worklet: loads no worklet from a blob: URL in a frame of `srcdoc`, and one from a data: URL', async () => {
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
    await context.audioWorklet.addModule('data:text/javascript,');
    await context.close();
    frame.remove();
  });

  it('webkit-caret-in-shadow: finds no position in the text of a shadow root', () => {
    const host = document.createElement('div');
    const root = host.attachShadow({ mode: 'open' });
    root.innerHTML = '<p>word</p>';
    document.body.append(host);
    const { x, y, width, height } = root.querySelector('p')!.getBoundingClientRect();
    const [left, top] = [x + Math.min(10, width / 2), y + height / 2];
    const found =
      'caretPositionFromPoint' in document
        ? document.caretPositionFromPoint(left, top, { shadowRoots: [root] })?.offsetNode
        : (document as Document).caretRangeFromPoint(left, top)?.startContainer;
    host.remove();
    expect(root.contains(found ?? null)).to.equal(false);
  });
});
