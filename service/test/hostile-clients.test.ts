import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import type { ServiceOptions, SpeechEngine } from '../src/index.js';
import { LIMITS } from '../src/limits.js';
import { Conversation } from './support/conversation.js';
import { eventually } from './support/eventually.js';
import { host, sharedDatabase, type Host } from './support/host.js';
import { ManualClock } from './support/manual-clock.js';

/** Maximum number of calls per address and minute. */
const CALLS = 20;

const open: { close(): Promise<void> }[] = [];
describe('hostile clients', () => {
  beforeEach(async () => {
    await (await sharedDatabase()).query('truncate rate_window');
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  /** Starts a service whose callers have no requests to their name. It is closed after the test. */
  async function started(options: ServiceOptions = {}): Promise<Host<SpeechEngine>> {
    const service = await host(options);
    open.push(service);
    return service;
  }

  /** Result of an upgrade: the HTTP status, or 101 and the close code of the socket. */
  interface Upgrade {
    readonly status: number;
    readonly code?: number;
    readonly retryAfter?: string | undefined;
    readonly body?: string;
  }

  function upgrade(url: string, headers: Record<string, string> = {}): Promise<Upgrade> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { headers });
      socket.on('error', reject);
      socket.on('close', (code) => resolve({ status: 101, code }));
      socket.on('unexpected-response', async (_request, response) => {
        let body = '';
        for await (const part of response.setEncoding('utf8')) body += part as string;
        resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after'], body });
      });
    });
  }

  describe('A client that sends tokens that are refused', () => {
    const limits = { requestsPerMinute: CALLS };
    const garbage = ({ service }: Host<SpeechEngine>): string => `${service.url}/realtime/stream?token=garbage`;

    it('gets 429 before the handshake once it has sent too many', async () => {
      const service = await started({ limits });
      const upgrades = await Promise.all(Array.from({ length: 100 }, () => upgrade(garbage(service))));
      const served = upgrades.filter(({ status }) => status === 101);
      assert.deepEqual(
        served.map(({ code }) => code),
        Array.from({ length: CALLS }, () => 4401),
      );
      for (const { body, retryAfter, status } of upgrades.filter((each) => !served.includes(each))) {
        assert.equal(status, 429);
        assert.match(retryAfter!, /^[1-9]\d*$/);
        assert.match((JSON.parse(body!) as { detail: string }).detail, /^More than 20 requests in a minute/);
      }
    });

    it('gets 429 for a token that is used again and again', async () => {
      const service = await started({ limits });
      const { url } = await service.session();
      const first = await new Conversation(url).opened();
      const upgrades = await Promise.all(Array.from({ length: 60 }, () => upgrade(url)));
      assert.equal(upgrades.filter(({ status }) => status === 429).length, 60 - (CALLS - 1));
      await first.close();
    });

    it('does not keep out clients with a good token at the same address', async () => {
      const service = await started({ limits });
      const sessions = await Promise.all(Array.from({ length: 5 }, () => service.session()));
      await Promise.all(Array.from({ length: 60 }, () => upgrade(garbage(service))));
      for (const { url } of sessions) {
        const conversation = await new Conversation(url).opened();
        conversation.say('Hello.');
        await conversation.message('context_done');
        await conversation.close();
      }
    });

    it('is not counted when its address is exempt', async () => {
      const service = await started({ limits, rateLimitExempt: ['127.0.0.1'] });
      const upgrades = await Promise.all(Array.from({ length: 60 }, () => upgrade(garbage(service))));
      assert.ok(upgrades.every(({ code }) => code === 4401));
    });

    it('is known by the address that a trusted proxy gives', async () => {
      const service = await started({ limits, trustProxy: ['127.0.0.1'] });
      const from = (address: string): Promise<Upgrade> => upgrade(garbage(service), { 'x-forwarded-for': address });
      await Promise.all(Array.from({ length: CALLS }, () => from('192.0.2.1')));
      assert.equal((await from('192.0.2.1')).status, 429);
      assert.equal((await from('192.0.2.2')).code, 4401);
    });

    it('does not use up a token with a request that is no upgrade', async () => {
      const service = await started({ limits });
      const { url } = await service.session();
      assert.equal((await fetch(url.replace(/^ws/, 'http'))).status, 426);
      await (await new Conversation(url).opened()).close();
    });
  });

  describe('A client that sends more text than can be spoken', () => {
    const { inboundBurstBytes } = LIMITS;

    const ignored = { type: 'synthesize', context_id: 'failed', text: 'x'.repeat(9000) };

    /** Opens a socket, makes a context fail, sends 8 MiB more of its text, then a message that is answered. */
    async function flood(service: Host<SpeechEngine>): Promise<Conversation> {
      const conversation = await service.open();
      conversation.send({ type: 'synthesize', context_id: 'failed', text: 'x'.repeat(10_001) });
      await conversation.message('error');
      const message = JSON.stringify(ignored);
      for (let bytes = 0; bytes < 8 * 1024 * 1024; bytes += message.length) conversation.send(message);
      conversation.send({ type: 'end', context_id: 'never begun' });
      return conversation;
    }

    it('waits while others open sockets and are spoken to', async () => {
      const clock = new ManualClock();
      const service = await started({ clock, limits: { closeMs: 100, inboundBurstBytes } });
      const hostile = await flood(service);
      for (let count = 0; count < 5; count++) {
        const other = await service.open();
        other.say('Hello.');
        await other.message('context_done');
        await other.close();
      }
      assert.deepEqual(
        hostile.heard.map((heard) => heard.kind === 'message' && heard.message.context_id),
        ['failed'],
      );
      hostile.socket.terminate();
    });

    it('is read again as time passes', async () => {
      const clock = new ManualClock();
      const service = await started({ clock, limits: { inboundBytesPerSecond: 4 * 1024 * 1024, inboundBurstBytes } });
      const hostile = await flood(service);
      await eventually('the last message is answered', () => {
        clock.advance(100);
        return hostile.heard.length === 2;
      });
    });

    it('is closed with 4408 if nothing else comes for a minute', async () => {
      const clock = new ManualClock();
      const service = await started({ clock, limits: { inboundBurstBytes } });
      const hostile = await flood(service);
      await eventually('it is closed', () => {
        clock.advance(1000);
        return hostile.heard.at(-1)?.kind === 'close';
      });
      assert.equal((await hostile.closed()).code, 4408);
    });
  });
});
