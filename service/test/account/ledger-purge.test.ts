import assert from 'node:assert/strict';
import { before, beforeEach, it } from 'node:test';
import { createAccounts } from '../../src/account/accounts.js';
import { PURGE_LEDGER } from '../../src/account/ledger.js';
import type { Database } from '../../src/store/database.js';
import { describeOnEveryDatabase } from '../support/every-database.js';
import { emptyAccounts } from './empty-accounts.js';

describeOnEveryDatabase('the purge of the ledger', (databases) => {
  let database: Database;
  before(async () => {
    database = await databases.open();
  });
  beforeEach(async () => {
    await emptyAccounts(database);
    for (const id of ['ada', 'bob']) {
      await database.query(`insert into account (id, plan) values ($1, 'pro')`, [id]);
      await add(id, 10_000, '25 months');
    }
  });

  /** Adds a row that was created `created` ago and last changed `changed` ago, and changes the balance. */
  async function add(account: string, ms: number, created: string, changed = created): Promise<void> {
    await database.query(
      `insert into ledger (account_id, kind, amount_ms, created_at, updated_at)
       values ($1, case when $2::bigint > 0 then 'grant' else 'usage' end, $2::bigint,
               svc_now() - $3::text::interval, svc_now() - $4::text::interval)`,
      [account, ms, created, changed],
    );
    await database.query('update account set balance_ms = balance_ms + $2 where id = $1', [account, ms]);
  }

  /** Purges, and asserts that every balance is the sum of its ledger. */
  async function purge(): Promise<void> {
    await database.query(PURGE_LEDGER);
    const wrong = await database.query(
      'select id from account where balance_ms <> (select sum(amount_ms) from ledger where account_id = account.id)',
    );
    assert.deepEqual(wrong, []);
  }

  async function ledgerOf(user: string): Promise<[string, number][]> {
    const rows: [string, number][] = [];
    for await (const { kind, ms } of createAccounts(database).ledger(user)) rows.push([kind, ms]);
    return rows;
  }

  it('replaces the rows older than two years by one for each account, and leaves the others', async () => {
    await add('ada', -7, '25 months');
    await add('ada', -8, '25 months');
    await add('bob', -5, '23 months');
    await purge();
    assert.deepEqual(await ledgerOf('ada'), [['balance', 9985]]);
    assert.deepEqual(await ledgerOf('bob'), [
      ['usage', -5],
      ['balance', 10_000],
    ]);
  });

  it('adds later rows to the same one, which never grows old itself', async () => {
    await purge();
    await add('ada', -10_000, '25 months');
    await database.query(`update ledger set created_at = '2000-01-01', updated_at = '2000-01-01'`);
    await purge();
    await purge();
    assert.deepEqual(await ledgerOf('ada'), [['balance', 0]]);
  });

  it('leaves a row that has changed within two years', async () => {
    await add('ada', -7, '25 months', '23 months');
    await purge();
    assert.deepEqual(await ledgerOf('ada'), [
      ['usage', -7],
      ['balance', 10_000],
    ]);
  });
});
