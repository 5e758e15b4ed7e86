import assert from 'node:assert/strict';
import { before, beforeEach, it } from 'node:test';
import { createAdminApp } from '../../src/dashboard/admin-app.js';
import { PURGE_ADMIN_SESSIONS } from '../../src/dashboard/admin-sessions.js';
import { AuditLog, PURGE_AUDIT } from '../../src/dashboard/audit.js';
import type { Database } from '../../src/store/database.js';
import { DatabaseClock } from '../support/database-clock.js';
import { describeOnOneDatabase } from '../support/every-database.js';
import { host } from '../support/host.js';
import { ADMIN_TOKEN, adminClient, logIn } from './admin-client.js';

const HOUR_MS = 3_600_000;

const WRONG = { authorization: 'Bearer a-token-that-somebody-guessed-wrongly' };

describeOnOneDatabase('access to the admin API', ({ open }) => {
  let database: Database;
  let clock: DatabaseClock;
  let url: string;
  let ask: ReturnType<typeof adminClient>;
  before(async () => {
    database = await open();
    clock = await DatabaseClock.stop(database);
    const { service } = await host({ database, adminToken: ADMIN_TOKEN, trustProxy: ['loopback'], logLevel: 'error' });
    url = service.url;
    ask = adminClient(url);
  });
  beforeEach(() => database.query('truncate audit, rate_window'));

  /** Makes a change as the command line does. */
  async function command(path: string, payload: object) {
    const app = createAdminApp({ database, report: assert.ifError });
    const answer = await app.inject({ method: 'POST', url: `/admin/api${path}`, payload });
    await app.close();
    return answer.json();
  }

  it('does not exist without an admin token', async () => {
    const { service } = await host({ database });
    for (const path of ['/admin', '/admin/', '/admin/dashboard.js', '/admin/api/users', '/admin/api/session']) {
      const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
      assert.equal(answer.status, 404, path);
    }
    assert.equal((await adminClient(service.url)('POST', '/login', { token: ADMIN_TOKEN })).status, 404);
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
    assert.deepEqual(
      Object.keys(paths).filter((path) => path.startsWith('/admin')),
      [],
    );
  });

  it('needs a token of 32 characters', async () => {
    await assert.rejects(
      host({ database, adminToken: 'x'.repeat(31) }),
      /adminToken has 31 characters. It must have at least 32/,
    );
  });

  it('is refused without the token, with a wrong one, and with a forged cookie', async () => {
    for (const headers of [
      {},
      WRONG,
      { authorization: `Basic ${ADMIN_TOKEN}` },
      { authorization: `Bearer ${ADMIN_TOKEN}x` },
      { cookie: 'svc_admin=' },
      { cookie: `svc_admin=${'0'.repeat(32)}.${'A'.repeat(43)}` },
    ] as Record<string, string>[]) {
      for (const path of ['/users', '/nothing']) {
        const { status, body, headers: answered } = await ask('GET', path, undefined, headers);
        assert.equal(status, 401, JSON.stringify(headers));
        assert.match(body.detail, /^The admin token is missing or wrong/);
        assert.equal(answered.get('cache-control'), 'no-store');
      }
    }
  });

  it('logs a browser in with a cookie that scripts and other sites do not get', async () => {
    const { setCookie, reading } = await logIn(ask, 'Ann');
    assert.match(
      setCookie,
      /^svc_admin=[0-9a-f]{32}\.[\w-]{43}; Path=\/admin; Max-Age=28800; HttpOnly; SameSite=Strict$/,
    );
    const { body } = await ask('GET', '/session', undefined, reading);
    assert.deepEqual([body.name, body.expires_at], ['Ann', '2026-11-21T20:00:00.000Z']);
    assert.equal((await ask('GET', '/users', undefined, reading)).status, 200);
    assert.deepEqual((await ask('GET', '/session')).body, { name: 'admin token', csrf_token: null, expires_at: null });
  });

  it('marks the cookie as secure, and for the public path, if the public address is so', async () => {
    const { service } = await host({ database, adminToken: ADMIN_TOKEN, publicUrl: 'https://speech.example/voices/' });
    assert.match((await logIn(adminClient(service.url))).setCookie, /; Path=\/voices\/admin; .*; Secure$/);
    const proxied = { 'x-forwarded-proto': 'https' };
    const { headers } = await ask('POST', '/login', { token: ADMIN_TOKEN }, proxied);
    assert.match(headers.get('set-cookie')!, /; Secure$/);
  });

  it('needs the CSRF token of the session for what a browser changes', async () => {
    const { reading, changing } = await logIn(ask);
    const other = await logIn(ask);
    for (const headers of [
      reading,
      { ...reading, 'x-csrf-token': '' },
      { ...reading, 'x-csrf-token': other.changing['x-csrf-token'] },
    ]) {
      const { status, body } = await ask('POST', '/keys', { user: 'forged' }, headers);
      assert.equal(status, 403);
      assert.match(body.detail, /^The header X-CSRF-Token is missing or wrong/);
    }
    assert.deepEqual((await ask('GET', '/users?search=forged')).body.users, []);
    assert.equal((await ask('POST', '/keys', { user: 'wanted' }, changing)).status, 201);
  });

  it('ends a login when it logs out, after eight hours, and when the admin token changes', async () => {
    const status = async (cookie: { cookie: string }, client = ask) =>
      (await client('GET', '/session', undefined, cookie)).status;
    const first = await logIn(ask);
    const second = await logIn(ask);
    const out = await ask('POST', '/logout', undefined, first.changing);
    assert.equal(out.status, 204);
    assert.match(out.headers.get('set-cookie')!, /^svc_admin=; Path=\/admin; Max-Age=0; /);
    assert.deepEqual([await status(first.reading), await status(second.reading)], [401, 200]);

    const { service } = await host({ database, adminToken: 'another-token-that-nobody-guesses' });
    assert.equal(await status(second.reading, adminClient(service.url)), 401);

    await clock.advance(8 * HOUR_MS - 1000);
    assert.equal(await status(second.reading), 200);
    await database.query(PURGE_ADMIN_SESSIONS);
    assert.equal(await status(second.reading), 200);
    await clock.advance(1000);
    assert.equal(await status(second.reading), 401);
    await database.query(PURGE_ADMIN_SESSIONS);
    assert.deepEqual(await database.query('select id from admin_session'), []);
  });

  it('lets an address wait after ten wrong tokens, and only that one', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let tries = 0; tries < 5; tries++) {
      assert.equal((await ask('GET', '/users', undefined, { ...WRONG, ...from('192.0.2.1') })).status, 401);
      assert.equal((await ask('POST', '/login', { token: 'wrong' }, from('192.0.2.1'))).status, 401);
    }
    const right = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const waits = await ask('GET', '/users', undefined, { ...right, ...from('192.0.2.1') });
    assert.deepEqual([waits.status, waits.headers.get('retry-after')], [429, '60']);
    assert.equal((await ask('POST', '/login', { token: ADMIN_TOKEN }, from('192.0.2.1'))).status, 429);
    assert.equal((await ask('GET', '/users', undefined, { ...right, ...from('192.0.2.2') })).status, 200);
    await clock.advance(60_001);
    assert.equal((await ask('GET', '/users', undefined, { ...right, ...from('192.0.2.1') })).status, 200);
  });

  it('answers ten of many guesses that come at the same time, while others guess too', async () => {
    const guess = (address: string, token = 'wrong') =>
      ask('POST', '/login', { token }, { 'x-forwarded-for': address }).then(({ status }) => status);
    const answers = await Promise.all(Array.from({ length: 40 }, () => guess('192.0.2.7')));
    assert.equal(answers.filter((status) => status === 401).length, 10);
    assert.equal(answers.filter((status) => status === 429).length, 30);
    // Ten addresses do not fill the list of the minute: the next one is still counted and recorded.
    for (let number = 10; number < 22; number++) {
      for (let tries = 0; tries < 10; tries++) await guess(`192.0.2.${number}`);
    }
    assert.equal(await guess('192.0.2.21', ADMIN_TOKEN), 429);
    const recorded = await database.query(`select from audit where client = '192.0.2.21'`);
    assert.ok(recorded.length > 0);
  });

  it('records at most 100 wrong tokens a minute, however many addresses send them', async () => {
    const audit = new AuditLog(database);
    for (let number = 0; number < 120; number++) {
      await audit.loginRefused({ via: 'api', name: 'unknown', client: `192.0.2.${number}` });
    }
    const [row] = await database.query<{ count: number }>('select count(*)::integer as count from audit');
    assert.equal(row!.count, 100);
  });

  it('records who did what, refusals included, and no secret', async () => {
    const browser = await logIn(ask, 'Ann');
    const key = (await ask('POST', '/keys', { user: 'audited', credits: 5 }, browser.changing)).body;
    await ask('POST', '/users/nobody/credits', { credits: 5 });
    await command('/users/audited/credits', { credits: 1 });
    await ask('POST', '/logout', undefined, browser.changing);
    await ask('GET', '/users', undefined, WRONG);
    const { audit } = (await ask('GET', '/audit')).body;
    const client = '127.0.0.1';
    assert.deepEqual(audit.map(({ id: _id, at: _at, ...rest }: Record<string, unknown>) => rest).reverse(), [
      { via: 'dashboard', name: 'Ann', client, action: 'login', details: {}, outcome: 'done' },
      {
        via: 'dashboard',
        name: 'Ann',
        client,
        action: 'keys create',
        details: { user: 'audited', credits: 5, id: key.id },
        outcome: 'done',
      },
      {
        via: 'api',
        name: 'admin token',
        client,
        action: 'credits add',
        details: {
          user: 'nobody',
          credits: 5,
          reason: 'There is no user nobody: make one with svc-service keys create.',
        },
        outcome: 'refused',
      },
      {
        via: 'command',
        name: 'command line',
        client: null,
        action: 'credits add',
        details: { user: 'audited', credits: 6 },
        outcome: 'done',
      },
      { via: 'dashboard', name: 'Ann', client, action: 'logout', details: {}, outcome: 'done' },
      { via: 'api', name: 'unknown', client, action: 'login', details: {}, outcome: 'refused' },
    ]);
    const whole = JSON.stringify(await database.query('select * from audit'));
    for (const secret of [key.key, ADMIN_TOKEN, browser.reading.cookie, browser.changing['x-csrf-token'], 'guessed']) {
      assert.ok(!whole.includes(secret), secret);
    }
    const page = (await ask('GET', `/audit?limit=2&before=${audit[1].id}`)).body.audit;
    assert.deepEqual(page, audit.slice(2, 4));
  });

  it('records a rotation of secrets without the secrets', async () => {
    const { secrets: rows } = await command('/secrets/rotate', { isLeaked: true });
    const [entry] = (await ask('GET', '/audit?limit=1')).body.audit;
    assert.deepEqual([entry.action, entry.outcome, entry.details.isLeaked], ['secrets rotate', 'done', true]);
    assert.deepEqual(
      entry.details.rows.map(({ kid }: { kid: string }) => kid),
      rows.map(({ kid }: { kid: string }) => kid),
    );
    assert.ok(
      !JSON.stringify(entry).includes(rows.find(({ secret }: { secret?: string }) => secret !== undefined).secret),
    );
  });

  it('keeps the audit log for 400 days, and wrong tokens for one', async () => {
    const audit = new AuditLog(database);
    await audit.loginRefused({ via: 'api', name: 'unknown', client: '192.0.2.1' });
    await ask('POST', '/keys', { user: 'kept' });
    const actions = async () => {
      await database.query(PURGE_AUDIT);
      return (await audit.read({ limit: 10 })).map(({ action }) => action);
    };
    await clock.advance(24 * HOUR_MS);
    assert.deepEqual(await actions(), ['keys create', 'login']);
    await clock.advance(1000);
    assert.deepEqual(await actions(), ['keys create']);
    await clock.advance(399 * 24 * HOUR_MS);
    assert.deepEqual(await actions(), []);
  });
});
