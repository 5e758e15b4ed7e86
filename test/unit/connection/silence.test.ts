import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { speaking, type GatewayStep } from '../../../src/testing/script.js';
import { until, type Speaker } from './speaker.js';
import { messagesFor, setStage } from './stage.js';

const HANDSHAKE_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = 60_000;
const UNWANTED_LIMIT_MS = 5000;

const audio = { frames: { ramp: true, samples: 240 } } as const;
const good = speaking(audio.frames);
/** Sends audio, and more after each `poke`, but never `context_done`. */
const endless: readonly GatewayStep[] = [{ wait: 'end' }, audio, { repeat: 'always', steps: [{ wait: 'end' }, audio] }];

/** Sends an `end`, for which a script waits. */
function poke(speaker: Speaker): void {
  speaker.sockets[0]!.send(JSON.stringify({ type: 'end', context_id: 'poke' }));
}

describe('a server that accepts the connection and never answers the handshake', () => {
  const stage = setStage();
  const taken: Socket[] = [];
  let server: Server;
  let url: string;

  before(async () => {
    server = createServer((socket) => taken.push(socket.on('error', () => {}).resume()));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => {
    taken.forEach((socket) => socket.destroy());
    server.close();
  });

  it('is disconnected after 10 s, with an error', async () => {
    const speaker = stage.speaker([], { session: () => ({ url, sampleRate: 24000, messages: [] }) }).attach();
    speaker.say('Hello.');
    await until(() => speaker.sockets.length === 1, 'a socket');
    speaker.clock.advance(HANDSHAKE_LIMIT_MS - 1);
    assert.deepEqual(speaker.of('socket-close'), []);
    assert.equal(speaker.sockets[0]!.readyState, speaker.sockets[0]!.CONNECTING);
    speaker.clock.advance(1);
    const { reason, closeCode, retryable, message } = await speaker.failed();
    assert.deepEqual([reason, closeCode, retryable], ['socket-failed', 1006, true]);
    assert.match(message, /check the network.*no answer within 10 s/);
    await until(() => taken.length > 0 && taken.every((socket) => socket.destroyed || socket.readableEnded), 'its end');
  });

  it('is tried again with a fresh session if the source can provide one', async () => {
    const speaker = stage
      .speaker([], {
        session: (attempt) => (attempt === 0 ? { url, sampleRate: 24000, messages: [] } : stage.session(good)),
      })
      .attach();
    speaker.canRenew = true;
    speaker.say('Hello.');
    await until(() => speaker.sockets.length === 1, 'a socket');
    speaker.clock.advance(HANDSHAKE_LIMIT_MS);
    await speaker.next('socket-close');
    speaker.clock.advance(1000);
    await speaker.finish();
    assert.deepEqual(speaker.of('failed'), []);
    assert.equal((await speaker.next('received')).samples, 240);
  });

  it('does not affect a connection whose handshake was answered', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('Hello.');
    await speaker.finish();
    speaker.clock.advance(100 * HANDSHAKE_LIMIT_MS);
    assert.equal(speaker.sockets[0]!.readyState, speaker.sockets[0]!.OPEN);
  });
});

describe('a service that should speak and sends nothing', () => {
  const stage = setStage();

  const silences: { what: string; text: string | null; script: readonly GatewayStep[]; messages: number }[] = [
    { what: 'to a text', text: 'Hello.', script: [], messages: 0 },
    { what: 'unasked', text: null, script: [], messages: 0 },
    { what: 'more', text: 'Hello.', script: [{ wait: 'end' }, audio], messages: 1 },
    { what: 'of use', text: 'Hello.', script: [{ text: 'What?' }], messages: 1 },
  ];
  for (const { what, text, script, messages } of silences) {
    it(`${what} is disconnected after 60 s of silence`, async () => {
      const speaker = stage.speaker([script]).attach();
      speaker.canRenew = true;
      speaker.say(text);
      await speaker.next('socket-open');
      await speaker.came(messages);
      speaker.clock.advance(SILENCE_LIMIT_MS - 1);
      assert.deepEqual(speaker.of('failed'), []);
      speaker.clock.advance(1);
      const { serials, reason, closeCode, message } = await speaker.failed();
      assert.deepEqual([serials, reason, closeCode], [[1], 'socket-closed', undefined]);
      assert.match(message, /sent nothing for 60 s.*Try again later\.$/);
      assert.equal((await speaker.next('socket-close')).code, 1000);
      // No retry: an open socket costs money, and the next one would most likely be silent, too.
      assert.equal(speaker.requests.length, 1);
    });
  }

  it('gets another 60 s after each message', async () => {
    const speaker = stage.speaker([endless]).attach();
    speaker.say('Hello.');
    await speaker.came(1);
    for (const messages of [2, 3]) {
      speaker.clock.advance(SILENCE_LIMIT_MS - 1);
      poke(speaker);
      await speaker.came(messages);
    }
    assert.deepEqual(speaker.of('failed'), []);
  });

  it('may stay silent when it is done, with keep-open', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('One.');
    await speaker.finish();
    speaker.clock.advance(10 * SILENCE_LIMIT_MS);
    speaker.say('Two.');
    await speaker.finish(2);
    assert.equal(speaker.sockets.length, 1);
    assert.equal(speaker.of('received').length, 2);
  });

  it('is not disconnected while its text is still being written, but after that', async () => {
    const speaker = stage.speaker([[]]).attach();
    speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: ['Well.'], more: true });
    await speaker.next('socket-open');
    speaker.clock.advance(10 * SILENCE_LIMIT_MS);
    speaker.worker.handle({ type: 'text', serial: 1, text: null });
    speaker.clock.advance(SILENCE_LIMIT_MS - 1);
    assert.deepEqual(speaker.of('failed'), []);
    speaker.clock.advance(1);
    assert.deepEqual((await speaker.failed()).serials, [1]);
  });

  it('does not fail a context that is done behind one that is not', async () => {
    const script = [{ wait: 'end' }, { wait: 'end' }, { done: 'm2' }] as const;
    const speaker = stage.speaker([], { session: () => stage.session(script, messagesFor('One.', 'Two.')) }).attach();
    speaker.say(null, null);
    await speaker.next('context-done');
    speaker.clock.advance(SILENCE_LIMIT_MS);
    assert.deepEqual((await speaker.failed()).serials, [1]);
    assert.equal((await speaker.next('received')).serial, 2);
  });
});

describe('a service that never finishes a cancelled utterance, with keep-open', () => {
  const stage = setStage();

  it('loses the socket after five seconds of silence, and the next utterance gets another', async () => {
    const speaker = stage.speaker([endless, good]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('One.');
    await speaker.came(1);
    speaker.worker.handle({ type: 'cancel', serials: [1] });
    speaker.say('Two.');
    speaker.clock.advance(UNWANTED_LIMIT_MS - 1);
    poke(speaker);
    await speaker.came(2);
    speaker.clock.advance(UNWANTED_LIMIT_MS - 1);
    assert.equal(speaker.requests.length, 1);
    speaker.clock.advance(1);
    await speaker.finish();
    assert.deepEqual(
      speaker.of('received').map(({ serial, samples }) => [serial, samples]),
      [[2, 240]],
    );
    assert.deepEqual(speaker.of('failed'), []);
    assert.equal((await speaker.next('socket-close')).code, 1000);
  });
});
