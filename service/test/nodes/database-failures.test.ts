import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cable } from './cable.js';
import { callFrom } from './call-from.js';
import { eventually } from './eventually.js';
import type { Listener } from './listener.js';
import { atSite, NO_SITE } from './site.js';

/** How long nodes get to notice what happened to the database, in milliseconds. */
const NOTICED_MS = 5000;

/** After a lease ran out, which takes 4 s, others may have its slot. */
const SLOTS_FREE_MS = 4000 + 1000;

describe('PostgreSQL that restarts under load', { skip: NO_SITE }, () => {
  it(
    'ends no socket, and everything is billed when it is back',
    atSite({}, async (site) => {
      const { key } = await site.accounts.createKey({ plan: 'pro' });
      const [first, second] = site.nodes;
      const talkers = (await Promise.all([site.talkers(4, key, first), site.talkers(4, key, second)])).flat();
      const gone = await site.listen(key);
      gone.talk();
      await gone.heard();

      await site.cluster.halt();
      await Promise.all(talkers.map((listener) => listener.oneMore()));
      await gone.close();
      const answer = await callFrom(site.newAddress(), site.url, { 'X-SVC-Api-Key': key });
      assert.equal(answer.status, 503);
      assert.equal(typeof answer.body.detail, 'string');
      for (const { url } of site.nodes) {
        assert.equal((await fetch(`${url}/readyz`)).status, 503);
        assert.equal((await fetch(`${url}/healthz`)).status, 200, 'to start it anew would not help');
      }

      await site.cluster.resume();
      const atRestart = await eventually('the database answers', NOTICED_MS, () => site.bills().catch(() => null));
      await eventually('the socket that was closed meanwhile is paid', NOTICED_MS, async () => {
        const left = await site.database.query('select session_id from lease where session_id = $1', [gone.sessionId]);
        return left.length === 0;
      });
      await eventually('all sockets are billed', NOTICED_MS, async () => {
        const bills = await site.bills();
        return talkers.every(({ sessionId }) => bills.get(sessionId)!.ms > atRestart.get(sessionId)!.ms);
      });
      for (const { url } of site.nodes) {
        await eventually('the node is ready', NOTICED_MS, async () => (await fetch(`${url}/readyz`)).status === 200);
      }
      await eventually('the proxy finds the nodes', NOTICED_MS, async () => {
        const { status } = await callFrom(site.newAddress(), site.url, { 'X-SVC-Api-Key': key });
        return status === 200;
      });
      await Promise.all(talkers.map((listener) => listener.oneMore()));
      for (const listener of talkers) {
        assert.ok(listener.isOpen);
        listener.assertNoGap();
      }
    }),
  );
});

describe('a node that is cut off from PostgreSQL', { skip: NO_SITE }, () => {
  it('keeps its sockets, bills them whole, and gives way to sockets that others opened meanwhile', async () => {
    let cable: Cable | undefined;
    const behindCable = async (url: string, node: number): Promise<string> => {
      if (node !== 1) return url;
      const address = new URL(url);
      cable = await Cable.to(Number(address.port));
      address.port = String(cable.port);
      return address.href;
    };
    const environment = { SVC_MAX_CONCURRENT_SESSIONS: '4' };
    const test = atSite({ environment, databaseUrl: behindCable }, async (site) => {
      const [first, second] = site.nodes;
      const { key, user } = await site.accounts.createKey({ plan: 'pro' });
      const { key: talkersKey } = await site.accounts.createKey({ plan: 'pro' });
      const held = [
        await site.listen(key, first),
        await site.listen(key, first),
        await site.listen(key, first),
        await site.listen(key, second),
      ];
      const [talker] = await site.talkers(1, talkersKey, first);
      await eventually('all slots are taken', NOTICED_MS, async () => (await site.slots(user)) === 4);

      cable!.cut();
      await eventually(
        'the slots of the first node are free',
        SLOTS_FREE_MS,
        async () => (await site.slots(user)) === 1,
      );
      const newcomers: Listener[] = [];
      for (let count = 0; count < 3; count++) newcomers.push(await site.listen(key, second));
      await eventually('all slots are taken again', NOTICED_MS, async () => (await site.slots(user)) === 4);
      assert.ok(held.every(({ isOpen }) => isOpen));
      await talker!.oneMore();

      cable!.mend();
      const closes = await Promise.all(held.slice(0, 3).map(({ conversation }) => conversation.closed()));
      assert.deepEqual(new Set(closes.map(({ code }) => code)), new Set([4429]));
      assert.ok([held[3]!, ...newcomers, talker!].every(({ isOpen }) => isOpen));
      await talker!.oneMore();
      talker!.assertNoGap();
      assert.equal(await site.slots(user), 4);
    });
    try {
      await test();
    } finally {
      await cable?.close();
    }
  });
});
