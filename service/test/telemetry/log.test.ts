import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance } from 'fastify';
import { combineObservers } from '../../src/telemetry/combined-observer.js';
import { createLogger, LOG_LEVELS, type LogLevel } from '../../src/telemetry/log.js';
import { createSessionLog } from '../../src/telemetry/session-log.js';
import { openDatabase } from '../support/open-database.js';

/** Collects the lines that are logged. */
class Lines {
  readonly all: string[] = [];

  write(line: string): void {
    this.all.push(line);
  }

  get text(): string {
    return this.all.join('');
  }

  get entries(): Record<string, unknown>[] {
    return this.all.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

const KEY = `svc_${'k3y'.repeat(15)}`;
const OWN_KEY = 'from "the" environment';
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvd25lciJ9.c2lnbmF0dXJl';
const TEXT = 'My diary, read aloud.';
const PASSWORD = 'pa55word';

function appWith(lines: Lines, level: LogLevel = 'trace'): FastifyInstance {
  const app = Fastify({ loggerInstance: createLogger({ level, destination: lines, secrets: [OWN_KEY] }) });
  app.get('/broken', async () => {
    throw Object.assign(new Error('broken'), { query: TEXT, parameters: [KEY], cause: new Error(`of ${TOKEN}`) });
  });
  app.post('/echo', (request, reply) => reply.send(request.body));
  app.get('/told', (request, reply) => {
    request.log.warn(`Opened ws://127.0.0.1/realtime/stream?voice_id=slt&token=${TOKEN}.`);
    request.log.error({ where: `postgres://svc:${PASSWORD}@db.example/svc` }, `with ${OWN_KEY}`);
    return reply.send({});
  });
  return app;
}

describe('log: secrets', () => {
  it('contains no key, token or text at the lowest level, whatever is called', async () => {
    const lines = new Lines();
    const app = appWith(lines);
    const headers = { 'x-svc-api-key': KEY, authorization: `Bearer ${OWN_KEY}`, cookie: 'session=crumbs' };
    for (const path of ['/broken', '/told', '/nothing', '/echo']) {
      await app.inject({ url: `${path}?token=${TOKEN}&input=${encodeURIComponent(TEXT)}`, headers });
    }
    await app.inject({ method: 'POST', url: '/echo', headers, payload: { input: TEXT } });
    await app.close();
    assert.ok(lines.all.length >= 12, `${lines.all.length} lines`);
    for (const secret of [
      KEY,
      OWN_KEY,
      JSON.stringify(OWN_KEY).slice(1, -1),
      TOKEN,
      TEXT,
      encodeURIComponent(TEXT),
      PASSWORD,
      'crumbs',
    ]) {
      assert.ok(!lines.text.includes(secret), `${secret} in ${lines.text}`);
    }
  });

  it('contains the error, and where it happened', async () => {
    const lines = new Lines();
    await appWith(lines).inject('/broken');
    const entry = lines.entries.find(({ err }) => err)!;
    assert.deepEqual(entry.req, { method: 'GET', path: '/broken', client: '127.0.0.1' });
    const { type, message, stack, cause } = entry.err as Record<string, string> & { cause: Record<string, string> };
    assert.deepEqual(
      { type, message, cause: cause.message },
      { type: 'Error', message: 'broken', cause: 'of [secret]' },
    );
    assert.match(stack!, /log\.test\.ts/);
  });

  it('contains an error of the database without its statement and values', async () => {
    const database = await openDatabase();
    const lines = new Lines();
    const error = await database
      .query('insert into secret (name, kid, value) values ($1, $1, $2), ($1, $1, $2)', ['a name', TEXT])
      .catch((thrown: unknown) => thrown);
    await database.close();
    createLogger({ destination: lines }).error({ err: error }, 'The database failed.');
    const entry = lines.entries[0]!.err as { code: string; message: string };
    assert.equal(entry.code, '23505', 'a name that is there already');
    assert.ok(!lines.text.includes(TEXT) && !lines.text.includes('insert into'), lines.text);
  });

  it('contains nothing of a thrown value that is not an error', () => {
    const lines = new Lines();
    createLogger({ destination: lines }).error({ err: { key: TEXT } }, 'odd');
    assert.deepEqual(lines.entries[0]!.err, { type: 'object', message: '' });
  });

  it('comes to an end with errors that are each other’s cause', () => {
    const lines = new Lines();
    const [one, other] = [new Error('one'), new Error('other')];
    one.cause = other;
    other.cause = one;
    createLogger({ destination: lines }).error(one);
    assert.equal(lines.entries.length, 1);
  });
});

describe('log: lines', () => {
  it('are warnings and errors by default', () => {
    const lines = new Lines();
    const log = createLogger({ destination: lines });
    log.info('not this');
    log.warn('this');
    assert.deepEqual(
      lines.entries.map(({ level, msg }) => ({ level, msg })),
      [{ level: 'warn', msg: 'this' }],
    );
    assert.match(String(lines.entries[0]!.time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('can be had at every level, or not at all', () => {
    for (const level of LOG_LEVELS) {
      const lines = new Lines();
      createLogger({ level, destination: lines }).fatal('the end');
      assert.equal(lines.all.length, level === 'silent' ? 0 : 1, level);
    }
  });

  it('go to stderr, and are out before the process is', async () => {
    const module = new URL('../../src/telemetry/log.js', import.meta.url).href;
    const program = `const { createLogger } = await import(${JSON.stringify(module)});
      createLogger().error('last words'); process.exit(0);`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      program,
    ]);
    assert.equal(stdout, '');
    assert.match(stderr, /last words/);
  });
});

describe('log: sessions', () => {
  it('have a line when they open and one when they close', () => {
    const lines = new Lines();
    const log = createLogger({ level: 'info', destination: lines });
    const observer = createSessionLog(log, { sessionId: 's-1', accountId: 'u-1' });
    observer.opened();
    observer.firstFrame(20);
    for (let i = 0; i < 3; i++) observer.frameSent(0.06);
    observer.contextEnded('done', 5);
    observer.contextEnded('aborted', 5);
    observer.contextEnded('error', 5);
    observer.contextEnded('error', 7.6, 'The speech server cannot be reached.');
    observer.closed(1000, 1234.5678);
    const whose = { session: 's-1', account: 'u-1' };
    assert.deepEqual(
      lines.entries.map(({ level: _level, time: _time, pid: _pid, hostname: _hostname, ...rest }) => rest),
      [
        { ...whose, msg: 'session opened' },
        { ...whose, ms: 8, why: 'The speech server cannot be reached.', msg: 'context failed' },
        { ...whose, code: 1000, openMs: 1235, contexts: 4, frames: 3, msg: 'session closed' },
      ],
    );
  });

  it('have one line when they are refused, even if the account is unknown', () => {
    const lines = new Lines();
    createSessionLog(createLogger({ level: 'info', destination: lines }), null).refused(4401);
    assert.equal(lines.entries.length, 1);
    assert.equal(lines.entries[0]!.code, 4401);
    assert.equal('account' in lines.entries[0]!, false);
  });

  it('are reported to every observer', () => {
    const told: string[] = [];
    const observer = (name: string) => ({
      opened: () => void told.push(`${name} opened`),
      closed: (code: number, ms: number) => void told.push(`${name} closed ${code} ${ms}`),
      refused: (code: number) => void told.push(`${name} refused ${code}`),
      firstFrame: (ms: number) => void told.push(`${name} firstFrame ${ms}`),
      frameSent: (seconds: number) => void told.push(`${name} frameSent ${seconds}`),
      contextEnded: (outcome: string, ms: number) => void told.push(`${name} contextEnded ${outcome} ${ms}`),
    });
    const both = combineObservers(observer('a'), observer('b'));
    both.opened();
    both.closed(1000, 5);
    both.refused(4429);
    both.firstFrame(7);
    both.frameSent(0.06);
    both.contextEnded('done', 8);
    const events = ['opened', 'closed 1000 5', 'refused 4429', 'firstFrame 7', 'frameSent 0.06', 'contextEnded done 8'];
    assert.deepEqual(
      told,
      events.flatMap((event) => [`a ${event}`, `b ${event}`]),
    );
  });
});
