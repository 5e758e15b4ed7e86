import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callFrom } from './call-from.js';
import { eventually } from './eventually.js';
import { atSite, NO_SITE } from './site.js';

/** Attempts at once in a race. */
const ATTEMPTS = 400;

/** Calls of a client in a minute (interface-spec 8). */
const RATE = 200;

/** Time between two heartbeats, and what a busy machine adds, in milliseconds. */
const HEARTBEAT_MS = 2000 + 1000;

/** How often races are run; one that is lost now and then is lost in six. */
const ROUNDS = Number(process.env.SVC_TEST_ROUNDS ?? 1);

const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

describe('spec 4.2, 5: tokens of several nodes', { skip: NO_SITE }, () => {
  it(
    'are accepted by any node, by one of them and once',
    atSite({}, async (site) => {
      const [first, second] = site.nodes;
      const { key } = await site.accounts.createKey({ plan: 'pro' });
      for (const [giver, taker] of [
        [first!, second!],
        [second!, first!],
      ] as const) {
        const url = await site.session(key, giver.url);
        const listener = await site.open(url, taker);
        listener.conversation.say('Hello.');
        await listener.conversation.message('context_done');
        assert.equal((await site.bills()).get(listener.sessionId)?.node, taker.name);
        for (const node of site.nodes) {
          const again = await site.open(url, node);
          assert.equal((await again.conversation.closed()).code, 4401);
        }
      }
      const url = await site.session(key);
      const opened = await Promise.all(Array.from({ length: 20 }, (_, index) => site.open(url, site.nodes[index % 2])));
      await eventually('all but one are closed', 5000, () => opened.filter(({ isOpen }) => isOpen).length === 1);
      const codes = opened
        .filter(({ isOpen }) => !isOpen)
        .map(async ({ conversation }) => (await conversation.closed()).code);
      assert.deepEqual(new Set(await Promise.all(codes)), new Set([4401]));
    }),
  );
});

describe('spec 8: concurrent sockets over several nodes', { skip: NO_SITE }, () => {
  for (const round of rounds) {
    it(
      `are exactly as many as the ceiling has, of ${ATTEMPTS} at once (${round + 1})`,
      atSite({ environment: { SVC_MAX_CONCURRENT_SESSIONS: '25' } }, async (site) => {
        const { key, user } = await site.accounts.createKey({ plan: 'pro' });
        const urls = await Promise.all(Array.from({ length: ATTEMPTS }, () => site.session(key)));
        void urls.map((url) => site.open(url));
        const { listeners } = site;
        const refused = () => listeners.filter(({ endedAt }) => endedAt !== null);
        await eventually('375 are refused', 15_000, () => refused().length >= ATTEMPTS - 25);
        assert.equal(await site.slots(user), 25);
        assert.equal(listeners.filter(({ isOpen }) => isOpen).length, 25);
        const codes = refused().map(async ({ conversation }) => (await conversation.closed()).code);
        assert.deepEqual(new Set(await Promise.all(codes)), new Set([4429]));
        const bills = [...(await site.bills()).values()];
        assert.equal(bills.length, 25, 'to be refused costs nothing');
        assert.deepEqual(new Set(bills.map(({ node }) => node)), new Set(['node-1', 'node-2']));
      }),
    );
  }
});

describe('spec 8: request rate behind a proxy', { skip: NO_SITE }, () => {
  it(
    `is exactly ${RATE} of ${ATTEMPTS} at once, by the address that the proxy saw, whatever the client says`,
    atSite({}, async (site) => {
      const { key } = await site.accounts.createKey({ plan: 'pro' });
      const call = (address: string, claimed?: string) =>
        callFrom(address, site.url, {
          'X-SVC-Api-Key': key,
          ...(claimed === undefined ? {} : { 'X-Forwarded-For': claimed }),
        });
      for (const round of rounds) {
        const client = `127.2.0.${round + 1}`;
        const victim = `198.51.100.${round + 1}`;
        const answers = await Promise.all(
          Array.from({ length: ATTEMPTS }, (_, index) =>
            call(client, index % 2 ? victim : `192.0.2.${index % 250}, 127.0.0.1`),
          ),
        );
        const passed = answers.filter(({ status }) => status === 200);
        assert.equal(passed.length, RATE);
        assert.equal(answers.filter(({ status }) => status === 429).length, ATTEMPTS - RATE);
        const remaining = passed.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b);
        assert.deepEqual(
          remaining,
          Array.from({ length: RATE }, (_, index) => index),
        );
        assert.equal((await call(client, victim)).status, 429);
        const other = await call(`127.2.1.${round + 1}`);
        assert.equal(other.headers['x-ratelimit-remaining'], String(RATE - 1), 'others are not counted with it');
        const counted = await site.database.query<{ client: string }>(
          'select client from rate_window where client = $1',
          [victim],
        );
        assert.deepEqual(counted, [], 'nobody is counted for what another one says');
      }
    }),
  );
});

describe('svc-service keys, on several nodes', { skip: NO_SITE }, () => {
  it(
    'makes keys that every node takes, and ends the sockets of one that is revoked on all of them',
    atSite({}, async (site) => {
      const on = ['--database-url', site.databaseUrl];
      const [made] = await site
        .run(['keys', 'create', '--user', 'sue', '--plan', 'pro', '--credits', '100', ...on])
        .rows();
      const key = made!.key as string;
      const other = await site.accounts.createKey({ user: 'sue' });
      const listeners = (await Promise.all(site.nodes.map((node) => site.talkers(3, key, node)))).flat();
      const kept = await site.listen(other.key);
      const revokedAt = performance.now();
      await site.run(['keys', 'revoke', made!.id as string, ...on]).rows();
      for (const node of site.nodes) {
        const { status } = await callFrom(site.newAddress(), node.url, { 'X-SVC-Api-Key': key });
        assert.equal(status, 401);
      }
      const closes = await Promise.all(listeners.map(({ conversation }) => conversation.closed()));
      assert.ok(performance.now() - revokedAt < HEARTBEAT_MS);
      assert.deepEqual(new Set(closes.map(({ code }) => code)), new Set([4401]));
      assert.ok(kept.isOpen);
      await kept.close();
      await site.assertPaid();
      const rows = await site.run(['ledger', '--user', 'sue', ...on]).rows();
      assert.deepEqual(
        rows.map(({ kind }) => kind),
        ['grant', ...Array.from({ length: 7 }, () => 'usage')],
      );
      const [listed] = (await site.run(['keys', 'list', ...on]).rows()).filter(({ user }) => user === 'sue');
      const left = rows.reduce((sum, { ms }) => sum + (ms as number), 0) / 1000;
      assert.equal(listed!.credits, left);
    }),
  );
});
