import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseClock } from '../support/database-clock.js';
import { eventually } from '../support/eventually.js';
import { HEARTBEAT_MS } from './nodes.js';
import { atSite, NO_SITE, type Site } from './site.js';

/** Advances the database's time by a heartbeat, and waits until the second node has renewed its leases. */
async function heartbeat(site: Site, clock: DatabaseClock): Promise<void> {
  await clock.advance(HEARTBEAT_MS);
  await eventually('the second node has renewed its leases', async () => {
    const old = await site.database.query(
      `select 1 from lease where node = 'node-2' and expires_at < svc_now() + $1::integer * interval '1 millisecond'`,
      [2 * HEARTBEAT_MS],
    );
    return old.length === 0;
  });
}

describe('a node that dies under load', { skip: NO_SITE }, () => {
  it(
    'harms no socket of others, blocks slots for two heartbeats, and bills up to its last one',
    atSite({ SVC_MAX_CONCURRENT_SESSIONS: '3' }, async (site) => {
      const clock = await DatabaseClock.stop(site.database); // no lease expires before the test advances the time
      const [first, second] = site.nodes;
      const { key: holdersKey, user: holder } = await site.accounts.createKey({ plan: 'pro' });
      const talk = async (node = first!) => {
        const { key } = await site.accounts.createKey({ plan: 'pro' });
        return site.talkers(2, key, node);
      };
      const [doomed, living] = await Promise.all([talk(first), talk(second)]);
      const holders = await Promise.all(Array.from({ length: 3 }, () => site.listen(holdersKey, first)));
      await eventually('a heartbeat has billed every socket of the first node', async () => {
        const bills = await site.bills();
        return [...doomed, ...holders].every(({ sessionId }) => (bills.get(sessionId)?.ms ?? 0) > 0);
      });

      await site.kill(first!);
      const closes = await Promise.all([...doomed, ...holders].map(({ conversation }) => conversation.closed()));
      assert.deepEqual(new Set(closes.map(({ code }) => code)), new Set([1006]));
      const billed = await site.bills();

      await heartbeat(site, clock);
      const refused = await site.listen(holdersKey);
      assert.equal((await refused.conversation.closed()).code, 4429, 'nobody knows yet that the slots are free');
      await heartbeat(site, clock);
      assert.equal(await site.slots(holder), 0);
      const successors = await site.talkers(3, holdersKey);
      assert.ok(successors.every(({ isOpen }) => isOpen));

      await Promise.all(living.map((listener) => listener.oneMore()));
      for (const listener of living) {
        assert.ok(listener.isOpen);
        listener.assertNoGap();
      }
      await site.assertPaid();
      const bills = await site.bills();
      for (const { sessionId } of [...doomed, ...holders]) {
        assert.deepEqual(bills.get(sessionId), billed.get(sessionId));
      }
    }),
  );
});

describe('a node that receives SIGTERM', { skip: NO_SITE }, () => {
  it(
    'finishes its contexts while the proxy gives new sockets to other nodes, and exits with 0',
    atSite({}, async (site) => {
      const [first, second] = site.nodes;
      const { key } = await site.accounts.createKey({ plan: 'pro' });
      const busy = await site.listen(key, first);
      busy.conversation.send({ type: 'synthesize', context_id: 'long', text: 'It has begun.' });
      await busy.heard();
      // A context that waits for text for too long would end.
      const talking = setInterval(() => {
        busy.conversation.send({ type: 'synthesize', context_id: 'long', text: 'It goes on.' });
      }, 2000);
      const silent = await site.listen(key, first);
      const others = await site.talkers(2, key, second);
      const urls = await Promise.all(Array.from({ length: 4 }, () => site.session(key)));

      first!.program.child.kill('SIGTERM');
      assert.equal((await silent.conversation.closed()).code, 1001);
      assert.equal((await fetch(`${first!.url}/readyz`)).status, 503);
      const newcomers = await Promise.all(urls.map((url) => site.open(url)));
      newcomers.push(...(await Promise.all(Array.from({ length: 4 }, () => site.listen(key)))));
      for (const { conversation } of newcomers) conversation.say('Hello.');
      await Promise.all(newcomers.map((listener) => listener.heard()));

      clearInterval(talking);
      assert.ok(busy.isOpen);
      const before = busy.conversation.samples().length;
      busy.conversation.say('It goes on, and it is finished.', 'long');
      assert.equal((await busy.conversation.closed()).code, 1001);
      assert.ok(busy.conversation.samples().length > before);
      assert.deepEqual(busy.conversation.heard.at(-2), {
        kind: 'message',
        message: { type: 'context_done', context_id: 'long' },
      });
      busy.assertNoGap();
      const { exitCode, errors } = await first!.program.result();
      assert.deepEqual([exitCode, errors], [0, '']);
      assert.deepEqual(await site.database.query(`select 1 from lease where node = 'node-1'`), []);

      // The proxy detects that the node is gone, and uses the other one.
      await site.talkers(3, key);
      await Promise.all(others.map((listener) => listener.oneMore()));
      for (const listener of others) listener.assertNoGap();
    }),
  );
});
