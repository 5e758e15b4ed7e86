import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import type { Database, Service } from '../src/index.js';
import { createAccounts, createService, openDatabase } from './support/built.js';
import { Conversation } from './support/conversation.js';
import { eventually } from './support/eventually.js';
import { ManualClock } from './support/manual-clock.js';
import { Relay } from './support/relay.js';
import { StubEngine } from './support/stub-engine.js';

const engine = new StubEngine([
  { id: 'plain', sampleRate: 24000 },
  { id: 'fine', sampleRate: 24000, premium: true },
]);
let database: Database;
const running: Service[] = [];
describe('money', () => {
  before(async () => {
    database = await openDatabase();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.close()));
    const rows = await database.query(
      `select id from account
      where balance_ms <> (select coalesce(sum(amount_ms), 0) from ledger where account_id = account.id)`,
    );
    assert.deepEqual(rows, [], 'accounts whose balance is not the sum of their ledger');
  });
  after(() => database.close());

  async function start(clock = new ManualClock()): Promise<{ service: Service; clock: ManualClock }> {
    // On a busy machine, too, the last bills are written before a service has closed.
    const limits = { closeMs: 60_000, pingMs: 1_000_000_000 };
    const service = await createService({ apiKey: 'the-first-key', port: 0, database, engine, clock, limits });
    running.push(service);
    return { service, clock };
  }

  /** Creates a user with a key. */
  async function user(
    plan: 'none' | 'starter' | 'pro',
    credits: number,
  ): Promise<{ key: string; user: string; id: string }> {
    return createAccounts(database).createKey({ plan, credits });
  }

  function call(service: Service, key: string, body: unknown = {}): Promise<Response> {
    return fetch(`${service.url}/api/v1/realtime/stream/session`, {
      method: 'POST',
      headers: { 'X-SVC-Api-Key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async function urlFor(service: Service, key: string, body?: unknown): Promise<string> {
    const response = await call(service, key, body);
    assert.equal(response.status, 200);
    return ((await response.json()) as { url: string }).url;
  }

  /** Opens a socket that is admitted, and speaks on it. */
  async function speak(service: Service, key: string): Promise<Conversation> {
    const conversation = await new Conversation(await urlFor(service, key)).opened();
    conversation.say('Hello.');
    await conversation.message('context_done');
    return conversation;
  }

  /** Resolves with the status of a refused upgrade. */
  function upgradeStatus(url: string): Promise<number | undefined> {
    return new Promise((resolve) => {
      const socket = new WebSocket(url);
      socket.on('error', () => {});
      socket.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode);
        socket.terminate();
      });
    });
  }

  /** Balance of a user, and cost of each socket, in milliseconds. */
  async function account(id: string): Promise<{ balance: number; usage: number[] }> {
    const [row] = await database.query<{ balance_ms: number }>('select balance_ms from account where id = $1', [id]);
    const usage = await database.query<{ ms: number }>(
      `select -amount_ms as ms from ledger where account_id = $1 and kind = 'usage' order by id`,
      [id],
    );
    return { balance: row!.balance_ms, usage: usage.map(({ ms }) => ms) };
  }

  /** Resolves when the bills of closed sockets are written. */
  async function settled(service: Service): Promise<void> {
    await service.close();
  }

  describe('spec 1: billing', () => {
    it('runs while the socket is open, silence included, and stops when it is closed', async () => {
      const { service, clock } = await start();
      const { key, user: id } = await user('pro', 100);
      const conversation = await speak(service, key);
      clock.advance(1500); // silence
      await conversation.close();
      // The service may see the close later than the client.
      const leases = () => database.query('select 1 from lease where account_id = $1', [id]);
      await eventually('the socket is closed', async () => (await leases()).length === 0);
      clock.advance(5000);
      await settled(service);
      assert.deepEqual(await account(id), { balance: 100_000 - 1500, usage: [1500] });
    });

    it('charges nothing for a refused socket', async () => {
      const { service } = await start();
      const { key, user: id } = await user('starter', 100);
      const url = new URL(await urlFor(service, key));
      url.searchParams.set('voice_id', 'fine');
      assert.equal((await (await new Conversation(url.href).opened()).closed()).code, 4401);
      await settled(service);
      assert.deepEqual(await account(id), { balance: 100_000, usage: [] });
    });

    it('is written for sockets that are open when the service stops', async () => {
      const { service, clock } = await start();
      const { key, user: id } = await user('pro', 100);
      await Promise.all([speak(service, key), speak(service, key), speak(service, key)]);
      clock.advance(700);
      await service.close();
      assert.deepEqual(await account(id), { balance: 100_000 - 3 * 700, usage: [700, 700, 700] });
    });

    it('is written for sockets whose client vanishes without a close', async () => {
      const { service, clock } = await start();
      const { key, user: id } = await user('pro', 100);
      const conversation = await speak(service, key);
      clock.advance(700);
      conversation.socket.terminate();
      // A change of plan before the service notices the end does not change the bill.
      await database.query('update account set plan = $2 where id = $1', [id, 'starter']);
      await settled(service);
      assert.deepEqual((await account(id)).usage, [700]);
    });

    it('ends when a client whose network is dead has been idle for a minute', async () => {
      const { service, clock } = await start();
      const { key, user: id } = await user('pro', 100);
      const relay = await Relay.to(service.port);
      const url = new URL(await urlFor(service, key));
      url.port = String(relay.port);
      const conversation = await new Conversation(url.href).opened();
      conversation.say('Hello.');
      await conversation.message('context_done');
      relay.hold();
      clock.advance(60_000);
      await eventually('the bill is written', async () => {
        const leases = await database.query('select 1 from lease where account_id = $1', [id]);
        return leases.length === 0;
      });
      clock.advance(60_000);
      assert.deepEqual((await account(id)).usage, [60_000]);
      assert.equal(conversation.socket.readyState, WebSocket.OPEN, 'the client has not heard of it');
      await relay.stop();
      await conversation.closed();
    });
  });

  describe('spec 7.1: 402', () => {
    it('is the answer to an account without a plan', async () => {
      const { service } = await start();
      const response = await call(service, (await user('none', 100)).key);
      assert.equal(response.status, 402);
      assert.match(((await response.json()) as { detail: string }).detail, /plan/);
    });

    it('is the answer to an account without credits', async () => {
      const { service } = await start();
      const response = await call(service, (await user('pro', 0)).key);
      assert.equal(response.status, 402);
      assert.match(((await response.json()) as { detail: string }).detail, /credits/);
    });

    it('comes when credits were used up, and no longer when there are new ones', async () => {
      const { service, clock } = await start();
      const { key, user: id } = await user('pro', 1);
      const conversation = await speak(service, key);
      clock.advance(1000);
      assert.equal((await conversation.closed()).code, 4402);
      assert.equal((await call(service, key)).status, 402);
      await createAccounts(database).grant(id, 0.001);
      assert.equal((await call(service, key)).status, 200);
    });
  });

  describe('spec 7.3: close codes of money', () => {
    it('closes with 4402 at the moment the credits are used up, and takes no more than there were', async () => {
      const { service, clock } = await start();
      const { key, user: id } = await user('pro', 3.25);
      const conversation = await speak(service, key);
      clock.advance(2000);
      await eventually('the heartbeat is written', async () => (await account(id)).usage[0] === 2000);
      clock.advance(1249);
      await new Promise(setImmediate);
      assert.equal(conversation.heard.at(-1)?.kind, 'message');
      clock.advance(1);
      assert.equal((await conversation.closed()).code, 4402);
      await settled(service);
      assert.deepEqual(await account(id), { balance: 0, usage: [3250] });
    });

    it('closes with 4402 if the credits went between the session call and the socket', async () => {
      const { service } = await start();
      const { key, user: id } = await user('pro', 1);
      const url = await urlFor(service, key);
      await database.query('update ledger set amount_ms = 0 where account_id = $1', [id]);
      await database.query('update account set balance_ms = 0 where id = $1', [id]);
      assert.equal((await (await new Conversation(url).opened()).closed()).code, 4402);
    });

    it('closes with 4403 for a voice that the plan does not include, although the session call accepts it', async () => {
      const { service } = await start();
      const [starter, pro] = [await user('starter', 10), await user('pro', 10)];
      const refused = await new Conversation(await urlFor(service, starter.key, { voice_id: 'fine' })).opened();
      assert.equal((await refused.closed()).code, 4403);
      const admitted = await new Conversation(await urlFor(service, pro.key, { voice_id: 'fine' })).opened();
      admitted.say('Hello.');
      await admitted.message('context_done');
    });

    it('closes with 4401 if the key was revoked since the session call, and a socket that is open at the next heartbeat', async () => {
      const { service, clock } = await start();
      const { key, id } = await user('pro', 100);
      const [open, url] = [await speak(service, key), await urlFor(service, key)];
      await createAccounts(database).revokeKey(id);
      assert.equal((await (await new Conversation(url).opened()).closed()).code, 4401);
      clock.advance(2000);
      assert.equal((await open.closed()).code, 4401);
      assert.equal((await call(service, key)).status, 401);
    });
  });

  describe('Draining', () => {
    it('finishes the contexts that began, refuses others, then closes with 1001, and writes the bills', async () => {
      const { service, clock } = await start();
      const { key, user: id } = await user('pro', 100);
      const [idle, busy] = [await speak(service, key), await speak(service, key)];
      const lateUrl = await urlFor(service, key);
      busy.send({ type: 'synthesize', context_id: 'begun', text: 'abc' });
      await busy.until(({ kind }) => kind === 'frame', 2);
      clock.advance(100);
      const drained = service.drain();
      assert.equal((await idle.closed()).code, 1001);
      assert.equal((await call(service, key)).status, 503);
      assert.equal(await upgradeStatus(lateUrl), 503);
      busy.send({ type: 'synthesize', context_id: 'new', text: 'def' });
      assert.equal((await busy.message('error')).context_id, 'new');
      busy.send({ type: 'synthesize', context_id: 'begun', text: 'def' }, { type: 'end', context_id: 'begun' });
      assert.equal((await busy.message('context_done', 2)).context_id, 'begun');
      assert.equal((await busy.closed()).code, 1001);
      await drained;
      assert.deepEqual((await account(id)).usage, [100, 100]);
    });

    it('ends at its time limit', async () => {
      const { service, clock } = await start();
      const { key } = await user('pro', 100);
      const conversation = await speak(service, key);
      conversation.send({ type: 'synthesize', context_id: 'endless', text: 'abc' });
      await conversation.until(({ kind }) => kind === 'frame', 2);
      const drained = service.drain();
      for (let second = 0; second < 30; second++) {
        clock.advance(1000);
        conversation.send({ type: 'synthesize', context_id: 'endless', text: 'abc' });
      }
      assert.equal((await conversation.closed()).code, 1001);
      await drained;
    });
  });
});
