import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, it } from 'node:test';
import type { Conversation } from '../support/conversation.js';
import { HeldLock } from '../support/held-lock.js';
import { NO_POSTGRES } from '../support/postgres-server.js';
import { rowsOf, runMain } from '../support/run-main.js';
import { callFrom } from './call-from.js';
import { freePort } from '../support/free-port.js';
import { NO_NGINX, startNginx } from './nginx.js';
import { Nodes } from './nodes.js';

/** Number of concurrent sockets, half on each node. Each node has more database connections than that. */
const ATTEMPTS = 16;

/** Resolves with the close codes of the refused sockets, in any order. The others get a frame. */
async function refusals(conversations: readonly Conversation[]): Promise<number[]> {
  const answers = conversations.map(async (conversation) => {
    await conversation.opened();
    conversation.send({ type: 'synthesize', context_id: 'endless', text: 'Hello' });
    const answer = await conversation.until(({ kind }) => kind === 'frame' || kind === 'close');
    return answer.kind === 'close' ? [answer.code] : [];
  });
  return (await Promise.all(answers)).flat();
}

describe('several nodes', { skip: NO_POSTGRES }, () => {
  it('accept a token once when all get it at the same moment', async () => {
    const nodes = await Nodes.start();
    const { key } = await nodes.accounts.createKey({ plan: 'pro' });
    const url = await nodes.session(key, nodes.services[0]!);
    // Using up a token needs a lock that conflicts with this one.
    const lock = await HeldLock.take(nodes.databaseUrl, 'lock table used_token in share mode');
    const conversations = Array.from({ length: ATTEMPTS }, (_, index) => nodes.dial(url, nodes.services[index % 2]!));
    await lock.waiters(ATTEMPTS);
    await lock.release();
    assert.deepEqual(
      await refusals(conversations),
      Array.from({ length: ATTEMPTS - 1 }, () => 4401),
    );
    await nodes.close();
  });

  it('open a socket with a valid token without waiting for the database', async () => {
    const nodes = await Nodes.start();
    const { key } = await nodes.accounts.createKey({ plan: 'pro' });
    const url = await nodes.session(key, nodes.services[0]!);
    const lock = await HeldLock.take(nodes.databaseUrl, 'lock table used_token in share mode');
    const conversation = await nodes.dial(url, nodes.services[0]!).opened();
    await lock.waiters(1);
    await lock.release();
    assert.deepEqual(await refusals([conversation]), []);
    await nodes.close();
  });

  it('admit exactly as many sockets as the ceiling has, when all ask at the same moment', async () => {
    const nodes = await Nodes.start({ maxConcurrentSessions: 5 });
    const { key, user } = await nodes.accounts.createKey({ plan: 'pro' });
    const urls = await Promise.all(
      Array.from({ length: ATTEMPTS }, (_, index) => nodes.session(key, nodes.services[index % 2]!)),
    );
    const lock = await HeldLock.take(nodes.databaseUrl, `select 1 from account where id = '${user}' for update`);
    const conversations = urls.map((url, index) => nodes.dial(url, nodes.services[index % 2]!));
    await lock.waiters(nodes.services.length); // one of each node; the others wait in their node
    await lock.release();
    assert.deepEqual(
      await refusals(conversations),
      Array.from({ length: ATTEMPTS - 5 }, () => 4429),
    );
    assert.equal(await nodes.slots(user), 5);
    assert.equal((await nodes.bills(user)).length, 5, 'to be refused costs nothing');
    await nodes.close();
  });

  it('count requests by the address that the proxy saw, whatever the client says', { skip: NO_NGINX }, async () => {
    const nodes = await Nodes.start({ limits: { requestsPerMinute: 4 }, trustProxy: ['127.0.0.1'] });
    const { key } = await nodes.accounts.createKey({ plan: 'pro' });
    const port = await freePort();
    const nginx = await startNginx(
      port,
      nodes.services.map((service) => service.port),
    );
    const victim = '198.51.100.7';
    const call = async (address: string, claimed: string): Promise<[number, unknown]> => {
      const headers = { 'X-SVC-Api-Key': key, 'X-Forwarded-For': claimed };
      const answer = await callFrom(address, `http://127.0.0.1:${port}`, headers);
      return [answer.status, answer.headers['x-ratelimit-remaining']];
    };
    const claims = [victim, '192.0.2.1, 127.0.0.1', victim, '127.0.0.1', victim];
    const answers: unknown[] = [];
    for (const claimed of claims) answers.push(await call('127.2.0.1', claimed));
    assert.deepEqual(answers, [
      [200, '3'],
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
    assert.deepEqual(await call('127.2.0.2', victim), [200, '3'], 'others are not counted with it');
    const counted = await nodes.database.query('select 1 from rate_window where client = $1', [victim]);
    assert.deepEqual(counted, [], 'nobody is counted for what another one says');
    await nginx.close();
    await nodes.close();
  });

  it('take keys that a command makes, and end their sockets at the next heartbeat once revoked', async () => {
    const nodes = await Nodes.start();
    const run = async (line: string) => rowsOf(await runMain(`${line} --database-url ${nodes.databaseUrl}`));
    const [made] = await run('keys create --user sue --plan pro --credits 100');
    const other = await nodes.accounts.createKey({ user: 'sue' });
    const open = (key: string) => Promise.all(nodes.services.map((service) => nodes.open(key, service)));
    const [revoked, kept] = [await open(made!.key as string), await open(other.key)];
    await run(`keys revoke ${String(made!.id)}`);
    for (const { url } of nodes.services) assert.equal((await nodes.call(made!.key as string, url)).status, 401);
    await nodes.heartbeat('node-1');
    const closes = await Promise.all(revoked.map((conversation) => conversation.closed()));
    assert.deepEqual(
      closes.map(({ code }) => code),
      [4401, 4401],
    );
    for (const conversation of kept) {
      conversation.send({ type: 'end', context_id: 'endless' });
      await conversation.message('context_done');
      await conversation.close();
    }
    await Promise.all(nodes.services.map((service) => service.close())); // the last bills are written
    const ledger = await run('ledger --user sue');
    assert.deepEqual(
      ledger.map(({ kind, ms }) => [kind, ms]),
      [['grant', 100_000], ...Array.from({ length: 4 }, () => ['usage', -2000])],
    );
    const [listed] = (await run('keys list')).filter(({ user }) => user === 'sue');
    assert.equal(listed!.credits, 92);
    await nodes.close();
  });

  it(
    'get the admin API and whole bundles through the sample proxy, but only from its own machine',
    {
      skip: NO_NGINX,
    },
    async () => {
      const adminToken = 'an-admin-token-that-nobody-guesses';
      const nodes = await Nodes.start({ adminToken });
      const port = await freePort();
      const proxy = await startNginx(
        port,
        nodes.services.map((service) => service.port),
      );
      const url = `http://127.0.0.1:${port}`;
      const upload = await fetch(`${url}/admin/api/avatars`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
        body: JSON.stringify({ owner: 'ann', bundle: { padding: 'x'.repeat(2 * 1024 * 1024) } }),
      });
      assert.equal(upload.status, 422, 'the service has read it');
      const statusFrom = (localAddress: string) =>
        new Promise((resolve, reject) => {
          get(`${url}/admin/`, { agent: false, localAddress }, (response) => {
            response.resume();
            resolve(response.statusCode);
          }).on('error', reject);
        });
      assert.equal(await statusFrom('127.0.0.1'), 200);
      assert.equal(await statusFrom('127.1.0.9'), 403);
      await proxy.close();
      await nodes.close();
    },
  );
});
