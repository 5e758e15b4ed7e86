import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { PURGE_IDEMPOTENCY_KEYS } from '../../src/account/idempotency.js';
import type { Database } from '../../src/store/database.js';
import { DatabaseClock } from '../support/database-clock.js';
import { describeOnOneDatabase } from '../support/every-database.js';
import { host } from '../support/host.js';
import { ADMIN_TOKEN, adminClient, type AdminAnswer } from './admin-client.js';

describeOnOneDatabase('Idempotency-Key', ({ open }) => {
  let database: Database;
  let clock: DatabaseClock;
  let ask: ReturnType<typeof adminClient>;
  before(async () => {
    database = await open();
    clock = await DatabaseClock.stop(database);
    ask = adminClient((await host({ database, adminToken: ADMIN_TOKEN, logLevel: 'error' })).service.url);
  });

  const authorized = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const refusal = ({ status, body }: AdminAnswer): [number, string] => [status, body.detail as string];

  it('gives credits once for each Idempotency-Key, however often and on whichever node it is asked', async () => {
    await ask('POST', '/keys', { user: 'ida', credits: 1 });
    const other = await host({ database, adminToken: ADMIN_TOKEN, logLevel: 'error' });
    const nodes = [ask, adminClient(other.service.url)];
    const give = (key: string, credits: number, node = 0): Promise<AdminAnswer> =>
      nodes[node]!('POST', '/users/ida/credits', { credits }, { ...authorized, 'idempotency-key': key });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => give('one', 10, index % 2)));
    for (const { status, body } of answers) assert.deepEqual([status, body], [200, { user: 'ida', credits: 11 }]);
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    assert.equal(replayed.length, 7);
    assert.deepEqual((await give('two', 10)).body, { user: 'ida', credits: 21 });
    assert.deepEqual((await give('one', 10)).body, { user: 'ida', credits: 11 });
    assert.deepEqual(refusal(await give('one', 11)), [
      422,
      'The Idempotency-Key belongs to an earlier, different request: take a new key for each change.',
    ]);

    await clock.advance(24 * 3_600_000 - 1);
    await database.query(PURGE_IDEMPOTENCY_KEYS);
    assert.equal((await give('two', 10)).headers.get('idempotency-replayed'), 'true');
    await clock.advance(1);
    await database.query(PURGE_IDEMPOTENCY_KEYS);
    assert.deepEqual((await give('two', 10)).body, { user: 'ida', credits: 31 });
  });

  it('keeps no Idempotency-Key of a request that was refused', async () => {
    const give = (user: string): Promise<AdminAnswer> =>
      ask('POST', `/users/${user}/credits`, { credits: 1 }, { ...authorized, 'idempotency-key': 'later' });
    assert.equal((await give('ivo')).status, 404);
    await ask('POST', '/keys', { user: 'ivo', credits: 0 });
    assert.deepEqual((await give('ivo')).body, { user: 'ivo', credits: 1 });
  });

  it('makes one key for each Idempotency-Key, and stores no secret for it', async () => {
    const make = (): Promise<AdminAnswer> =>
      ask('POST', '/keys', { credits: 5 }, { ...authorized, 'idempotency-key': 'make' });
    const made = await make();
    assert.equal(made.status, 201);
    const [status, detail] = refusal(await make());
    assert.equal(status, 409);
    assert.ok(detail.includes(made.body.id) && detail.includes(made.body.user), detail);
    assert.equal((await ask('GET', `/keys?user=${made.body.user}`)).body.keys.length, 1);
    const stored = JSON.stringify(await database.query('select * from idempotency_key'));
    assert.ok(!stored.includes(made.body.key));
  });

  it('refuses an Idempotency-Key that is none', async () => {
    for (const key of ['', ' ', 'a b', 'a, b', 'x'.repeat(256), '\u00e9']) {
      const answer = await ask('POST', '/users/ida/credits', { credits: 1 }, { ...authorized, 'idempotency-key': key });
      assert.deepEqual(refusal(answer), [
        422,
        'idempotency-key must be one value of 1 to 255 visible ASCII characters, such as a UUID',
      ]);
    }
  });
});
