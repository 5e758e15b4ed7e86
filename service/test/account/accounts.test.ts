import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { AccountError } from '../../src/account/account-error.js';
import { createAccounts, type Accounts } from '../../src/account/accounts.js';
import { readLedger, type LedgerRow } from '../../src/account/ledger.js';
import { PLANS } from '../../src/account/plans.js';
import type { Database } from '../../src/store/database.js';
import { describeOnEveryDatabase } from '../support/every-database.js';

const collect = async <Row>(rows: AsyncIterable<Row>): Promise<Row[]> => {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
};

const saying = (pattern: RegExp) => (error: Error) => error instanceof AccountError && pattern.test(error.message);

describeOnEveryDatabase('accounts (interface-spec 5)', ({ open }) => {
  let database: Database;
  let accounts: Accounts;
  before(async () => {
    database = await open();
    accounts = createAccounts(database);
  });

  const balanceAndLedger = async (user: string): Promise<[number, number]> => {
    const [row] = await database.query<{ balance: number; sum: number }>(
      `select balance_ms as balance, (select coalesce(sum(amount_ms), 0)::bigint from ledger where account_id = $1) as sum
         from account where id = $1`,
      [user],
    );
    return [row!.balance, row!.sum];
  };

  it('authenticates a key as the user it was made for', async () => {
    const { id, key, user } = await accounts.createKey({ user: 'ada', plan: 'pro', credits: 12.345 });
    assert.equal(user, 'ada');
    assert.match(key, /^svc_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(await accounts.authenticate(key), {
      accountId: 'ada',
      keyId: id,
      plan: 'pro',
      balanceMs: 12_345,
    });
  });

  it('authenticates no unknown key, not even one that is similar to a known key', async () => {
    const { key } = await accounts.createKey();
    const last = key.at(-1) === 'A' ? 'B' : 'A';
    for (const wrong of ['', 'x', `${key} `, key.slice(0, -1), key.slice(0, -1) + last, `${key}\0`, 'k'.repeat(1e6)]) {
      assert.equal(await accounts.authenticate(wrong), null);
    }
  });

  it('compares the whole hash, not just the part by which a key is found', async () => {
    const { id, key } = await accounts.createKey();
    const stranger = await accounts.createKey();
    // A second key with the same lookup prefix: the query finds both, and their hashes tell them apart.
    await database.query('update api_key set lookup = (select lookup from api_key where id = $1) where id = $2', [
      id,
      stranger.id,
    ]);
    assert.equal((await accounts.authenticate(key))?.keyId, id);
    assert.equal(await accounts.authenticate(stranger.key), null);
  });

  it('stores no key in plain text', async () => {
    const { key } = await accounts.createKey();
    const rows = await database.query<{ text: string }>('select api_key::text as text from api_key');
    assert.ok(rows.length > 0);
    assert.ok(!JSON.stringify(rows).includes(key));
    const asHex = Buffer.from(key).toString('hex');
    assert.ok(!JSON.stringify(rows).includes(asHex));
  });

  it('refuses a key from the moment it is revoked, and leaves the user’s others alone', async () => {
    const first = await accounts.createKey({ user: 'bea' });
    const second = await accounts.createKey({ user: 'bea' });
    const revoked = await accounts.revokeKey(first.id);
    assert.equal(revoked.user, 'bea');
    assert.equal(await accounts.authenticate(first.key), null);
    assert.equal((await accounts.authenticate(second.key))?.accountId, 'bea');
    assert.deepEqual(await accounts.revokeKey(first.id), revoked, 'once more is harmless, and keeps the time');
  });

  it('reports that a key to revoke does not exist', async () => {
    for (const id of ['key_000000000000000000', '', '\0', `key_${'0'.repeat(1e5)}`]) {
      await assert.rejects(accounts.revokeKey(id), saying(/^There is no key .{1,50}: svc-service keys list/));
    }
  });

  it('lists keys with their users, never the keys', async () => {
    const made = await accounts.createKey({ user: 'cleo', plan: 'pro', credits: 0.5 });
    await accounts.revokeKey(made.id);
    const rows = await accounts.listKeys();
    const row = rows.find(({ id }) => id === made.id)!;
    assert.ok(row.created_at instanceof Date && row.revoked_at instanceof Date);
    assert.deepEqual(
      { ...row, created_at: null, revoked_at: null },
      {
        id: made.id,
        user: 'cleo',
        plan: 'pro',
        credits: 0.5,
        from_environment: false,
        created_at: null,
        revoked_at: null,
      },
    );
    assert.ok(!JSON.stringify(rows).includes(made.key));
  });

  it('gives a new user the plan starter and its first credits by default', async () => {
    const { user, key } = await accounts.createKey();
    const holder = await accounts.authenticate(key);
    assert.equal(holder?.plan, 'starter');
    assert.equal(holder.balanceMs, PLANS.starter.firstCredits * 1000);
    assert.notEqual((await accounts.createKey()).user, user);
    const none = await accounts.createKey({ plan: 'none' });
    assert.equal((await accounts.authenticate(none.key))?.balanceMs, 0);
    const poor = await accounts.createKey({ plan: 'pro', credits: 0 });
    assert.equal((await accounts.authenticate(poor.key))?.balanceMs, 0);
    assert.deepEqual(await collect(accounts.ledger(poor.user)), []);
  });

  it('changes only the given plan or credits of an existing user', async () => {
    const { key } = await accounts.createKey({ user: 'dora', plan: 'pro', credits: 10 });
    await accounts.createKey({ user: 'dora' });
    assert.deepEqual(await planAndBalance(key), ['pro', 10_000]);
    await accounts.createKey({ user: 'dora', credits: 2.5 });
    assert.deepEqual(await planAndBalance(key), ['pro', 12_500]);
    await accounts.createKey({ user: 'dora', plan: 'none' });
    assert.deepEqual(await planAndBalance(key), ['none', 12_500]);
  });

  const planAndBalance = async (key: string) => {
    const { plan, balanceMs } = (await accounts.authenticate(key))!;
    return [plan, balanceMs];
  };

  it('creates nothing if any part of the request is invalid', async () => {
    const count = async () =>
      (
        await database.query<{ n: number }>(
          'select ((select count(*) from account) + (select count(*) from api_key))::bigint as n',
        )
      )[0]!.n;
    const rows = await count();
    await assert.rejects(accounts.createKey({ user: 'eve', credits: -1 }), saying(/^Credits are seconds/));
    await assert.rejects(accounts.createKey({ user: 'eve', credits: 1.0005 }), saying(/^Credits are seconds/));
    await assert.rejects(accounts.createKey({ user: 'eve', plan: 'gold' as 'pro' }), saying(/none, starter, pro/));
    await assert.rejects(accounts.setPlan('dora', 'gold' as 'pro'), saying(/none, starter, pro/));
    for (const user of ['', 'a:b', ' a', 'a\0', '-a', 'ä', 'a'.repeat(129)]) {
      await assert.rejects(accounts.createKey({ user }), saying(/^The id of a user/));
    }
    assert.equal(await count(), rows);
  });

  it('writes a grant into the ledger and onto the balance', async () => {
    await accounts.createKey({ user: 'fay', credits: 1 });
    assert.deepEqual(await accounts.grant('fay', 0.001), { user: 'fay', credits: 1.001 });
    const rows = await collect(accounts.ledger('fay'));
    assert.deepEqual(
      rows.map(({ user, kind, credits, ms, session, node }) => [user, kind, credits, ms, session, node]),
      [
        ['fay', 'grant', 1, 1000, null, null],
        ['fay', 'grant', 0.001, 1, null, null],
      ],
    );
    const members: (keyof LedgerRow)[] = ['id', 'user', 'kind', 'credits', 'ms', 'session', 'node', 'at', 'updated_at'];
    assert.deepEqual(Object.keys(rows[0]!), members);
    assert.ok(rows[0]!.at instanceof Date);
  });

  it('refuses to grant credits to a user that does not exist', async () => {
    await assert.rejects(accounts.grant('nobody', 1), saying(/^There is no user nobody: make one with/));
    await assert.rejects(accounts.grant('\0', 1), saying(/^The id of a user/));
    await assert.rejects(collect(accounts.ledger('nobody')), saying(/^There is no user nobody/));
  });

  it('gives no more than an account can hold', async () => {
    await accounts.createKey({ user: 'gil', credits: 1_000_000_000 });
    await assert.rejects(accounts.grant('gil', 0.001), saying(/^An account holds up to 1000000000 credits/));
    assert.deepEqual(await balanceAndLedger('gil'), [1e12, 1e12]);
  });

  it('keeps the balance correct when grants and charges are concurrent', async () => {
    await accounts.createKey({ user: 'hal', credits: 1 });
    const take = (session: string) =>
      database.transaction(async (queries) => {
        await queries.query('update account set balance_ms = balance_ms - 7 where id = $1', ['hal']);
        await queries.query(
          `insert into ledger (account_id, kind, amount_ms, session_id) values ('hal', 'usage', -7, $1)`,
          [session],
        );
      });
    // More than there are PostgreSQL connections, so that some wait for others.
    const work = Array.from({ length: 40 }, (_, index) =>
      index % 2 ? accounts.grant('hal', 0.011) : take(`hal-${index}`),
    );
    await Promise.all(work);
    const sum = 1000 + 20 * 11 - 20 * 7;
    assert.deepEqual(await balanceAndLedger('hal'), [sum, sum]);
  });

  it('opens one account for a user who gets several first keys at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => accounts.createKey({ user: 'ida' })));
    assert.equal(new Set(made.map(({ key }) => key)).size, 20);
    const first = PLANS.starter.firstCredits * 1000;
    assert.deepEqual(await balanceAndLedger('ida'), [first, first]);
  });

  it('reads a ledger of several pages in order, whole', async () => {
    await accounts.createKey({ user: 'jo', credits: 0 });
    for (let credits = 1; credits <= 5; credits++) {
      await accounts.grant('jo', credits);
      await accounts.grant('fay', 1);
    }
    // With pages of two rows, the last page is shorter; with five, it is empty.
    for (const pageRows of [2, 5]) {
      const rows = await collect(readLedger(database, 'jo', pageRows));
      assert.deepEqual(
        rows.map(({ credits }) => credits),
        [1, 2, 3, 4, 5],
      );
    }
    const everybody = await collect(accounts.ledger());
    assert.ok(new Set(everybody.map(({ user }) => user)).size > 2);
  });
});
