import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import type { ServiceOptions, SpeechEngine } from '../src/index.js';
import { openDatabase } from './support/built.js';
import { Conversation } from './support/conversation.js';
import { host, KEY, type Host } from './support/host.js';
import { ManualClock } from './support/manual-clock.js';

const open: Host<SpeechEngine>[] = [];

/** Starts a service that is closed after the test. */
async function started(options: ServiceOptions = {}): Promise<Host<SpeechEngine>> {
  const service = await host(options);
  open.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

/** Opens a URL, and resolves with the close that refuses it. */
async function refusal(url: string | URL): Promise<{ code: number; reason: string }> {
  const conversation = await new Conversation(String(url)).opened();
  return conversation.closed();
}

describe('spec 4.2, 5: who may open the socket', () => {
  it('admits any client that has the URL, without a key', async () => {
    const service = await started();
    const conversation = await service.open();
    conversation.say('Hello');
    await conversation.message('context_done');
  });

  it('opens a URL once', async () => {
    const service = await started();
    const { url } = await service.session();
    const first = await new Conversation(url).opened();
    first.say('Hello');
    await first.message('context_done');
    assert.equal((await refusal(url)).code, 4401);
    await first.close();
    assert.equal((await refusal(url)).code, 4401);
  });

  it('admits one of two clients that open a URL at the same time', async () => {
    const service = await started();
    const { url } = await service.session();
    const both = await Promise.all([new Conversation(url).opened(), new Conversation(url).opened()]);
    for (const each of both) each.socket.send(JSON.stringify({ type: 'end', context_id: 'a' }));
    const ends = await Promise.all(both.map((each) => each.until((heard) => heard.kind !== 'frame')));
    assert.deepEqual(ends.map(({ kind }) => kind).sort(), ['close', 'message']);
    for (const each of both) each.socket.terminate();
  });

  it('refuses a URL after 30 seconds', async () => {
    const clock = new ManualClock();
    const service = await started({ clock });
    const [early, late] = [await service.session(), await service.session()];
    clock.advance(29_000);
    const conversation = await new Conversation(early.url).opened();
    conversation.say('Hello');
    await conversation.message('context_done');
    conversation.socket.terminate();
    clock.advance(1_000);
    assert.equal((await refusal(late.url)).code, 4401);
  });

  it('leaves an open socket open when its token expires', async () => {
    const clock = new ManualClock();
    const service = await started({ clock });
    const conversation = await service.open();
    clock.advance(31_000);
    conversation.say('Hello');
    await conversation.message('context_done');
  });

  it('reports a configured lifetime of the URL in the response', async () => {
    const clock = new ManualClock();
    const service = await started({ clock, tokenSeconds: 5 });
    const { url, expires_in_seconds, expires_at } = await service.session();
    assert.equal(expires_in_seconds, 5);
    assert.equal(expires_at, new Date(clock.now() + 5_000).toISOString());
    clock.advance(5_000);
    assert.equal((await refusal(url)).code, 4401);
  });

  it('refuses a URL without a token, with nonsense for one, or with that of another service', async () => {
    // Services on one database accept each other's tokens.
    const database = await openDatabase();
    const [service, other] = [await started(), await started({ database })];
    const url = new URL((await service.session()).url);
    const foreign = new URL((await other.session()).url).searchParams.get('token')!;
    const signature = /[^.]+$/.exec(url.searchParams.get('token')!)![0];
    const forged = foreign.replace(/[^.]+$/, signature);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${foreign.split('.')[1]}.`;
    for (const token of ['', 'nonsense', foreign, forged, unsigned]) {
      url.searchParams.set('token', token);
      assert.equal((await refusal(url)).code, 4401, token);
    }
    url.searchParams.delete('token');
    assert.equal((await refusal(url)).code, 4401);
    await other.close();
    await database.close();
  });

  it('refuses a URL whose session was changed', async () => {
    const service = await started();
    for (const change of [
      (query: URLSearchParams) => query.set('sample_rate', '96000'),
      (query: URLSearchParams) => query.set('voice_id', 'two'),
      (query: URLSearchParams) => query.set('sampling', '{"rate":2}'),
      (query: URLSearchParams) => query.append('chunk_seconds', '1'),
      (query: URLSearchParams) => query.delete('format'),
    ]) {
      const url = new URL((await service.session()).url);
      change(url.searchParams);
      assert.equal((await refusal(url)).code, 4401, url.search);
    }
  });

  it('ignores unknown parameters', async () => {
    const service = await started();
    const { url } = await service.session();
    const conversation = await new Conversation(`${url}&trace=1`).opened();
    conversation.say('Hello');
    await conversation.message('context_done');
    await conversation.close();
  });

  it('answers a plain GET with 426', async () => {
    const service = await started();
    assert.equal((await fetch(`${service.service.url}/realtime/stream`)).status, 426);
  });

  it('upgrades on no other path', async () => {
    const service = await started();
    const { origin } = new URL(service.service.url.replace('http', 'ws'));
    for (const path of ['/', '/healthz', '/realtime/stream/more', '/api/v1/realtime/stream/session']) {
      const socket = new WebSocket(`${origin}${path}`, { headers: { 'X-SVC-Api-Key': KEY } });
      socket.on('error', () => {}); // terminate() below reports the broken handshake
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
      assert.equal(response.statusCode, 404, path);
      socket.terminate();
    }
  });

  it('chooses svctts.v1 of the subprotocols offered, and no other', async () => {
    const service = await started();
    const ours = await new Conversation((await service.session()).url, ['other', 'svctts.v1']).opened();
    assert.equal(ours.socket.protocol, 'svctts.v1');
    ours.socket.terminate();
  });

  it('closes with 4500 if the engine went down since the session call', async () => {
    const service = await host();
    open.push(service);
    const { url } = await service.session();
    service.engine.available = false;
    assert.equal((await refusal(url)).code, 4500);
  });
});

/** Begins a context without an end, and waits for its first frame: the socket is then admitted, and has its slot. */
async function begin(conversation: Conversation): Promise<void> {
  conversation.send({ type: 'synthesize', context_id: 'endless', text: 'Hello' });
  await conversation.until(({ kind }) => kind === 'frame');
}

describe('spec 8: how many sockets an account may have open', () => {
  it('closes sockets beyond the limit with 4429, although the session call succeeds', async () => {
    const service = await started({ maxConcurrentSessions: 2 });
    for (const conversation of [await service.open(), await service.open()]) await begin(conversation);
    const { url, max_concurrent_sessions } = await service.session();
    assert.equal(max_concurrent_sessions, 2);
    assert.equal((await refusal(url)).code, 4429);
  });

  it('counts sockets that have said nothing', async () => {
    const service = await started({ maxConcurrentSessions: 2 });
    await service.open();
    await service.open();
    assert.equal((await refusal((await service.session()).url)).code, 4429);
  });

  it('has room again when one is closed, or breaks', async () => {
    const service = await started({ maxConcurrentSessions: 1 });
    for (const leave of ['close', 'terminate', 'reset'] as const) {
      const conversation = await service.open();
      conversation.say('Hello');
      await conversation.message('context_done');
      if (leave === 'close') await conversation.close();
      else if (leave === 'terminate') conversation.socket.terminate();
      else conversation.connection.resetAndDestroy();
      // The service notices a broken connection a moment later; until then it refuses.
      for (let code = 4429; code === 4429;) {
        const next = await service.open();
        next.say('Hello');
        const heard = await next.until(({ kind }) => kind !== 'frame');
        code = heard.kind === 'close' ? heard.code : 0;
        if (code !== 4429) await next.close();
      }
    }
  });

  it('gives the slot to another socket as soon as there is nothing more to say, and the socket may stay open', async () => {
    const service = await started({ maxConcurrentSessions: 1 });
    const first = await service.open();
    first.say('Hello');
    await first.message('context_done');
    const second = await service.open();
    second.say('Hello');
    await second.message('context_done');
    first.say('Hello again');
    await first.message('context_done', 2);
  });

  it('is an error of a context while another socket has the slot, and the socket stays open', async () => {
    const service = await started({ maxConcurrentSessions: 1 });
    const first = await service.open();
    first.say('Hello');
    await first.message('context_done');
    const second = await service.open();
    await begin(second);
    first.say('Hello again', 'turn-2');
    const { context_id, message } = await first.message('error');
    assert.equal(context_id, 'turn-2');
    assert.match(String(message), /^All slots of the account are in use/);

    second.send({ type: 'end', context_id: 'endless' });
    await second.message('context_done');
    first.say('Hello at last', 'turn-3');
    await first.message('context_done', 2);
  });

  for (const [settings, most] of [
    [{ maxConcurrentSessions: 1 }, 4],
    [{ maxConcurrentSessions: 1, maxSocketsPerAccount: 2 }, 2],
  ] as const) {
    it(`has a ceiling for sockets without a slot: ${most} for ${JSON.stringify(settings)}`, async () => {
      const service = await started(settings);
      for (let count = 0; count < most; count++) {
        const conversation = await service.open();
        conversation.say('Hello');
        await conversation.message('context_done');
      }
      assert.equal((await refusal((await service.session()).url)).code, 4429);
    });
  }

  it('refuses upgrades with 503 while the node has as many sockets open as it may', async () => {
    const service = await started({ maxSockets: 1 });
    const first = await service.open();
    const { url } = await service.session();
    const refused = new WebSocket(url);
    refused.on('error', () => {}); // terminate() below reports the broken handshake
    const [, response] = (await once(refused, 'unexpected-response')) as [unknown, IncomingMessage];
    assert.equal(response.statusCode, 503);
    assert.equal(response.headers['retry-after'], '1');
    refused.terminate();
    await first.close();
  });

  it('keeps the slot while a context has no end', async () => {
    const service = await started({ maxConcurrentSessions: 1 });
    const first = await service.open();
    first.say('Hello');
    first.send({ type: 'synthesize', context_id: 'turn-2', text: 'Hello again' });
    await first.until(({ kind }) => kind === 'frame', 2);
    assert.equal((await refusal((await service.session()).url)).code, 4429);
  });

  it('is exact for sockets that are opened at the same time', async () => {
    const service = await started({ maxConcurrentSessions: 5 });
    const urls = await Promise.all(Array.from({ length: 20 }, () => service.session()));
    const conversations = urls.map(({ url }) => new Conversation(url));
    const ends = await Promise.all(
      conversations.map(async (conversation) => {
        await conversation.opened();
        conversation.send({ type: 'synthesize', context_id: 'turn-1', text: 'Hello' });
        return conversation.until(() => true);
      }),
    );
    assert.equal(ends.filter(({ kind }) => kind === 'frame').length, 5);
    for (const { socket } of conversations) socket.terminate();
  });
});
