import { expect } from 'chai';
import { speaking } from '../../src/testing/script.js';
import { gatewayUrl } from '../setup/gateway-url.js';

describe('The test page', () => {
  it('is cross-origin isolated if and only if it is marked as isolated', () => {
    const asked = document.querySelector('meta[name=isolated]') !== null;
    expect(crossOriginIsolated).to.equal(asked);
    expect(typeof SharedArrayBuffer === 'function').to.equal(asked);
  });

  it('starts an audio context without a gesture', async () => {
    const context = new AudioContext();
    await context.resume();
    expect(context.state).to.equal('running');
    const node = new ConstantSourceNode(context);
    // The `ended` event depends on the context's clock.
    const ended = new Promise((resolve) => (node.onended = resolve));
    node.start();
    node.stop(context.currentTime + 0.05);
    node.connect(context.destination);
    await ended;
    expect(context.currentTime).to.be.greaterThan(0);
    await context.close();
  });

  it('receives audio of the scripted gateway', async () => {
    const script = encodeURIComponent(JSON.stringify(speaking({ tone: 440, seconds: 0.1 })));
    const socket = new WebSocket(`${gatewayUrl}?script=${script}`);
    socket.binaryType = 'arraybuffer';
    await new Promise((resolve) => (socket.onopen = resolve));
    const first = new Promise<MessageEvent>((resolve) => (socket.onmessage = resolve));
    socket.send(JSON.stringify({ type: 'synthesize', context_id: 'a', text: 'Hello.', segment_mode: 'auto' }));
    socket.send(JSON.stringify({ type: 'end', context_id: 'a' }));
    expect((await first).data).to.be.instanceOf(ArrayBuffer);
    socket.close(1000);
  });

  it('loads the built thread files', async () => {
    for (const file of ['session.worker.js', 'speaker.worklet.js']) {
      const response = await fetch(`/dist/threads/${file}`);
      expect(response.status, file).to.equal(200);
    }
  });
});
