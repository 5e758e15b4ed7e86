import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { addHealth } from '../../src/telemetry/health.js';
import { ManualClock } from '../support/manual-clock.js';

let app: FastifyInstance;
let clock: ManualClock;
let engine: { available: boolean; recovers?: true; parts?: Record<string, boolean> };
let draining: boolean;
let reports: unknown[];
/** Response of the database, and the statements that it was asked. */
let answer: () => Promise<object[]>;
let asked: string[];

beforeEach(() => {
  clock = new ManualClock();
  engine = { available: true };
  draining = false;
  reports = [];
  asked = [];
  answer = async () => [{ readOnly: 'off' }];
  app = Fastify();
  addHealth(app, {
    engine,
    clock,
    isDraining: () => draining,
    report: (error) => reports.push(error),
    database: {
      query: <Row extends object>(text: string) => {
        asked.push(text);
        return answer() as Promise<Row[]>;
      },
    },
  });
});

const ok = { database: 'ok', speech: 'ok', traffic: 'ok' };

describe('GET /healthz', () => {
  it('reports that the service is healthy', async () => {
    const response = await app.inject('/healthz');
    assert.equal(response.statusCode, 200);
    assert.deepEqual(response.json(), { status: 'ok' });
  });

  it('answers 503 while the engine is down', async () => {
    engine.available = false;
    const response = await app.inject('/healthz');
    assert.equal(response.statusCode, 503);
    assert.deepEqual(response.json(), { status: 'the speech engine is down' });
  });

  it('answers 200 while an engine is down that a restart does not help', async () => {
    Object.assign(engine, { available: false, recovers: true });
    assert.equal((await app.inject('/healthz')).statusCode, 200);
    assert.equal((await app.inject('/readyz')).statusCode, 503);
  });

  it('answers 200 while the database is away or the service drains', async () => {
    answer = () => Promise.reject(new Error('connection refused'));
    draining = true;
    assert.equal((await app.inject('/healthz')).statusCode, 200);
    assert.equal(asked.length, 0);
  });
});

describe('GET /readyz', () => {
  it('reports that the service is ready', async () => {
    const response = await app.inject('/readyz');
    assert.equal(response.statusCode, 200);
    assert.deepEqual(response.json(), { status: 'ok', checks: ok });
  });

  it('answers 503 while the engine is down', async () => {
    engine.available = false;
    const response = await app.inject('/readyz');
    assert.equal(response.statusCode, 503);
    assert.deepEqual(response.json(), { status: 'not ready', checks: { ...ok, speech: 'down' } });
  });

  it('lists several engines', async () => {
    engine.parts = { openai: false, flite: true };
    const response = await app.inject('/readyz');
    assert.deepEqual(response.json(), { status: 'ok', checks: ok, engines: { openai: false, flite: true } });
  });

  it('answers 503 while the database is only read from', async () => {
    answer = async () => [{ readOnly: 'on' }];
    const response = await app.inject('/readyz');
    assert.equal(response.statusCode, 503);
    assert.deepEqual(response.json(), { status: 'not ready', checks: { ...ok, database: 'read-only' } });
  });

  it('answers 503 while the service is draining', async () => {
    draining = true;
    const response = await app.inject('/readyz');
    assert.equal(response.statusCode, 503);
    assert.deepEqual(response.json(), { status: 'not ready', checks: { ...ok, traffic: 'draining' } });
  });

  it('answers 503 while the database fails, and reports the reason, but not to the client', async () => {
    answer = () => Promise.reject(new Error('password of db.example is wrong'));
    const response = await app.inject('/readyz');
    assert.equal(response.statusCode, 503);
    assert.deepEqual(response.json(), { status: 'not ready', checks: { ...ok, database: 'down' } });
    assert.match(String(reports), /db\.example/);
  });

  it('answers 503 if the database does not answer for a second', async () => {
    answer = () => new Promise(() => {});
    const response = app.inject('/readyz');
    while (!asked.length) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
    assert.equal((await response).statusCode, 503);
  });

  it('asks the database once a second at most, however often it is asked', async () => {
    await Promise.all(Array.from({ length: 20 }, () => app.inject('/readyz')));
    clock.advance(999);
    await app.inject('/readyz');
    assert.equal(asked.length, 1);
    answer = () => Promise.reject(new Error('gone'));
    clock.advance(1);
    assert.equal((await app.inject('/readyz')).statusCode, 503);
    assert.equal(asked.length, 2);
  });
});
