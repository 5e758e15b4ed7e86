import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, it, type TestContext } from 'node:test';
import { LeaseStore } from '../../src/session/lease-store.js';
import type { Database } from '../../src/store/database.js';
import { describeOnEveryDatabase } from '../support/every-database.js';
import { LeaseWorld, unreliable } from '../support/lease-world.js';
import { countTransactions, lockAccounts } from '../support/transactions.js';

/** Credits that no test uses up, in milliseconds. */
const PLENTY_MS = 1_000_000;

describeOnEveryDatabase('LeaseClaims', (databases) => {
  let database: Database;
  let world: LeaseWorld;

  before(async () => {
    database = await databases.open();
  });
  beforeEach(async () => {
    world = await LeaseWorld.create(database, 3);
    await world.addAccount('ann', PLENTY_MS);
  });
  afterEach(async () => assert.equal(await world.overbooked(), 0));

  it('lets claims of one account use one connection', async () => {
    const counts = { all: 0, mostAtOnce: 0 };
    const store = new LeaseStore(countTransactions(database, counts), 60_000, 3);
    const claim = { accountId: 'ann', keyId: 'key-ann', node: 'x', premium: false, takesSlot: true };
    const grants = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.claim({ ...claim, sessionId: `one-${index}` })),
    );
    assert.equal(grants.filter(({ granted }) => granted).length, 3);
    assert.equal(counts.mostAtOnce, 1);
  });

  it('decides claims of many accounts together, each by its own account, key and plan', async () => {
    await world.addAccount('bob', PLENTY_MS);
    await world.addAccount('sue', PLENTY_MS, 'starter');
    const busy = ['busy-1', 'busy-2', 'busy-3', 'busy-4'];
    for (const id of busy) await world.addAccount(id, PLENTY_MS);
    await database.query(`update api_key set revoked_at = now() where id = 'key-bob'`);
    const counts = { all: 0, mostAtOnce: 0 };
    const store = new LeaseStore(countTransactions(database, counts), 60_000, 2);
    const claim = (accountId: string, sessionId: string, change = {}) =>
      store.claim({
        accountId,
        keyId: `key-${accountId}`,
        node: 'x',
        premium: false,
        takesSlot: true,
        sessionId,
        ...change,
      });
    const alone = Promise.all(busy.map((id) => claim(id, id, { takesSlot: false })));
    alone.catch(() => {});
    const grants = await Promise.all([
      claim('ann', 'a1'),
      claim('ann', 'a2'),
      claim('ann', 'a3'),
      claim('ann', 'a4', { takesSlot: false }),
      claim('ann', 'a1', { takesSlot: false }),
      claim('ann', 'a5'), // takes the slot of the first
      claim('ann', 'a6', { keyId: 'key-sue' }),
      claim('bob', 'b1'),
      claim('sue', 's1', { premium: true }),
      claim('sue', 's2'),
    ]);
    assert.deepEqual(
      grants.map((grant) => (grant.granted ? 'granted' : grant.refusal)),
      [
        'granted',
        'granted',
        'too-many-sockets',
        'granted',
        'granted',
        'granted',
        'key-revoked',
        'key-revoked',
        'voice-refused',
        'granted',
      ],
    );
    const leases = await database.query<{ id: string; slot: boolean }>(
      `select session_id as id, holds_slot as slot from lease where length(session_id) = 2 order by session_id`,
    );
    assert.deepEqual(
      leases.map(({ id, slot }) => `${id}${slot ? ' with a slot' : ''}`),
      ['a1', 'a2 with a slot', 'a4', 'a5 with a slot', 's2 with a slot'],
    );
    await alone;
    assert.equal(counts.all, busy.length + 2); // the first claim, and the others
    assert.deepEqual(await claim('nobody', 'n1'), { granted: false, refusal: 'key-revoked' });
  });

  it('never reserves more than there is for claims that are decided together', async () => {
    await world.addAccount('sue', 2500);
    const store = new LeaseStore(database, 60_000, 10);
    const claim = { accountId: 'sue', keyId: 'key-sue', node: 'x', premium: false, takesSlot: true };
    const grants = await Promise.all(
      Array.from({ length: 5 }, (_, index) => store.claim({ ...claim, sessionId: `few-${index}` })),
    );
    assert.deepEqual(
      grants.map((grant) => (grant.granted ? grant.reservedMs : grant.refusal)),
      [1000, 1000, 500, 'out-of-credits', 'out-of-credits'],
    );
  });

  it('lets claims of a locked account wait with one connection, and others go on', async (t: TestContext) => {
    if (!databases.allowsLocks) return t.skip('the embedded database does one thing at a time');
    const others = ['bob', 'cat', 'dan', 'eve', 'fay'];
    for (const id of others) await world.addAccount(id, PLENTY_MS);
    const counts = { all: 0, mostAtOnce: 0 };
    const store = new LeaseStore(countTransactions(database, counts), 60_000, 3);
    const claim = (accountId: string, sessionId: string) =>
      store.claim({ accountId, keyId: `key-${accountId}`, node: 'x', premium: false, takesSlot: true, sessionId });
    const unlock = await lockAccounts(database, 'ann');
    const granted = Promise.all(others.map((id) => claim(id, id)));
    const ofAnn = Promise.all(Array.from({ length: 10 }, (_, index) => claim('ann', `ann-${index}`)));
    assert.ok((await granted).every((grant) => grant.granted));
    assert.ok((await claim('bob', 'bob-2')).granted);
    const later = claim('ann', 'ann-10');
    await unlock();
    assert.equal((await ofAnn).filter((grant) => grant.granted).length, 3);
    assert.equal((await later).granted, false);
    assert.ok(counts.mostAtOnce <= 5, String(counts.mostAtOnce)); // four alone, and one that others share
  });

  it('lets many locked accounts take no more connections, and grants each once it is unlocked', async (t: TestContext) => {
    if (!databases.allowsLocks) return t.skip('the embedded database does one thing at a time');
    const locked = Array.from({ length: 8 }, (_, index) => `locked-${index}`);
    for (const id of ['bob', ...locked]) await world.addAccount(id, PLENTY_MS);
    const counts = { all: 0, mostAtOnce: 0 };
    const store = new LeaseStore(countTransactions(database, counts), 60_000, 1);
    const claim = (accountId: string, sessionId: string) =>
      store.claim({ accountId, keyId: `key-${accountId}`, node: 'x', premium: false, takesSlot: true, sessionId });
    const [unlockFirst, unlockLast] = [
      await lockAccounts(database, ...locked.slice(0, 7)),
      await lockAccounts(database, locked[7]!),
    ];
    const claims = locked.flatMap((id) => [claim(id, `${id}-a`), claim(id, `${id}-b`)]);
    assert.ok((await claim('bob', 'bob')).granted);
    await unlockLast();
    const outcomes = async (from: number) =>
      (await Promise.all(claims.slice(from))).map((grant) => (grant.granted ? 'granted' : grant.refusal));
    assert.deepEqual(await outcomes(14), ['granted', 'too-many-sockets']);
    await unlockFirst();
    assert.deepEqual(
      await outcomes(0),
      locked.flatMap(() => ['granted', 'too-many-sockets']),
    );
    assert.ok(counts.mostAtOnce <= 5, String(counts.mostAtOnce));
  });

  it('pauses between attempts at locked accounts, and gives up after ten seconds', async (t: TestContext) => {
    if (!databases.allowsLocks) return t.skip('the embedded database does one thing at a time');
    const ids = Array.from({ length: 110 }, (_, index) => `locked-${index}`);
    for (const id of ids) await world.addAccount(id, PLENTY_MS);
    const counts = { all: 0, mostAtOnce: 0 };
    let nowMs = 0;
    const pauses: (() => void)[] = [];
    const clock = {
      now: () => nowMs,
      elapsed: () => nowMs,
      after: (_delayMs: number, resume: () => void) => (pauses.push(resume), () => {}),
    };
    const store = new LeaseStore(countTransactions(database, counts), 60_000, 1, undefined, clock);
    const claim = (id: string) =>
      store.claim({ accountId: id, keyId: `key-${id}`, node: 'x', premium: false, takesSlot: true, sessionId: id });
    const unlock = await lockAccounts(database, ...ids);
    const claims = Promise.allSettled(ids.slice(0, 109).map(claim));
    await world.eventually(() => pauses.length === 1);
    assert.equal(counts.all, 7); // four alone, the fifth claim, and two with up to 100 claims
    nowMs = 9000;
    const last = claim(ids[109]!);
    nowMs = 10_000;
    pauses[0]!();
    await world.eventually(() => pauses.length === 2);
    await unlock();
    pauses[1]!();
    assert.equal((await last).granted, true);
    const outcomes = (await claims).map((outcome) =>
      outcome.status === 'fulfilled' ? 'granted' : outcome.reason.code,
    );
    assert.deepEqual(outcomes, [...Array(4).fill('granted'), ...Array(105).fill('55P03')]);
  });

  it('keeps the reservation of a valid lease that is claimed again, also among many claims', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `many-${index}`);
    for (const id of ids) await world.addAccount(id, 3000);
    const store = new LeaseStore(database, 60_000, 1);
    const claimAll = () =>
      Promise.all(
        ids.map((id) =>
          store.claim({ accountId: id, keyId: `key-${id}`, node: 'x', premium: false, takesSlot: true, sessionId: id }),
        ),
      );
    const expected = ids.map(() => ({ granted: true, reservedMs: 1000, spareMs: 2000 }));
    assert.deepEqual(await claimAll(), expected);
    assert.deepEqual(await claimAll(), expected);
  });

  it('fails claims that wait for one that fails, and no later ones', async () => {
    let away = true;
    const store = new LeaseStore(
      unreliable(database, () => away),
      60_000,
      3,
    );
    const claim = { accountId: 'ann', keyId: 'key-ann', node: 'x', premium: false, takesSlot: true };
    const claims = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => store.claim({ ...claim, sessionId: `lost-${index}` })),
    );
    assert.deepEqual(new Set(claims.map(({ status }) => status)), new Set(['rejected']));
    away = false;
    assert.equal((await store.claim({ ...claim, sessionId: 'later' })).granted, true);
  });
});
