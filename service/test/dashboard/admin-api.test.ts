import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { demoAvatar } from '../../src/avatar/demo-avatar.js';
import type { Database } from '../../src/store/database.js';
import { someBundle, svgWith } from '../avatar/some-bundle.js';
import { Conversation } from '../support/conversation.js';
import { DatabaseClock } from '../support/database-clock.js';
import { eventually } from '../support/eventually.js';
import { describeOnOneDatabase } from '../support/every-database.js';
import { host, type Host } from '../support/host.js';
import type { StubEngine } from '../support/stub-engine.js';
import { ADMIN_TOKEN, adminClient, type AdminAnswer } from './admin-client.js';

describeOnOneDatabase('admin API', ({ open }) => {
  let database: Database;
  let clock: DatabaseClock;
  let speech: Host<StubEngine>;
  let ask: ReturnType<typeof adminClient>;
  before(async () => {
    database = await open();
    clock = await DatabaseClock.stop(database);
    speech = await host({ database, adminToken: ADMIN_TOKEN, logLevel: 'error' });
    ask = adminClient(speech.service.url);
  });

  const refusal = ({ status, body }: AdminAnswer): [number, string] => [status, body.detail as string];

  it('creates a key that works, shows it once, and revokes it', async () => {
    const made = await ask('POST', '/keys', { user: 'ann', plan: 'pro', credits: 60.5 });
    assert.equal(made.status, 201);
    assert.deepEqual(Object.keys(made.body), ['id', 'key', 'user']);
    const headers = { 'X-SVC-Api-Key': made.body.key as string };
    assert.equal((await speech.call({}, headers)).status, 200);

    const listed = await ask('GET', '/keys?user=ann');
    const { created_at: createdAt, ...rest } = listed.body.keys[0];
    assert.deepEqual(rest, {
      id: made.body.id,
      user: 'ann',
      plan: 'pro',
      credits: 60.5,
      from_environment: false,
      revoked_at: null,
    });
    assert.equal(createdAt, '2026-11-21T12:00:00.000Z');
    assert.ok(!JSON.stringify(listed.body).includes(made.body.key));

    const revoked = await ask('POST', `/keys/${made.body.id}/revoke`);
    assert.deepEqual(revoked.body, { id: made.body.id, user: 'ann', revoked_at: '2026-11-21T12:00:00.000Z' });
    assert.equal((await speech.call({}, headers)).status, 401);
    assert.equal((await ask('GET', '/keys?user=ann')).body.keys[0].revoked_at, '2026-11-21T12:00:00.000Z');
  });

  it('creates a key for a new user without a body', async () => {
    const made = await ask('POST', '/keys');
    assert.equal(made.status, 201);
    assert.match(made.body.user, /^user_/);
  });

  it('changes plans and gives credits', async () => {
    await ask('POST', '/keys', { user: 'bob', plan: 'starter', credits: 1 });
    assert.deepEqual((await ask('PATCH', '/users/bob', { plan: 'pro' })).body, { user: 'bob', plan: 'pro' });
    assert.deepEqual((await ask('POST', '/users/bob/credits', { credits: 2.25 })).body, { user: 'bob', credits: 3.25 });
    const { users } = (await ask('GET', '/users?search=BO')).body;
    assert.deepEqual(users, [
      { id: 'bob', plan: 'pro', credits: 3.25, keys: 1, created_at: '2026-11-21T12:00:00.000Z' },
    ]);
    assert.deepEqual((await ask('GET', '/plans')).body.plans, [
      { name: 'none', max_concurrent_sessions: 0, premium_voices: false, first_credits: 0 },
      { name: 'starter', max_concurrent_sessions: 5, premium_voices: false, first_credits: 36_000 },
      { name: 'pro', max_concurrent_sessions: 20, premium_voices: true, first_credits: 360_000 },
    ]);
  });

  it('lists the voices with their languages', async () => {
    const { voices } = (await ask('GET', '/voices')).body;
    assert.deepEqual(voices[0], { id: 'one', language: 'en', sample_rate: 24_000, premium: false });
  });

  it('refuses what does not exist and what is wrong, and names it', async () => {
    assert.deepEqual(refusal(await ask('PATCH', '/users/nobody', { plan: 'pro' })), [
      404,
      'There is no user nobody: make one with svc-service keys create.',
    ]);
    assert.equal((await ask('POST', '/users/nobody/credits', { credits: 1 })).status, 404);
    assert.equal((await ask('POST', '/keys/key_1/revoke')).status, 404);
    assert.equal((await ask('PATCH', '/avatars/nothing', { status: 'disabled' })).status, 404);
    assert.equal((await ask('GET', '/avatars/nothing/preview')).status, 404);
    for (const path of ['/ledger', '/ledger.csv']) {
      assert.deepEqual(refusal(await ask('GET', `${path}?user=nobody`)), [
        404,
        'There is no user nobody: see svc-service keys list.',
      ]);
    }
    assert.equal((await ask('GET', '/nothing')).status, 404);
    for (const [method, path, body, said] of [
      ['POST', '/keys', { user: 'a b' }, /"a b" is not/],
      ['POST', '/keys', { user: 'a\0\ud800b' }, /is not/],
      ['POST', '/keys', { plan: 'gold' }, /^plan must be equal to one of/],
      ['POST', '/keys', { usr: 'ann' }, /^usr is not known/],
      ['POST', '/users/bob/credits', { credits: -1 }, /^credits must be >= 0/],
      ['POST', '/users/bob/credits', { credits: 0.0001 }, /up to 3 decimals, not 0.0001/],
      ['POST', '/users/bob/credits', {}, /^credits is required/],
      ['GET', '/usage?days=0', undefined, /^days must be >= 1/],
      ['GET', '/usage?day=1', undefined, /^day is not known/],
      ['GET', '/users?limit=1001', undefined, /^limit must be <= 1000/],
      ['GET', '/users?after=%00', undefined, /is not/],
      ['GET', '/ledger?before=x', undefined, /^before must be integer/],
      ['GET', '/ledger?user=%00', undefined, /is not/],
    ] as const) {
      const [status, detail] = refusal(await ask(method, path, body));
      assert.equal(status, 422, `${path}: ${detail}`);
      assert.match(detail, said);
    }
    const balance = async () => (await ask('GET', '/users?search=bob')).body.users[0]?.credits;
    const credited = await balance();
    for (const credits of [true, false, '7', [5], '1e3', null, {}, '']) {
      assert.deepEqual(refusal(await ask('POST', '/users/bob/credits', { credits })), [422, 'credits must be number']);
      assert.deepEqual(refusal(await ask('POST', '/keys', { user: 'bob', credits })), [422, 'credits must be number']);
    }
    assert.equal(await balance(), credited);
    for (const user of [5, true, null, ['bob']]) {
      assert.deepEqual(refusal(await ask('POST', '/keys', { user })), [422, 'user must be string']);
    }
    const bundle = { owner: 'bob', public: 'true', bundle: {} };
    assert.deepEqual(refusal(await ask('POST', '/avatars', bundle)), [422, 'public must be boolean']);
    assert.equal((await ask('POST', '/keys', null)).status, 422);
    await ask('POST', '/keys', { user: 'x'.repeat(100_000) });
    const [{ details }] = (await ask('GET', '/audit?limit=1')).body.audit;
    assert.equal(details.user.length, 500);
    assert.deepEqual((await ask('GET', '/users?search=%00')).body, { users: [] });
  });

  it('lists in pages', async () => {
    for (const user of ['page-a', 'page-B', 'page-c']) await ask('POST', '/keys', { user });
    const ids = ({ body }: AdminAnswer) => body.users.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids(await ask('GET', '/users?search=page-&limit=2')), ['page-B', 'page-a']);
    assert.deepEqual(ids(await ask('GET', '/users?search=page-&limit=2&after=page-a')), ['page-c']);

    await clock.advance(1000);
    for (const _ of [1, 2, 3]) await ask('POST', '/keys', { user: 'pages' });
    const all = (await ask('GET', '/keys?user=pages')).body.keys;
    assert.equal(all.length, 3);
    const first = (await ask('GET', '/keys?user=pages&limit=2')).body.keys;
    const rest = (await ask('GET', `/keys?user=pages&limit=2&before=${first[1].id}`)).body.keys;
    assert.deepEqual([...first, ...rest], all);
    const oldest = (await ask('GET', '/keys?user=pages&limit=2&after=')).body.keys;
    const newest = (await ask('GET', `/keys?user=pages&limit=2&after=${oldest[1].id}`)).body.keys;
    assert.deepEqual([...oldest, ...newest], all.toReversed());
  });

  it('sums usage by day and user, and those who used less in one row', async () => {
    const insert = (user: string, ms: number, daysAgo: number) =>
      database.query(
        `insert into ledger (account_id, kind, amount_ms, session_id, node, created_at)
         values ($1, 'usage', $2, $3, 'node', svc_now() - $4 * interval '1 day')`,
        [user, -ms, `${user} ${daysAgo} ${ms}`, daysAgo],
      );
    for (let number = 0; number < 10; number++) await ask('POST', '/keys', { user: `usage-${number}`, credits: 5 });
    for (let number = 0; number < 10; number++) await insert(`usage-${number}`, 1000 * (number + 1), 1);
    await insert('usage-9', 500, 1);
    await insert('usage-9', 250, 0);
    await insert('usage-9', 99_000, 2);
    const { body } = await ask('GET', '/usage?days=2');
    assert.deepEqual([body.from, body.to], ['2026-11-20', '2026-11-21']);
    const rows = body.usage.map((row: Record<string, unknown>) => [row.day, row.user, row.credits, row.sockets]);
    assert.deepEqual(rows.slice(-1), [['2026-11-21', 'usage-9', 0.25, 1]]);
    assert.deepEqual(
      rows.filter(([day]: string[]) => day === '2026-11-20'),
      [
        ...[2, 3, 4, 5, 6, 7, 8].map((number) => ['2026-11-20', `usage-${number}`, number + 1, 1]),
        ['2026-11-20', 'usage-9', 10.5, 2],
        ['2026-11-20', null, 3, 2],
      ],
    );
    const one = (await ask('GET', '/usage?days=3&user=usage-9')).body.usage;
    assert.deepEqual(
      one.map(({ day, credits }: Record<string, unknown>) => [day, credits]),
      [
        ['2026-11-19', 99],
        ['2026-11-20', 10.5],
        ['2026-11-21', 0.25],
      ],
    );
  });

  it('lists open sockets while they are open', async () => {
    const { user, key, id } = (await ask('POST', '/keys', { user: 'talks', credits: 100 })).body;
    const session = await (await speech.call({}, { 'X-SVC-Api-Key': key })).json();
    assert.deepEqual((await ask('GET', '/sockets?user=talks')).body, { total: 0, slots: 0, sockets: [] });
    const conversation = await new Conversation((session as { url: string }).url).opened();
    const { sockets, ...counts } = await eventually('the socket has its lease', async () => {
      const { body } = await ask('GET', '/sockets?user=talks');
      return body.total > 0 && body;
    });
    assert.deepEqual(counts, { total: 1, slots: 1 });
    assert.deepEqual(
      { ...sockets[0], session: '', node: '', opened_at: '' },
      { session: '', user, key: id, node: '', holds_slot: true, opened_at: '', credits: 0 },
    );
    assert.equal((await ask('GET', '/sockets?user=ann')).body.total, 0);
    conversation.socket.close(1000);
    await eventually('the socket is closed', async () => (await ask('GET', '/sockets?user=talks')).body.total === 0);
  });

  it('uploads, draws and disables avatars', async () => {
    await ask('POST', '/keys', { user: 'painter' });
    const bundle = { ...demoAvatar, avatar: { id: 'fox', name: 'Fox' } };
    const added = await ask('POST', '/avatars', { owner: 'painter', status: 'processing', bundle });
    assert.deepEqual([added.status, added.body], [201, { id: 'fox' }]);
    const preview = await ask('GET', '/avatars/fox/preview');
    assert.deepEqual([preview.status, preview.headers.get('content-type')], [200, 'image/svg+xml']);
    assert.match(preview.headers.get('content-security-policy')!, /default-src 'none'/);
    assert.match(preview.body, /^<svg [^]*#a8754a/);
    assert.ok(!preview.body.includes('var('));
    assert.notEqual((await ask('GET', '/avatars/fox/preview?scheme=dark')).body, preview.body);
    assert.deepEqual((await ask('PATCH', '/avatars/fox', { status: 'disabled' })).body, {
      id: 'fox',
      status: 'disabled',
    });
    const { avatars } = (await ask('GET', '/avatars?after=demo')).body;
    const { bytes, ...fox } = avatars[0];
    assert.ok(bytes > 1000);
    assert.deepEqual(fox, {
      id: 'fox',
      owner: 'painter',
      public: false,
      status: 'disabled',
      name: 'Fox',
      created_at: '2026-11-21T12:00:01.000Z',
    });
  });

  it('refuses avatars that are wrong, exist already or are too large', async () => {
    const script = someBundle({ svg: svgWith('<script/>') });
    for (const [body, said] of [
      [{ owner: 'painter', bundle: script }, 'svg: <script> is not allowed: only what draws is'],
      [
        { owner: 'nobody', bundle: someBundle() },
        'There is no user nobody: svc-service keys create --user nobody makes one.',
      ],
      [{ owner: 'painter', id: 'fox', bundle: someBundle() }, 'There is an avatar fox already: choose another id.'],
      [{ bundle: someBundle() }, 'owner is required'],
    ] as const) {
      assert.deepEqual(refusal(await ask('POST', '/avatars', body)), [422, said]);
    }
    const large = { owner: 'painter', bundle: { padding: 'x'.repeat(5_000_000) } };
    assert.equal((await ask('POST', '/avatars', large)).status, 413);
  });

  it('lists the ledger in pages, and exports all of it as CSV', async () => {
    await ask('POST', '/keys', { user: 'saver', credits: 1.5 });
    await database.query(
      `insert into ledger (account_id, kind, amount_ms, session_id, node)
       select 'saver', 'usage', -number, '=formula "' || number || '"', null from generate_series(1, 1200) as number`,
    );
    const newest = (await ask('GET', '/ledger?user=saver&limit=2')).body.ledger;
    assert.deepEqual(
      newest.map(({ session, ms, credits }: Record<string, unknown>) => [session, ms, credits]),
      [
        ['=formula "1200"', -1200, -1.2],
        ['=formula "1199"', -1199, -1.199],
      ],
    );
    const older = (await ask('GET', `/ledger?user=saver&limit=1&before=${newest[1].id}`)).body.ledger;
    assert.equal(older[0].ms, -1198);
    const [grant, first] = (await ask('GET', '/ledger?user=saver&limit=2&after=0')).body.ledger;
    const [second] = (await ask('GET', `/ledger?user=saver&limit=1&after=${first.id}`)).body.ledger;
    assert.deepEqual([grant.ms, first.ms, second.ms], [1500, -1, -2]);

    const csv = await ask('GET', '/ledger.csv?user=saver');
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="ledger-saver.csv"');
    const lines = csv.body.split('\r\n');
    assert.equal(lines.length, 1 + 1201 + 1);
    assert.equal(lines[0], 'id,user,kind,credits,ms,session,node,at,updated_at');
    assert.match(lines[1], /^\d+,saver,grant,1\.5,1500,,,2026-11-21T12:00:01\.000Z,2026-11-21T12:00:01\.000Z$/);
    assert.match(lines[1201], /^\d+,saver,usage,-1\.2,-1200,"'=formula ""1200""",,/);
    assert.equal(lines[1202], '');
    assert.ok((await ask('GET', '/ledger.csv')).body.split('\r\n').length > 1203);
  });
});
