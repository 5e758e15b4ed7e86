import assert from 'node:assert/strict';
import { before, beforeEach, it } from 'node:test';
import { AccountError } from '../../src/account/account-error.js';
import { createAccounts, type Accounts } from '../../src/account/accounts.js';
import { bootstrap } from '../../src/account/bootstrap.js';
import { PLANS } from '../../src/account/plans.js';
import type { Database } from '../../src/store/database.js';
import { describeOnEveryDatabase } from '../support/every-database.js';
import { emptyAccounts } from './empty-accounts.js';

describeOnEveryDatabase('bootstrap', ({ open }) => {
  let database: Database;
  let accounts: Accounts;
  before(async () => {
    database = await open();
    accounts = createAccounts(database);
  });
  beforeEach(() => emptyAccounts(database));

  const balances = () => database.query('select id, plan, balance_ms from account order by id');
  const OWNER = { id: 'owner', plan: 'pro', balance_ms: PLANS.pro.firstCredits * 1000 };

  it('makes the owner and a key on the first call only', async () => {
    const key = await bootstrap(database);
    const holder = await accounts.authenticate(key!);
    assert.deepEqual([holder?.accountId, holder?.plan, holder?.balanceMs], Object.values(OWNER));
    assert.equal(await bootstrap(database), null);
    assert.deepEqual(await balances(), [OWNER]);
    assert.equal((await accounts.listKeys()).length, 1);
  });

  it('takes the key of the environment, once', async () => {
    assert.equal(await bootstrap(database, ['mine']), null);
    assert.equal(await bootstrap(database, ['mine']), null);
    assert.equal((await accounts.authenticate('mine'))?.accountId, 'owner');
    const keys = await accounts.listKeys();
    assert.deepEqual(
      keys.map(({ from_environment, revoked_at }) => [from_environment, revoked_at]),
      [[true, null]],
    );
    assert.deepEqual(await balances(), [OWNER]);
  });

  it('takes every key of the environment, and revokes none that another node has', async () => {
    const other = await accounts.createKey({ user: 'owner' });
    await bootstrap(database, ['first', 'second']);
    await bootstrap(database, ['third']);
    await bootstrap(database, ['first']);
    for (const key of ['first', 'second', 'third', other.key]) assert.ok(await accounts.authenticate(key), key);
  });

  it('never lets a revoked key work again', async () => {
    await bootstrap(database, ['leaked']);
    const [key] = await accounts.listKeys();
    await accounts.revokeKey(key!.id);
    await assert.rejects(
      bootstrap(database, ['leaked']),
      (error: Error) =>
        error instanceof AccountError && error.message.startsWith('SVC_API_KEY has a key that was revoked'),
    );
    assert.equal(await accounts.authenticate('leaked'), null);
  });

  it('keeps a key after it is removed from the environment', async () => {
    await bootstrap(database, ['mine']);
    assert.equal(await bootstrap(database), null, 'there is a key that can be used');
    assert.ok(await accounts.authenticate('mine'));
  });

  it('does not change a key that already belongs to a user', async () => {
    const { key } = await accounts.createKey({ user: 'ada' });
    await bootstrap(database, [key]);
    assert.equal((await accounts.authenticate(key))?.accountId, 'ada');
    await bootstrap(database, ['other']);
    assert.ok(await accounts.authenticate(key), 'it did not come from the environment');
  });

  it('makes a key again when all were revoked', async () => {
    await bootstrap(database);
    const [key] = await accounts.listKeys();
    await accounts.revokeKey(key!.id);
    assert.ok(await accounts.authenticate((await bootstrap(database))!));
    assert.deepEqual(await balances(), [OWNER], 'but gives no credits again');
  });

  it('leaves the plan of an owner who was there before', async () => {
    await accounts.createKey({ user: 'owner', plan: 'none' });
    await bootstrap(database, ['mine']);
    assert.equal((await accounts.authenticate('mine'))?.plan, 'none');
  });

  it('makes one account, grant and key when nodes start at once', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => bootstrap(database)));
    assert.equal(made.filter((key) => key !== null).length, 1);
    assert.deepEqual(await balances(), [OWNER]);
    assert.equal((await database.query('select id from ledger')).length, 1);
    assert.equal((await accounts.listKeys()).length, 1);
    await Promise.all(Array.from({ length: 6 }, () => bootstrap(database, ['mine'])));
    assert.equal((await accounts.listKeys()).length, 2);
  });
});
