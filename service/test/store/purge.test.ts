import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PURGE_RATE_WINDOWS } from '../../src/clients/rate-windows.js';
import { PURGE_ROOMS } from '../../src/room/rooms.js';
import { PURGE_USED_TOKENS } from '../../src/session/used-tokens.js';
import type { Queries } from '../../src/store/database.js';
import { startPurges } from '../../src/store/purge.js';
import { DatabaseClock } from '../support/database-clock.js';
import { describeOnEveryDatabase } from '../support/every-database.js';
import { ManualClock } from '../support/manual-clock.js';

const STATEMENTS = [PURGE_RATE_WINDOWS, PURGE_ROOMS, PURGE_USED_TOKENS];

/** Names in the three tables, sorted. */
async function namesLeft(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(
    `select client as name from rate_window union all select name from room union all select id from used_token`,
  );
  return rows.map(({ name }) => name).toSorted();
}

describeOnEveryDatabase('Purges', (databases) => {
  it('delete rows that are of no more use once a minute, and no others', async () => {
    const database = await databases.open();
    const databaseClock = await DatabaseClock.stop(database);
    const clock = new ManualClock();
    await database.query(`insert into account (id, plan) values ('ann', 'starter')`);
    await database.query(`insert into rate_window values
      ('window over', 1, svc_now() - interval '1 second'), ('window open', 1, svc_now() + interval '5 minutes')`);
    await database.query(`insert into used_token values
      ('token expired', svc_now() - interval '11 minutes'), ('token of a slow clock', svc_now() - interval '2 minutes')`);
    await database.query(`insert into room values
      ('room left', 'ann', svc_now() - interval '25 hours'), ('room used', 'ann', svc_now() - interval '23 hours')`);
    const before = await namesLeft(database);
    const stop = startPurges({ database, statements: STATEMENTS, clock, report: assert.ifError });
    clock.advance(59_999);
    assert.deepEqual(await namesLeft(database), before);
    clock.advance(1);
    await stop();
    assert.deepEqual(await namesLeft(database), ['room used', 'token of a slow clock', 'window open']);
    await databaseClock.advance(48 * 3_600_000);
    clock.advance(600_000);
    assert.equal((await namesLeft(database)).length, 3, 'a purge after the stop');
  });

  it('report what fails, go on with the next statement, and try again a minute later', async () => {
    const database = await databases.open();
    const clock = new ManualClock();
    const reports: unknown[] = [];
    const asked: string[] = [];
    const watched: Queries = {
      query: (text, values) => {
        asked.push(text);
        return database.query(text, values);
      },
    };
    const statements = ['delete from nothing_there', PURGE_ROOMS];
    const stop = startPurges({ database: watched, statements, clock, report: (error) => reports.push(error) });
    clock.advance(120_000);
    await stop();
    assert.deepEqual(asked, [...statements, ...statements]);
    assert.equal(reports.length, 2);
    assert.equal((reports[0] as { code?: string }).code, '42P01'); // undefined_table
  });
});
