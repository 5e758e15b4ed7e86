import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { createRateLimit, type RateLimitOptions } from '../../src/clients/rate-limit.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../support/open-database.js';
import { ManualClock } from '../support/manual-clock.js';

let database: Database;
let clock: ManualClock;
const apps: FastifyInstance[] = [];

describe('the limit of requests', () => {
  before(async () => {
    database = await openDatabase();
  });
  after(() => database.close());
  beforeEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await database.query('delete from rate_window');
    clock = new ManualClock();
    await setTime(0);
  });
  after(() => Promise.all(apps.map((app) => app.close())));

  /** The database's time, in milliseconds after a fixed start. */
  let timeMs = 0;
  /** Sets the database's time, and advances the node's clock by the difference. */
  async function setTime(ms: number): Promise<void> {
    const at = new Date(Date.UTC(2026, 10, 21) + ms).toISOString();
    await database.query(
      `create or replace function svc_now() returns timestamptz language sql volatile as 'select timestamptz ''${at}'''`,
    );
    if (ms > timeMs) clock.advance(ms - timeMs);
    timeMs = ms;
  }

  /** Creates an app with an API that has the limit and requires a key, and a route outside the API. */
  async function limited(
    options: Partial<RateLimitOptions> & { reports?: unknown[]; trustProxy?: string[] } = {},
  ): Promise<FastifyInstance> {
    const { trustProxy, reports = [], ...rest } = options;
    const app = Fastify(trustProxy ? { trustProxy } : {});
    apps.push(app);
    app.get('/elsewhere', async () => ({}));
    await app.register(
      async (api) => {
        api.addHook(
          'onRequest',
          await createRateLimit(api, {
            database,
            clock,
            countingMs: 2_000,
            report: (error) => reports.push(error),
            ...rest,
          }),
        );
        api.addHook('onRequest', async (request, reply) => {
          if (request.headers['x-svc-api-key'] !== 'right') await reply.code(401).send({ detail: 'no key' });
        });
        api.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ detail: 'nothing' }));
        api.get('/thing', async () => ({}));
        api.post('/thing', async () => ({}));
        api.get('/broken', async () => {
          throw new Error('broken');
        });
      },
      { prefix: '/api/v1' },
    );
    return app;
  }

  const headers = { 'x-svc-api-key': 'right' };
  const thing = { method: 'GET', url: '/api/v1/thing', headers } as const;

  describe('spec 8: request rate', () => {
    it('does not count clients that are exempt, however their address is written', async () => {
      const app = await limited({ requestsPerMinute: 1, exempt: ['10.0.0.0/8', '2001:db8::1'] });
      const call = async (remoteAddress: string) =>
        (await app.inject({ url: '/api/v1/thing', remoteAddress, headers: { 'x-svc-api-key': 'right' } })).statusCode;
      for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1']) {
        assert.deepEqual([await call(address), await call(address)], [200, 200], address);
      }
      assert.deepEqual([await call('11.0.0.1'), await call('11.0.0.1')], [200, 429]);
    });

    it('lets 200 requests of a client through in a minute, and refuses the next with 429 and the remedy', async () => {
      const app = await limited();
      for (let left = 199; left >= 0; left--) {
        const answer = await app.inject(thing);
        assert.equal(answer.statusCode, 200);
        assert.equal(answer.headers['x-ratelimit-remaining'], String(left));
      }
      const refused = await app.inject(thing);
      assert.equal(refused.statusCode, 429);
      assert.deepEqual(refused.json(), { detail: 'More than 200 requests in a minute: try again in 60 s.' });
    });

    it('reports the limit, the remaining requests and the time to the reset, and with a 429 when to retry', async () => {
      const app = await limited({ requestsPerMinute: 1 });
      const counts = ({ headers: all }: { headers: Record<string, unknown> }): unknown[] =>
        ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map((name) => all[name]);
      assert.deepEqual(counts(await app.inject(thing)), ['1', '0', '60', undefined]);
      await setTime(12_000);
      assert.deepEqual(counts(await app.inject(thing)), ['1', '0', '48', '48']);
      await setTime(12_900); // 47.1 s are left, so 47 s would be too short
      assert.deepEqual(counts(await app.inject(thing)), ['1', '0', '48', '48']);
    });

    it('resets a minute after the first request, not after the last', async () => {
      const app = await limited({ requestsPerMinute: 2 });
      await app.inject(thing);
      await setTime(59_999);
      assert.equal((await app.inject(thing)).statusCode, 200);
      assert.equal((await app.inject(thing)).statusCode, 429);
      await setTime(60_000);
      const answer = await app.inject(thing);
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['x-ratelimit-remaining'], '1');
    });

    for (const [what, request, status] of [
      ['a path that does not exist', { ...thing, url: '/api/v1/nothing' }, 404],
      ['a method without a route', { ...thing, method: 'DELETE' }, 404],
      ['the prefix itself', { ...thing, url: '/api/v1' }, 404],
      ['a request without a key', { ...thing, headers: {} }, 401],
      ['a path that does not exist, without a key', { ...thing, url: '/api/v1/nothing', headers: {} }, 401],
      ['a request that fails', { ...thing, url: '/api/v1/broken' }, 500],
      ['a HEAD request', { ...thing, method: 'HEAD' }, 200],
      ['a body that is not JSON', { ...thing, method: 'POST', payload: '{', headers: { ...headers, 'content-type': 'application/json' } }, 400], // prettier-ignore
      ['a body of another type', { ...thing, method: 'POST', payload: 'x', headers: { ...headers, 'content-type': 'image/png' } }, 415], // prettier-ignore
    ] as const) {
      it(`counts and limits ${what}`, async () => {
        const app = await limited({ requestsPerMinute: 1 });
        const first = await app.inject(request);
        assert.equal(first.statusCode, status);
        assert.equal(first.headers['x-ratelimit-remaining'], '0');
        assert.equal((await app.inject(request)).statusCode, 429);
      });
    }

    it('counts all routes together', async () => {
      const app = await limited({ requestsPerMinute: 2 });
      await app.inject(thing);
      await app.inject({ ...thing, url: '/api/v1/nothing' });
      assert.equal((await app.inject({ ...thing, method: 'POST' })).statusCode, 429);
    });

    it('neither counts nor limits routes outside its prefix', async () => {
      const app = await limited({ requestsPerMinute: 1 });
      await app.inject(thing);
      for (let i = 0; i < 3; i++) {
        const answer = await app.inject('/elsewhere');
        assert.equal(answer.statusCode, 200);
        assert.equal('x-ratelimit-remaining' in answer.headers, false);
      }
      assert.equal((await app.inject(thing)).statusCode, 429);
    });

    it('counts each client separately', async () => {
      const app = await limited({ requestsPerMinute: 1 });
      assert.equal((await app.inject({ ...thing, remoteAddress: '192.0.2.1' })).statusCode, 200);
      assert.equal((await app.inject({ ...thing, remoteAddress: '192.0.2.2' })).statusCode, 200);
      assert.equal((await app.inject({ ...thing, remoteAddress: '::ffff:192.0.2.1' })).statusCode, 429);
    });

    it('ignores a header in which a client claims another address', async () => {
      const app = await limited({ requestsPerMinute: 1 });
      const claim = (address: string) => ({ ...thing, headers: { ...headers, 'x-forwarded-for': address } });
      assert.equal((await app.inject(claim('192.0.2.1'))).statusCode, 200);
      assert.equal((await app.inject(claim('192.0.2.2'))).statusCode, 429);
    });

    it('counts the client that a trusted proxy names, not the proxy', async () => {
      const app = await limited({ requestsPerMinute: 1, trustProxy: ['192.0.2.9'] });
      const through = (address: string) => ({
        ...thing,
        remoteAddress: '192.0.2.9',
        headers: { ...headers, 'x-forwarded-for': address },
      });
      assert.equal((await app.inject(through('192.0.2.1'))).statusCode, 200);
      assert.equal((await app.inject(through('192.0.2.2'))).statusCode, 200);
      assert.equal((await app.inject(through('192.0.2.1'))).statusCode, 429);
      assert.equal((await app.inject(through('198.51.100.7, 192.0.2.1'))).statusCode, 429);
    });

    it('ends a window after a minute although the clock of the database was set back', async () => {
      const app = await limited({ requestsPerMinute: 1 });
      await setTime(3_600_000);
      await app.inject(thing);
      await setTime(0);
      const refused = await app.inject(thing);
      assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '60']);
      await setTime(60_000);
      assert.equal((await app.inject(thing)).statusCode, 200);
    });

    it('refuses an invalid limit', async () => {
      for (const requestsPerMinute of [0, -1, 1.5, Number.NaN, Infinity]) {
        await assert.rejects(limited({ requestsPerMinute }), RangeError);
      }
    });
  });

  describe('rate limit: database', () => {
    /** A database that records its queries. They fail while it is `down`, and get no answer while it is `stuck`. */
    function watched(): Database & { asked: string[]; down: boolean; stuck: boolean } {
      const self = {
        ...database,
        asked: [] as string[],
        down: false,
        stuck: false,
        async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
          self.asked.push(text);
          if (self.down) throw new Error('connection refused');
          if (self.stuck) return new Promise(() => {});
          return database.query<Row>(text, values);
        },
      };
      return self;
    }

    it('answers 503 with the remedy while it cannot count, and continues when the database is back', async () => {
      const own = watched();
      const reports: unknown[] = [];
      const app = await limited({ database: own, reports });
      own.down = true;
      const answer = await app.inject(thing);
      assert.equal(answer.statusCode, 503);
      assert.deepEqual(answer.json(), { detail: 'The service cannot reach its database: try again later.' });
      assert.match(String(reports), /connection refused/);
      own.down = false;
      assert.equal((await app.inject(thing)).statusCode, 200);
    });

    it('answers 503 if the database does not answer in time', async () => {
      const own = watched();
      own.stuck = true;
      const app = await limited({ database: own });
      const answer = app.inject(thing);
      while (!own.asked.length) await new Promise((resolve) => setImmediate(resolve));
      clock.advance(2_000); // the time limit
      assert.equal((await answer).statusCode, 503);
    });

    it('does not query the database for a client over the limit until it may retry', async () => {
      const own = watched();
      const app = await limited({ database: own, requestsPerMinute: 1 });
      await app.inject(thing);
      for (let i = 0; i < 5; i++) assert.equal((await app.inject(thing)).statusCode, 429);
      assert.equal(own.asked.length, 2, 'the first, and the first over the limit');
      await setTime(60_000);
      assert.equal((await app.inject(thing)).statusCode, 200);
    });
  });
});
