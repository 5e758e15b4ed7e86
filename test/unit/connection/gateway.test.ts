import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import WebSocketClient from 'ws';
import { startGateway, type Gateway } from '../../../src/testing/gateway.js';
import { pcmOf, scriptUrl, type GatewayLog, type GatewayStep } from '../../../src/testing/script.js';

/** Tests the behaviour on which other tests rely. Without it, they might pass because the gateway does nothing. */
describe('the scripted gateway', () => {
  let gateway: Gateway;
  before(async () => {
    gateway = await startGateway({ script: () => [{ close: 4000, reason: 'no script' }] });
  });
  after(() => gateway.close());

  /** Plays a script. Returns everything that it sends, with the code and reason of the close. */
  async function play(script: readonly GatewayStep[], ...send: object[]) {
    const socket = new WebSocketClient(scriptUrl(gateway.url, script, { id: 'me' }));
    const messages: (Buffer | string)[] = [];
    socket.on('message', (data: Buffer, isBinary) => messages.push(isBinary ? data : data.toString()));
    socket.on('open', () => send.forEach((message) => socket.send(JSON.stringify(message))));
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    return { messages, code, reason: reason.toString() };
  }

  it('cuts audio into frames with running headers', async () => {
    const frames = { noise: 7, samples: 5, bytesPerFrame: 3, headerOnlyEvery: 2 } as const;
    const { messages } = await play([{ frames }, { close: 1000 }]);
    const parts = messages as Buffer[];
    assert.deepEqual(
      parts.map((part) => part.length - 12),
      [0, 3, 3, 0, 3, 1],
    );
    assert.deepEqual(
      parts.map((part) => part.readUInt32BE(4)),
      [0, 1, 2, 3, 4, 5],
    );
    const pcm = Buffer.concat(parts.map((part) => part.subarray(12)));
    assert.deepEqual(
      pcmOf(frames).map((_, index) => pcm.readInt16LE(2 * index)),
      pcmOf(frames),
    );
  });

  it('continues a signal where an earlier part ended', () => {
    for (const source of [{ tone: 440 }, { ramp: true }, { noise: 1 }] as const) {
      const whole = pcmOf({ ...source, samples: 100 });
      assert.deepEqual(pcmOf({ ...source, samples: 40, from: 60 }), whole.slice(60));
    }
  });

  it('waits for messages, each once, and answers with their context', async () => {
    const script = [{ wait: 'end' }, { done: true }, { wait: 'end' }, { done: true }, { close: 1000 }] as const;
    const end = (id: string) => ({ type: 'end', context_id: id });
    const { messages } = await play(script, end('a'), { type: 'synthesize', context_id: 'b' }, end('b'));
    assert.deepEqual(messages, [
      '{"type":"context_done","context_id":"a"}',
      '{"type":"context_done","context_id":"b"}',
    ]);
  });

  it('delays messages during a stall, and keeps their order', async () => {
    const script = [{ text: 'a' }, { stall: 20 }, { text: 'b' }, { wait: 1 }, { text: 'c' }, { close: 1000 }] as const;
    const { messages, code } = await play(script);
    assert.deepEqual(messages, ['a', 'b', 'c']);
    assert.equal(code, 1000);
  });

  it('repeats steps, and ends with a code or without a handshake', async () => {
    const { messages, code } = await play([{ repeat: 3, steps: [{ text: 'x' }] }, { terminate: true }]);
    assert.deepEqual(messages, ['x', 'x', 'x']);
    assert.equal(code, 1006);
    const closed = await play([{ close: 4402, reason: 'credits' }]);
    assert.deepEqual([closed.code, closed.reason], [4402, 'credits']);
  });

  it('refuses a handshake', async () => {
    const socket = new WebSocketClient(scriptUrl(gateway.url, [{ refuse: 429 }]));
    socket.on('error', () => {}); // Follows the end of the socket.
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    assert.equal(response.statusCode, 429);
    socket.terminate();
  });

  it('reports over HTTP what happened, by id', async () => {
    const socket = new WebSocketClient(scriptUrl(gateway.url, [{ wait: 'end' }, { done: null }], { id: 'logged' }));
    await once(socket, 'open');
    socket.send('{"type":"end","context_id":"z"}');
    await once(socket, 'message');
    const address = gateway.url.replace('ws:', 'http:');
    const response = await fetch(new URL('/log?id=logged', address));
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    const log = (await response.json()) as GatewayLog;
    assert.equal(log.open, 1);
    assert.deepEqual(
      log.connections.map(({ messages, closed }) => ({ messages: messages.map(({ message }) => message), closed })),
      [{ messages: [{ type: 'end', context_id: 'z' }], closed: null }],
    );
    socket.close(1000);
    await once(socket, 'close');
  });

  it('plays the script that it was started with when the URL has none', async () => {
    const socket = new WebSocketClient(gateway.url);
    const [code] = (await once(socket, 'close')) as [number];
    assert.equal(code, 4000);
  });
});
