import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import { expectCutTail } from './closing.js';
import { expectNoAutoplayPolicy, expectPendingResume, NEVER_MS, passed } from './gesture.js';

/** Counts the render quanta in which `currentFrame` has the same value as in the previous one. */
const counter = `
registerProcessor('counter', class extends AudioWorkletProcessor {
  before = -1;
  repeated = 0;
  constructor() {
    super();
    this.port.onmessage = () => this.port.postMessage(this.repeated);
  }
  process() {
    if (currentFrame === this.before) this.repeated++;
    this.before = currentFrame;
    return true;
  }
});`;

/** If one of these fails, Chromium no longer needs the workaround with that id: see docs/browsers.md. */
describe('Chromium', () => {
  expectPendingResume();
  expectCutTail();
  expectNoAutoplayPolicy();

  it('chromium-repeated-frame: lets `currentFrame` stand still while the graph is changed', async () => {
    const context = new AudioContext();
    await context.resume();
    await context.audioWorklet.addModule(URL.createObjectURL(new Blob([counter], { type: 'text/javascript' })));
    const node = new AudioWorkletNode(context, 'counter', { numberOfInputs: 0 });
    node.connect(context.destination);
    let repeated = 0;
    // Any quantum during which the graph changes may repeat `currentFrame`. If none does, the test times out.
    while (repeated === 0) {
      for (let change = 0; change < 2000; change++) {
        const other = new GainNode(context);
        other.connect(context.destination);
        other.disconnect();
      }
      repeated = await new Promise<number>((resolve) => {
        node.port.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
        node.port.postMessage(null);
      });
    }
    await context.close();
  });

  it('chromium-csp-socket: dispatches no `close` to a socket that connect-src forbids', async () => {
    const frame = document.createElement('iframe');
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    frame.srcdoc = '<!doctype html><meta http-equiv="Content-Security-Policy" content="connect-src \'none\'">';
    document.body.append(frame);
    await loaded;
    const { WebSocket: Socket } = frame.contentWindow as unknown as typeof globalThis;
    const socket = new Socket('wss://example.com/');
    const events: string[] = [];
    for (const type of ['error', 'close']) socket.addEventListener(type, () => events.push(type));
    await new Promise((resolve) => setTimeout(resolve, NEVER_MS));
    expect(events).to.deep.equal(['error']);
    expect(socket.readyState).to.equal(WebSocket.CLOSED);
    frame.remove();
  });

  it('chromium-silent-sink: takes a silent context off the device after 30 s', async function () {
    this.timeout(60_000);
    const context = new AudioContext();
    await context.resume();
    await passed(context, 1);
    expect(await executeServerCommand('plays')).to.equal(true);
    await passed(context, 32);
    expect(await executeServerCommand('plays')).to.equal(false);
    await context.close();
  });
});
