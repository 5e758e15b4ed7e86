import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { createRateLimit } from '../../src/clients/rate-limit.js';
import type { Database } from '../../src/store/database.js';
import { eventually } from '../support/eventually.js';
import { HeldLock } from '../support/held-lock.js';
import { ManualClock } from '../support/manual-clock.js';
import { openDatabase, openPatiently } from '../support/open-database.js';
import { createDatabase } from '../support/postgres.js';
import { NO_POSTGRES } from '../support/postgres-server.js';
import { relayToDatabase } from '../support/relay.js';

/** Maximum number of requests in a minute. */
const LIMIT = 7;

/** Number of concurrent requests, half to each node. Each node has more database connections than that. */
const ATTEMPTS = 16;

/** Starts a node whose clock stands still, so that no request times out. */
async function startNode(
  database: Database,
  report: (error: unknown) => void = assert.ifError,
): Promise<FastifyInstance> {
  const app = Fastify();
  await app.register(
    async (api) => {
      api.addHook(
        'onRequest',
        await createRateLimit(api, {
          database,
          requestsPerMinute: LIMIT,
          countingMs: 2_000,
          clock: new ManualClock(),
          report,
        }),
      );
      api.get('/thing', async () => ({}));
    },
    { prefix: '/api/v1' },
  );
  await app.ready();
  return app;
}

/** Asserts that two nodes together admit exactly `LIMIT` of one client's requests. */
async function assertExact(
  databases: readonly [Database, Database],
  release: () => Promise<void> = async () => {},
): Promise<void> {
  const nodes = await Promise.all(databases.map((database) => startNode(database)));
  try {
    const requests = Array.from({ length: ATTEMPTS }, (_, index) => nodes[index % 2]!.inject('/api/v1/thing'));
    const sent = Promise.all(requests);
    await release();
    const answers = await sent;
    const passed = answers.filter(({ statusCode }) => statusCode === 200);
    const remaining = passed.map((answer) => Number(answer.headers['x-ratelimit-remaining'])).sort((a, b) => a - b);
    assert.deepEqual(
      remaining,
      Array.from({ length: LIMIT }, (_, index) => index),
    );
    assert.equal(answers.filter(({ statusCode }) => statusCode === 429).length, ATTEMPTS - LIMIT);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await Promise.all(databases.map((database) => database.close()));
  }
}

describe('spec 8: request rate over several nodes', () => {
  it('is exact on an embedded database', async () => {
    const database = await openDatabase();
    await assertExact([database, database]);
  });

  it('is exact on PostgreSQL, when all requests are counted at the same moment', { skip: NO_POSTGRES }, async () => {
    const databaseUrl = await createDatabase();
    const databases = [await openPatiently(databaseUrl), await openPatiently(databaseUrl)] as const;
    // Counting needs a lock that conflicts with this one.
    const lock = await HeldLock.take(databaseUrl, 'lock table rate_window in share mode');
    await assertExact(databases, async () => {
      await lock.waiters(ATTEMPTS);
      await lock.release();
    });
  });

  it('answers 503 while PostgreSQL is away, and counts again when it is back', { skip: NO_POSTGRES }, async () => {
    const { relay, url: databaseUrl } = await relayToDatabase(await createDatabase());
    const database = await openPatiently(databaseUrl);
    const app = await startNode(database, () => {});
    const ask = () => app.inject('/api/v1/thing');
    assert.equal((await ask()).headers['x-ratelimit-remaining'], String(LIMIT - 1));
    await relay.stop();
    assert.equal((await ask()).statusCode, 503);
    await relay.listen();
    const answer = await eventually('requests are counted again', async () => {
      const next = await ask();
      return next.statusCode === 200 && next;
    });
    assert.equal(answer.headers['x-ratelimit-remaining'], String(LIMIT - 2));
    await app.close();
    await database.close();
    await relay.stop();
  });
});
