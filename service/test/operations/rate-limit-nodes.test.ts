import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { addRateLimit } from '../../src/operations/rate-limit.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open-database.js';
import { NO_POSTGRES, startPostgres } from '../support/postgres.js';

/** Rounds of the race: a count that is only nearly exact is wrong in most of them. */
const ROUNDS = 6;

function fail(error: unknown): void {
  throw error;
}

async function node(database: Database, report = fail): Promise<FastifyInstance> {
  const app = Fastify();
  await app.register(
    async (api) => {
      await addRateLimit(api, { database, report });
      api.get('/thing', async () => ({}));
    },
    { prefix: '/api/v1' },
  );
  await app.ready();
  return app;
}

/** 400 requests at once, every other one on the other node; returns how many were let through. */
async function race(nodes: readonly FastifyInstance[], remoteAddress: string): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, index) =>
      nodes[index % nodes.length]!.inject({ url: '/api/v1/thing', remoteAddress }),
    ),
  );
  const passed = answers.filter(({ statusCode }) => statusCode === 200);
  assert.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 400 - passed.length);
  const remaining = passed.map((answer) => Number(answer.headers['x-ratelimit-remaining'])).sort((a, b) => a - b);
  assert.deepEqual(
    remaining,
    Array.from({ length: passed.length }, (_, index) => index),
  );
  return passed.length;
}

async function raceRounds(databases: readonly Database[]): Promise<void> {
  const nodes = await Promise.all(databases.map((database) => node(database)));
  try {
    for (let round = 0; round < ROUNDS; round++) {
      assert.equal(await race(nodes, `192.0.2.${round}`), 200, `round ${round}`);
    }
  } finally {
    await Promise.all(nodes.map((each) => each.close()));
    await Promise.all(databases.map((database) => database.close()));
  }
}

describe('spec 8: request rate over several nodes', () => {
  it('lets exactly 200 of 400 requests through that come at once to two nodes on one embedded database', async () => {
    const database = await openDatabase();
    await raceRounds([database, database]);
  });

  it('is as exact on PostgreSQL, where nodes have connections of their own', async (test) => {
    const cluster = await startPostgres();
    if (!cluster) return test.skip(NO_POSTGRES);
    const databaseUrl = await cluster.createDatabase();
    return raceRounds([await openDatabase({ databaseUrl }), await openDatabase({ databaseUrl })]);
  });

  it('answers 503 while PostgreSQL is away, and counts on when it is back', async (test) => {
    const cluster = await startPostgres();
    if (!cluster) return test.skip(NO_POSTGRES);
    const database = await openDatabase({ databaseUrl: await cluster.createDatabase() });
    const app = await node(database, () => {});
    const status = async () => (await app.inject('/api/v1/thing')).statusCode;
    try {
      assert.equal(await status(), 200);
      await cluster.halt();
      assert.equal(await status(), 503);
      await cluster.resume();
      const deadline = AbortSignal.timeout(30_000); // it tries to connect ever less often
      while ((await status()) !== 200) deadline.throwIfAborted();
    } finally {
      await app.close();
      await database.close();
    }
    return undefined;
  });
});
