import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createService } from '../support/built.js';
import { StubEngine } from '../support/stub-engine.js';
import { Cable } from './cable.js';
import { eventually } from './eventually.js';
import { atSite, NO_SITE } from './site.js';

/** A slot of a dead node is free after two heartbeats of 2 s; and what a busy machine adds. */
const SLOTS_FREE_MS = 4000 + 1000;

const CEILING = { SVC_MAX_CONCURRENT_SESSIONS: '5' };

describe('a node that dies under load', { skip: NO_SITE }, () => {
  it(
    'harms no socket of others, blocks slots for two heartbeats, and bills up to its last one',
    atSite({ nodes: 3, environment: CEILING }, async (site) => {
      const [first, second, third] = site.nodes;
      const { key: holdersKey, user: holder } = await site.accounts.createKey({ plan: 'pro' });
      const talk = async (node = first!) => {
        const { key } = await site.accounts.createKey({ plan: 'pro' });
        return site.talkers(4, key, node);
      };
      const [doomed, ...others] = await Promise.all([talk(first), talk(second), talk(third)]);
      const living = others.flat();
      const holders = await Promise.all(Array.from({ length: 5 }, () => site.listen(holdersKey, first)));
      await eventually('a heartbeat has billed every socket of the first node', 5000, async () => {
        const bills = await site.bills();
        return [...doomed, ...holders].every(({ sessionId }) => (bills.get(sessionId)?.ms ?? 0) > 0);
      });

      await site.kill(first!);
      const closes = await Promise.all([...doomed, ...holders].map(({ conversation }) => conversation.closed()));
      const billed = await site.bills();
      assert.deepEqual(new Set(closes.map(({ code }) => code)), new Set([1006]));

      const refused = await site.listen(holdersKey);
      assert.equal((await refused.conversation.closed()).code, 4429, 'nobody knows yet that the slots are free');
      await eventually('the slots are free', SLOTS_FREE_MS, async () => (await site.slots(holder)) === 0);
      const successors = await Promise.all(Array.from({ length: 5 }, () => site.listen(holdersKey)));
      await eventually('the slots are taken', 1000, async () => (await site.slots(holder)) === 5);
      assert.ok(successors.every(({ isOpen }) => isOpen));

      await Promise.all(living.map((listener) => listener.oneMore()));
      for (const listener of living) {
        assert.ok(listener.isOpen);
        listener.assertNoGap();
      }
      await site.assertPaid();
      const bills = await site.bills();
      for (const { sessionId } of [...doomed, ...holders])
        assert.deepEqual(bills.get(sessionId), billed.get(sessionId));
    }),
  );
});

describe('a client that is gone', { skip: NO_SITE }, () => {
  it(
    'without a word, or with the network, costs nothing from then on, and its slot is free',
    atSite({ environment: CEILING }, async (site) => {
      const { key, user } = await site.accounts.createKey({ plan: 'pro' });
      const cable = await Cable.to(Number(new URL(site.url).port));
      try {
        const vanishing = await Promise.all(Array.from({ length: 2 }, () => site.listen(key)));
        const ripped = await Promise.all(
          Array.from({ length: 3 }, async () => site.open(await site.session(key), cable)),
        );
        await eventually('all slots are taken', 5000, async () => (await site.slots(user)) === 5);
        for (const listener of [...vanishing, ...ripped]) {
          listener.conversation.say('A sentence that is still being spoken when the client is gone. '.repeat(20));
        }
        await Promise.all([...vanishing, ...ripped].map((listener) => listener.heard()));
        for (const listener of vanishing) listener.vanish();
        cable.rip();
        await eventually('all slots are free', 1000, async () => (await site.slots(user)) === 0);
        await site.assertPaid();
      } finally {
        await cable.close();
      }
    }),
  );

  it(
    'while its network says nothing is noticed when it is idle, and costs nothing from then on',
    atSite({ nodes: 1 }, async (site) => {
      const idleMs = 800;
      // With a limit that no setting has: nobody waits a minute here.
      const service = await createService({
        databaseUrl: site.databaseUrl,
        port: 0,
        engine: new StubEngine(),
        nodeName: 'impatient',
        limits: { idleMs },
      });
      const cable = await Cable.to(service.port);
      try {
        const { key } = await site.accounts.createKey({ plan: 'pro' });
        const listener = await site.open(await site.session(key, service.url), cable);
        listener.conversation.say('Hello.');
        await listener.heard();
        cable.cut();
        const cutAt = performance.now();
        await eventually('its lease is gone', idleMs + 1000, async () => {
          const left = await site.database.query('select session_id from lease');
          return left.length === 0;
        });
        const { ms } = (await site.bills()).get(listener.sessionId)!;
        assert.ok(ms <= performance.now() - listener.startedAt && ms >= cutAt - listener.heardAt!, `${ms} ms`);
        assert.ok(listener.isOpen, 'the client has not heard of it');
        cable.rip();
        await listener.conversation.closed();
        assert.deepEqual((await site.bills()).get(listener.sessionId)!.ms, ms);
        listener.endedAt = cutAt;
      } finally {
        await cable.close();
        await service.close();
      }
    }),
  );
});

describe('a node that is told to stop', { skip: NO_SITE }, () => {
  it(
    'finishes what has begun, closes its sockets with 1001, writes the bills, and ends well',
    atSite({}, async (site) => {
      const [first, second] = site.nodes;
      const { key } = await site.accounts.createKey({ plan: 'pro' });
      const busy = await Promise.all(Array.from({ length: 5 }, () => site.listen(key, first)));
      const silent = await site.listen(key, first);
      const others = await site.talkers(3, key, second);
      for (const { conversation } of busy)
        conversation.send({ type: 'synthesize', context_id: 'long', text: 'It has begun.' });
      await Promise.all(busy.map((listener) => listener.heard()));

      first!.program.child.kill('SIGTERM');
      assert.equal((await silent.conversation.closed()).code, 1001);
      const before = busy.map(({ conversation }) => conversation.samples().length);
      for (const { conversation } of busy) conversation.say('It goes on, and it is finished.', 'long');
      const closes = await Promise.all(busy.map(({ conversation }) => conversation.closed()));
      assert.deepEqual(new Set(closes.map(({ code }) => code)), new Set([1001]));
      busy.forEach((listener, index) => {
        assert.ok(listener.conversation.samples().length > before[index]! + 24_000, 'at least a second was spoken');
        assert.deepEqual(listener.conversation.heard.at(-2), {
          kind: 'message',
          message: { type: 'context_done', context_id: 'long' },
        });
        listener.assertNoGap();
      });
      assert.equal(await first!.program.exit(), 0);
      assert.equal(first!.program.errors, '');
      const left = await site.database.query(`select session_id from lease where node = 'node-1'`);
      assert.deepEqual(left, []);
      const bills = await site.bills();
      for (const { endedAt, heardAt, sessionId } of busy)
        assert.ok(bills.get(sessionId)!.ms >= endedAt! - heardAt! - 2);

      // The proxy finds out that nobody is there, and asks the other one.
      const newcomers = await site.talkers(6, key);
      assert.ok(newcomers.every(({ isOpen }) => isOpen));
      await Promise.all(others.map((listener) => listener.oneMore()));
      for (const listener of others) listener.assertNoGap();
    }),
  );

  it(
    'is not given new sockets by the proxy while it finishes what has begun',
    atSite({}, async (site) => {
      const [first] = site.nodes;
      const { key } = await site.accounts.createKey({ plan: 'pro' });
      const busy = await site.listen(key, first);
      busy.conversation.send({ type: 'synthesize', context_id: 'long', text: 'It has begun.' });
      await busy.heard();
      const urls = await Promise.all(Array.from({ length: 8 }, () => site.session(key)));
      first!.program.child.kill('SIGTERM');
      const isReady = async (): Promise<boolean> => (await fetch(`${first!.url}/readyz`)).status === 200;
      await eventually('the node says that it drains', 2000, async () => !(await isReady()));
      const newcomers = await Promise.all(urls.map((url) => site.open(url)));
      newcomers.push(...(await Promise.all(Array.from({ length: 8 }, () => site.listen(key)))));
      for (const listener of newcomers) listener.conversation.say('Hello.');
      await Promise.all(newcomers.map((listener) => listener.heard()));
      assert.ok(busy.isOpen);
      busy.conversation.send({ type: 'end', context_id: 'long' });
      assert.equal((await busy.conversation.closed()).code, 1001);
      assert.equal(await first!.program.exit(), 0);
    }),
  );
});
