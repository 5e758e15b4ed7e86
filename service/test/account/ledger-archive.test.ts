import assert from 'node:assert/strict';
import { before, beforeEach, it } from 'node:test';
import { AccountError } from '../../src/account/account-error.js';
import { createAccounts } from '../../src/account/accounts.js';
import { readArchivePage, replaceArchived, type ArchivePage } from '../../src/account/ledger-archive.js';
import type { LedgerRow } from '../../src/account/ledger.js';
import type { Database } from '../../src/store/database.js';
import { describeOnEveryDatabase } from '../support/every-database.js';
import { emptyAccounts } from './empty-accounts.js';

/** Rows that changed at this time or later stay in the ledger. */
const BEFORE = '2026-01-31T00:00:00.000Z';

describeOnEveryDatabase('the archive of the ledger', (databases) => {
  let database: Database;
  before(async () => {
    database = await databases.open();
  });
  beforeEach(async () => {
    await emptyAccounts(database);
    await addAccount('ada', 10_000);
    await addAccount('bob', 10_000);
  });

  /** Adds a user with a grant from 2025. */
  async function addAccount(id: string, ms: number): Promise<void> {
    await database.query(`insert into account (id, plan, balance_ms) values ($1, 'pro', $2)`, [id, ms]);
    await database.query(
      `insert into ledger (account_id, kind, amount_ms, created_at, updated_at)
       values ($1, 'grant', $2, '2025-01-01', '2025-01-01')`,
      [id, ms],
    );
  }

  /** Charges for a socket; the ledger row last changed at `at`. */
  async function addUsage(account: string, session: string, ms: number, at: string): Promise<void> {
    await database.query(
      `insert into ledger (account_id, kind, amount_ms, session_id, created_at, updated_at)
       values ($1, 'usage', -$2::bigint, $3, '2025-01-02', $4)`,
      [account, ms, session, at],
    );
    await database.query('update account set balance_ms = balance_ms - $2 where id = $1', [account, ms]);
  }

  /**
   * Archives everything, `pageRows` rows at a time, and returns the rows. Asserts after each step that balances are
   * correct.
   */
  async function archive(pageRows: number): Promise<LedgerRow[]> {
    const archived: LedgerRow[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: ArchivePage = await readArchivePage(database, BEFORE, after, pageRows);
      await replaceArchived(database, page.rows);
      archived.push(...page.rows);
      after = page.next;
      assert.deepEqual(await wrongBalances(), []);
    }
    return archived;
  }

  const wrongBalances = () =>
    database.query(
      'select id from account where balance_ms <> (select sum(amount_ms) from ledger where account_id = account.id)',
    );
  const ledgerOf = async (user: string): Promise<[string, number][]> => {
    const rows: [string, number][] = [];
    for await (const { kind, ms } of createAccounts(database).ledger(user)) rows.push([kind, ms]);
    return rows;
  };

  for (const pageRows of [1, 2, 500]) {
    it(`leaves one balance row for each account, ${pageRows} rows at a time`, async () => {
      for (let session = 0; session < 3; session++) await addUsage('ada', `old-${session}`, 7, '2026-01-30T23:59:59Z');
      await addUsage('bob', 'new', 5, BEFORE);
      const archived = await archive(pageRows);
      assert.deepEqual(
        archived.map(({ user, kind, ms, credits, session }) => [user, kind, ms, credits, session]),
        [
          ['ada', 'grant', 10_000, 10, null],
          ['bob', 'grant', 10_000, 10, null],
          ...[0, 1, 2].map((session) => ['ada', 'usage', -7, -0.007, `old-${session}`]),
        ],
      );
      assert.deepEqual(await ledgerOf('ada'), [['balance', 9979]]);
      assert.deepEqual(await ledgerOf('bob'), [
        ['usage', -5],
        ['balance', 10_000],
      ]);
    });
  }

  it('adds what is archived later to the same row', async () => {
    await archive(500);
    await addUsage('ada', 'late', 10_000, '2026-01-30');
    assert.equal((await archive(500)).length, 1);
    assert.deepEqual(await ledgerOf('ada'), [['balance', 0]]);
  });

  it('leaves rows of open sockets', async () => {
    await addUsage('ada', 'open', 7, '2025-06-01');
    await database.query(`insert into api_key (id, account_id, lookup, hash) values ('k', 'ada', 'l', 'h')`);
    await database.query(`insert into lease values ('open', 'ada', 'k', 'node', false, svc_now())`);
    await archive(500);
    assert.deepEqual(await ledgerOf('ada'), [
      ['usage', -7],
      ['balance', 10_000],
    ]);
  });

  it('stops at the first page that has only later rows', async () => {
    await database.query(
      `insert into ledger (account_id, kind, amount_ms) select 'ada', 'grant', 0 from generate_series(1, 9)`,
    );
    const first = await readArchivePage(database, BEFORE, 0, 2);
    assert.deepEqual([first.rows.length, first.next === null], [2, false]);
    assert.deepEqual(await readArchivePage(database, BEFORE, first.next!, 2), { rows: [], next: null });
  });

  it('replaces all rows or none, if one has changed', async () => {
    await addUsage('ada', 'old', 7, '2026-01-30');
    const { rows } = await readArchivePage(database, BEFORE, 0);
    await database.query(`update ledger set amount_ms = -8 where session_id = 'old'`);
    await assert.rejects(replaceArchived(database, rows), (error: Error) => {
      assert.ok(error instanceof AccountError);
      assert.match(error.message, /^Of 3 rows of the ledger .*, 1 changed meanwhile/);
      return true;
    });
    assert.equal((await ledgerOf('ada')).length, 2);
  });

  it('refuses an invalid time, and one within the last day', async () => {
    for (const date of ['', 'now', '0', '9999-99-99', new Date(Date.now() - 3_600_000).toISOString()]) {
      await assert.rejects(readArchivePage(database, date, 0), /^AccountError: The ledger can be archived up to a day/);
    }
  });
});
