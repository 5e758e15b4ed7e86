import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Conversation } from '../support/conversation.js';
import { eventually } from '../support/eventually.js';
import { createDatabase } from '../support/postgres.js';
import { NO_POSTGRES, PostgresServer } from '../support/postgres-server.js';
import { relayToDatabase } from '../support/relay.js';
import { HEARTBEAT_MS, Nodes } from './nodes.js';

/** Sends more text for the endless context of a socket, and asserts that no frame is missing. */
async function speakOn(conversation: Conversation): Promise<void> {
  const { length } = conversation.frames();
  conversation.send({ type: 'synthesize', context_id: 'endless', text: 'Hello again' });
  await conversation.until(({ kind }) => kind === 'frame', length + 1);
  let pts = 0;
  conversation.frames().forEach(({ header, samples }, index) => {
    assert.deepEqual([header.sequence, header.pts], [index, pts]);
    pts += samples.length;
  });
}

describe('PostgreSQL that restarts', { skip: NO_POSTGRES }, () => {
  it('ends no socket, and everything is billed when it is back', async (test) => {
    const server = await PostgresServer.start();
    // Also after a failure: a running server keeps this process alive.
    test.after(() => server.stop());
    const nodes = await Nodes.start({ databaseUrl: server.url });
    const { key, user } = await nodes.accounts.createKey({ plan: 'pro' });
    const [first, second] = nodes.services;
    const [gone, ...kept] = [
      await nodes.open(key, first!),
      await nodes.open(key, first!),
      await nodes.open(key, second!),
    ] as const;
    await nodes.advance(500);

    await server.crash();
    for (const conversation of kept) await speakOn(conversation);
    await gone.close();
    const answer = await nodes.call(key);
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers['retry-after']) > 0);
    assert.equal(typeof answer.body.detail, 'string');
    for (const { url } of nodes.services) {
      assert.equal((await fetch(`${url}/readyz`)).status, 503);
      assert.equal((await fetch(`${url}/healthz`)).status, 200, 'to start it again would not help');
    }

    await server.resume();
    await eventually('the database answers', () => nodes.bills(user).catch(() => null));
    await nodes.advance(HEARTBEAT_MS);
    await eventually('all sockets are billed', async () => {
      const bills = await nodes.bills(user);
      return bills[0] === 500 && bills[1] === 500 + HEARTBEAT_MS && bills[2] === 500 + HEARTBEAT_MS;
    });
    for (const { url } of nodes.services) {
      await eventually('the node is ready', async () => (await fetch(`${url}/readyz`)).status === 200);
    }
    assert.equal((await nodes.call(key)).status, 200);
    for (const conversation of kept) await speakOn(conversation);
    await nodes.close();
  });
});

describe('a node that is cut off from PostgreSQL', { skip: NO_POSTGRES }, () => {
  it('keeps its sockets, bills them whole, and gives way to sockets that others opened meanwhile', async () => {
    const databaseUrl = await createDatabase();
    const { relay, url: relayed } = await relayToDatabase(databaseUrl);
    const nodes = await Nodes.start({ databaseUrl, nodeUrls: [relayed, databaseUrl], maxConcurrentSessions: 3 });
    const { key, user } = await nodes.accounts.createKey({ plan: 'pro' });
    const [first, second] = nodes.services;
    const held = [await nodes.open(key, first!), await nodes.open(key, first!)];
    const kept = [await nodes.open(key, second!)];
    const talker = await nodes.open((await nodes.accounts.createKey({ plan: 'pro' })).key, first!);

    relay.hold();
    for (let beat = 0; beat < 2; beat++) await nodes.heartbeat('node-2');
    assert.equal(await nodes.slots(user), 1, 'the slots of the first node are free');
    for (let count = 0; count < 2; count++) kept.push(await nodes.open(key, second!));
    assert.equal(await nodes.slots(user), 3);
    for (const conversation of [...held, ...kept, talker]) await speakOn(conversation);

    relay.release();
    const closes = await Promise.all(held.map((conversation) => conversation.closed()));
    assert.deepEqual(
      closes.map(({ code }) => code),
      [4429, 4429],
    );
    for (const conversation of [...kept, talker]) await speakOn(conversation);
    assert.equal(await nodes.slots(user), 3);
    await Promise.all(nodes.services.map((service) => service.close())); // the last bills are written
    assert.deepEqual(
      await nodes.bills(user),
      [2, 2, 2, 0, 0].map((beats) => beats * HEARTBEAT_MS),
    );
    await nodes.close();
    await relay.stop();
  });
});
