import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { addRateLimit } from '../../src/operations/rate-limit.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open-database.js';

/** Rounds of the race: a count that is only nearly exact is wrong in most of them. */
const ROUNDS = 6;

async function node(database: Database): Promise<FastifyInstance> {
  const app = Fastify();
  await app.register(
    async (api) => {
      await addRateLimit(api, {
        database,
        report: (error) => {
          throw error;
        },
      });
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
  const nodes = await Promise.all(databases.map(node));
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
    const databaseUrl = process.env.SVC_TEST_DATABASE_URL;
    if (!databaseUrl) return test.skip('no PostgreSQL: SVC_TEST_DATABASE_URL is not set');
    const databases = [await openDatabase({ databaseUrl }), await openDatabase({ databaseUrl })];
    await databases[0]!.query('delete from rate_window');
    await raceRounds(databases);
  });
});
