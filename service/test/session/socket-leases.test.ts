import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { LeaseStore } from '../../src/session/lease-store.js';
import type { SocketLeases } from '../../src/session/socket-leases.js';
import type { Database } from '../../src/store/database.js';
import { describeOnEveryDatabase } from '../support/every-database.js';
import { HEARTBEAT_MS, LeaseWorld, unreliable } from '../support/lease-world.js';

/** Credits that no test uses up, in milliseconds. */
const PLENTY_MS = 1_000_000;

describeOnEveryDatabase('SocketLeases', (databases) => {
  let database: Database;
  let world: LeaseWorld;
  let node: SocketLeases;

  before(async () => {
    database = await databases.open();
  });
  beforeEach(async () => {
    world = await LeaseWorld.create(database, 3);
    await world.addAccount('ann', PLENTY_MS);
    node = world.addNode('one');
  });
  afterEach(async () => assert.equal(await world.unbalanced(), 0));

  it('charges what a socket was open, to the millisecond', async () => {
    const { lease } = await world.mustOpen(node, 'ann');
    await world.advance(1234.7);
    await lease.release();
    assert.deepEqual(await world.charges('ann'), [1234]);
    assert.equal(await world.balance('ann'), PLENTY_MS - 1234);
  });

  it('loses no fraction of a millisecond between heartbeats', async () => {
    const { lease } = await world.mustOpen(node, 'ann');
    for (let beat = 0; beat < 3; beat++) await world.settlement(node, () => world.advance(HEARTBEAT_MS + 0.4));
    await lease.release();
    assert.deepEqual(await world.charges('ann'), [3 * HEARTBEAT_MS + 1]);
  });

  it('charges a socket that is released twice once', async () => {
    const { lease } = await world.mustOpen(node, 'ann');
    await world.advance(100);
    await Promise.all([lease.release(), lease.release()]);
    await world.advance(100);
    await lease.release();
    assert.deepEqual(await world.charges('ann'), [100]);
  });

  it('charges while sockets are open, so that a node that dies owes no more than since its last heartbeat', async () => {
    await world.mustOpen(node, 'ann');
    await world.settlement(node, () => world.advance(HEARTBEAT_MS));
    await world.advance(HEARTBEAT_MS - 1);
    world.kill(node);
    assert.deepEqual(await world.charges('ann'), [HEARTBEAT_MS]);
  });

  it('frees the slots of a node that died after two heartbeats, and not before', async () => {
    const other = world.addNode('two');
    for (let count = 0; count < 3; count++) await world.mustOpen(node, 'ann');
    world.kill(node);
    await world.advance(2 * HEARTBEAT_MS - 1);
    assert.equal(await world.open(other, 'ann'), 'too-many-sockets');
    await world.advance(1);
    await world.mustOpen(other, 'ann');
  });

  it('keeps leases as long as it lives', async () => {
    for (let count = 0; count < 3; count++) await world.mustOpen(node, 'ann');
    for (let beat = 0; beat < 5; beat++) await world.settlement(node, () => world.advance(HEARTBEAT_MS));
    assert.equal(await world.open(world.addNode('two'), 'ann'), 'too-many-sockets');
  });

  it('holds the ceiling exactly when many ask at once, on two nodes', async () => {
    const nodes = [node, world.addNode('two')];
    const asked = Array.from({ length: 60 }, (_, index) => world.open(nodes[index % 2]!, 'ann'));
    const granted = (await Promise.all(asked)).filter((answer) => typeof answer !== 'string');
    assert.equal(granted.length, 3);
  });

  it('counts each account for itself', async () => {
    await world.addAccount('bob', PLENTY_MS);
    for (let count = 0; count < 3; count++) await world.mustOpen(node, 'ann');
    await world.mustOpen(node, 'bob');
  });

  it('takes the ceiling of the plan if there is no other', async () => {
    await world.addAccount('sue', PLENTY_MS, 'starter');
    const store = new LeaseStore(database, 1000);
    const claim = { accountId: 'sue', keyId: 'key-sue', node: 'x', premium: false, takesSlot: true };
    const grants = [];
    for (let count = 0; count < 7; count++) grants.push(await store.claim({ ...claim, sessionId: `s${count}` }));
    assert.equal(grants.filter(({ granted }) => granted).length, 5); // what the plan starter allows
  });

  it('makes no table grow while it reads meters, however often, and nobody cleans up', async (t: TestContext) => {
    if (databases.allowsLocks) return t.skip('a server keeps old rows while other tests connect to it');
    await world.addAccount('sue', PLENTY_MS * 1000);
    const store = new LeaseStore(database, 60_000, 1000);
    const readings = Array.from({ length: 100 }, (_, index) => ({
      sessionId: `many-${index}`,
      accountId: 'sue',
      premium: false,
      isLast: false,
    }));
    for (const { sessionId } of readings) {
      await store.claim({ accountId: 'sue', keyId: 'key-sue', node: 'x', premium: false, takesSlot: true, sessionId });
    }
    const sizes: number[] = [];
    for (let beat = 1; beat <= 30; beat++) {
      await store.settle(readings.map((reading) => ({ ...reading, totalMs: beat })));
      const [row] = await database.query<{ bytes: string }>(
        `select pg_relation_size('lease') + pg_relation_size('ledger') as bytes`,
      );
      sizes.push(Number(row!.bytes));
    }
    assert.equal(sizes.at(-1), sizes[2], String(sizes));
    await store.settle(readings.map((reading) => ({ ...reading, totalMs: 30, isLast: true })));
  });

  it('postpones the bills of a locked account, and lets others open and pay', async (t: TestContext) => {
    if (!databases.allowsLocks) return t.skip('the embedded database does one thing at a time');
    world.waitsForLocks = false;
    for (const id of ['bob', 'cat']) await world.addAccount(id, PLENTY_MS);
    for (const id of ['ann', 'bob']) await world.mustOpen(node, id);
    const unlock = await lockAccounts(database, 'ann');
    await world.settlement(node, async () => {
      await world.advance(HEARTBEAT_MS);
      await world.mustOpen(node, 'cat');
    });
    assert.deepEqual([await world.charges('ann'), await world.charges('bob')], [[0], [HEARTBEAT_MS]]);
    await unlock();
    await world.settlement(node, () => world.advance(500));
    assert.deepEqual(await world.charges('ann'), [HEARTBEAT_MS + 500]);
    assert.deepEqual(await world.charges('bob'), [HEARTBEAT_MS]); // waits for the next heartbeat
    assert.deepEqual(world.reports, []);
  });

  it('keeps the leases of a locked account', async (t: TestContext) => {
    if (!databases.allowsLocks) return t.skip('the embedded database does one thing at a time');
    world.waitsForLocks = false;
    const sockets = [];
    for (let count = 0; count < 3; count++) sockets.push(await world.mustOpen(node, 'ann'));
    const unlock = await lockAccounts(database, 'ann');
    const claim = { accountId: 'ann', keyId: 'key-ann', node: 'two', premium: false, takesSlot: true };
    const asked = new LeaseStore(database, 4000, 3).claim({ ...claim, sessionId: 'two' }); // waits for the lock
    for (let beat = 0; beat < 4; beat++) {
      await world.advance(HEARTBEAT_MS);
      await world.answered();
    }
    await unlock();
    assert.deepEqual(await asked, { granted: false, refusal: 'too-many-sockets' });
    await world.pass(HEARTBEAT_MS);
    await Promise.all(sockets.map(({ lease }) => lease.release()));
    assert.deepEqual(
      await world.charges('ann'),
      Array.from({ length: 3 }, () => 5 * HEARTBEAT_MS),
    );
    assert.deepEqual(
      sockets.flatMap(({ refusals }) => refusals),
      [],
    );
  });

  it('settles the other accounts together beside a locked one', async (t: TestContext) => {
    if (!databases.allowsLocks) return t.skip('the embedded database does one thing at a time');
    const ids = ['ann', 'bob', 'cat', 'dan'];
    for (const id of ids.slice(1)) await world.addAccount(id, PLENTY_MS);
    const counts = { all: 0, mostAtOnce: 0 };
    const store = new LeaseStore(countTransactions(database, counts), 60_000, 3);
    for (const accountId of ids) {
      await store.claim({
        accountId,
        keyId: `key-${accountId}`,
        node: 'x',
        premium: false,
        takesSlot: true,
        sessionId: accountId,
      });
    }
    const readings = ids.map((accountId) => ({
      accountId,
      sessionId: accountId,
      premium: false,
      isLast: false,
      totalMs: 7,
    }));
    const unlock = await lockAccounts(database, 'bob');
    counts.all = 0;
    const settlements = await store.settle(readings);
    await unlock();
    assert.deepEqual(
      settlements.map(({ sessionId }) => sessionId),
      ['ann', 'cat', 'dan'],
    );
    assert.equal(counts.all, 2);
  });

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

  it('gives a slot to another socket once it was freed, and the meter runs on', async () => {
    const sockets = [];
    for (let count = 0; count < 3; count++) sockets.push(await world.mustOpen(node, 'ann'));
    await sockets[0]!.lease.freeSlot();
    await world.mustOpen(node, 'ann');
    await world.settlement(node, () => world.advance(HEARTBEAT_MS));
    assert.deepEqual(await world.charges('ann'), [HEARTBEAT_MS, HEARTBEAT_MS, HEARTBEAT_MS, HEARTBEAT_MS]);
  });

  it('takes a slot again that is free, and tells if there is none', async () => {
    const [first, second] = [await world.mustOpen(node, 'ann'), await world.mustOpen(node, 'ann')];
    await Promise.all([first.lease.freeSlot(), second.lease.freeSlot()]);
    for (let count = 0; count < 2; count++) await world.mustOpen(node, 'ann');
    assert.equal(await first.lease.takeSlot(), true);
    assert.equal(await world.slots('ann'), 3);
    assert.equal(await second.lease.takeSlot(), false);
    assert.deepEqual([...first.refusals, ...second.refusals], []);
    await first.lease.freeSlot();
    assert.equal(await second.lease.takeSlot(), true);
  });

  it('keeps a slot that is wanted again before it was given back', async () => {
    const { lease } = await world.mustOpen(node, 'ann');
    await Promise.all([lease.freeSlot(), lease.takeSlot()]);
    for (let count = 0; count < 2; count++) await world.mustOpen(node, 'ann');
    assert.equal(await world.open(node, 'ann'), 'too-many-sockets');
  });

  it('asks a socket to close at the moment at which the credits are used up', async () => {
    await world.addAccount('poor', 2 * HEARTBEAT_MS + 500);
    const { lease, refusals } = await world.mustOpen(node, 'poor');
    await world.settlement(node, () => world.advance(HEARTBEAT_MS));
    await world.settlement(node, () => world.advance(HEARTBEAT_MS));
    assert.deepEqual(refusals, []);
    await world.settlement(node, () => world.advance(500));
    assert.deepEqual(new Set(refusals), new Set(['out-of-credits']));
    await world.advance(30);
    await lease.release();
    assert.equal(await world.balance('poor'), 0);
    assert.deepEqual(await world.charges('poor'), [2 * HEARTBEAT_MS + 500]);
    assert.equal(await world.open(node, 'poor'), 'out-of-credits');
  });

  it('never takes more than there is, however many sockets and nodes use it up', async () => {
    await world.addAccount('poor', 5000);
    const other = world.addNode('two');
    const sockets = [
      await world.mustOpen(node, 'poor'),
      await world.mustOpen(node, 'poor'),
      await world.mustOpen(other, 'poor'),
    ];
    await world.advance(HEARTBEAT_MS);
    await world.advance(HEARTBEAT_MS);
    await Promise.all(sockets.map(({ lease }) => lease.release()));
    assert.equal(await world.balance('poor'), 0);
    assert.equal(
      (await world.charges('poor')).reduce((sum, ms) => sum + ms),
      5000,
    );
  });

  it('refuses an account without a plan, and one without the plan for a premium voice', async () => {
    await world.addAccount('none', PLENTY_MS, 'none');
    await world.addAccount('sue', PLENTY_MS, 'starter');
    assert.equal(await world.open(node, 'none'), 'out-of-credits');
    assert.equal(await world.open(node, 'sue', true), 'voice-refused');
    assert.equal(typeof (await world.open(node, 'ann', true)), 'object');
  });

  it('refuses a key that was revoked, and tells its open sockets to close', async () => {
    const { refusals } = await world.mustOpen(node, 'ann');
    await database.query('update api_key set revoked_at = svc_now()');
    assert.equal(await world.open(node, 'ann'), 'key-revoked');
    await world.settlement(node, () => world.advance(HEARTBEAT_MS));
    assert.deepEqual(refusals, ['key-revoked']);
  });

  it('tells open sockets to close when their plan goes, or no longer has their voice', async () => {
    const plain = await world.mustOpen(node, 'ann');
    const premium = await world.open(node, 'ann', true);
    assert.ok(typeof premium === 'object');
    await database.query(`update account set plan = 'starter'`);
    await world.settlement(node, () => world.advance(HEARTBEAT_MS));
    assert.deepEqual([plain.refusals, premium.refusals], [[], ['voice-refused']]);
    await database.query(`update account set plan = 'none'`);
    await world.settlement(node, () => world.advance(HEARTBEAT_MS));
    assert.deepEqual(plain.refusals, ['out-of-credits']);
  });

  it('finds a slot that this node is about to give back', async () => {
    const sockets = [];
    for (let count = 0; count < 3; count++) sockets.push(await world.mustOpen(node, 'ann'));
    void sockets[0]!.lease.release();
    await world.mustOpen(node, 'ann');
  });

  it('waits a moment for a slot that another node is about to give back', async () => {
    const other = world.addNode('two');
    const patient = world.addNode('patient', database, 400);
    const { lease } = await world.mustOpen(other, 'ann');
    for (let count = 0; count < 2; count++) await world.mustOpen(other, 'ann');
    const opened = world.open(patient, 'ann');
    await lease.release();
    let isOpen = false;
    void opened.then(() => (isOpen = true));
    await world.eventually(async () => {
      await world.advance(100);
      return isOpen;
    });
    assert.equal(typeof (await opened), 'object');
  });

  it('charges the same reading once, however often it is settled', async () => {
    await world.mustOpen(node, 'ann');
    const store = new LeaseStore(database, 1000);
    const reading = { sessionId: 'session-1', accountId: 'ann', premium: false, totalMs: 700, isLast: false };
    await store.settle([reading]);
    await store.settle([reading]);
    await store.settle([{ ...reading, totalMs: 600 }]); // a reading that arrives late
    assert.deepEqual(await world.charges('ann'), [700]);
  });

  it('ends every lease when it stops, and writes the bills', async () => {
    await world.mustOpen(node, 'ann');
    await world.advance(300);
    await world.mustOpen(node, 'ann');
    await world.advance(300);
    await node.close(new AbortController().signal);
    assert.deepEqual(await world.charges('ann'), [600, 300]);
    assert.deepEqual(await database.query('select * from lease'), []);
  });

  it('deletes the leases of closed sockets, and those of nodes that died', async () => {
    const { lease } = await world.mustOpen(node, 'ann');
    const dead = world.addNode('dead');
    await world.mustOpen(dead, 'ann');
    world.kill(dead);
    await lease.release();
    await world.advance(2 * HEARTBEAT_MS);
    await new LeaseStore(database, 1000).sweep();
    assert.deepEqual(await database.query('select * from lease'), []);
  });

  describe('while the database is away', () => {
    let away = false;
    beforeEach(() => {
      away = false;
      node = world.addNode(
        'three',
        unreliable(database, () => away),
      );
    });

    it('keeps sockets open, and charges all of it afterwards', async () => {
      const { lease, refusals } = await world.mustOpen(node, 'ann');
      away = true;
      await world.advance(HEARTBEAT_MS);
      await lease.freeSlot();
      away = false;
      await world.settlement(node, () => world.advance(500)); // the time after which it tries again
      assert.deepEqual(await world.charges('ann'), [HEARTBEAT_MS + 500]);
      assert.deepEqual(refusals, []);
      assert.ok(world.reports.length > 0);
    });

    it('charges a socket that was closed meanwhile for the time it was open', async () => {
      const { lease } = await world.mustOpen(node, 'ann');
      await world.advance(300);
      away = true;
      const paid = lease.release();
      await new Promise(setImmediate); // the settlement has failed
      away = false;
      await world.settlement(node, () => world.advance(HEARTBEAT_MS));
      await paid;
      assert.deepEqual(await world.charges('ann'), [300]);
      assert.equal(node.size, 0);
    });

    it('takes a slot again that it lost, if it is still free', async () => {
      const { refusals } = await world.mustOpen(node, 'ann');
      away = true;
      await world.advance(2 * HEARTBEAT_MS);
      away = false;
      await world.settlement(node, () => world.advance(500));
      await world.eventually(async () => (await world.slots('ann')) === 1);
      assert.deepEqual(refusals, []);
      for (let count = 0; count < 2; count++) await world.mustOpen(world.addNode(`more ${count}`), 'ann');
      assert.equal(await world.open(world.addNode('last'), 'ann'), 'too-many-sockets');
    });

    it('tells a socket to close whose slot was taken by another', async () => {
      const { refusals } = await world.mustOpen(node, 'ann');
      away = true;
      await world.advance(2 * HEARTBEAT_MS);
      const other = world.addNode('two');
      for (let count = 0; count < 3; count++) await world.mustOpen(other, 'ann');
      away = false;
      await world.settlement(node, () => world.advance(500));
      await world.eventually(() => refusals.length > 0);
      assert.deepEqual(refusals, ['too-many-sockets']);
    });
  });
});

/** Returns a database that counts its transactions. */
function countTransactions(database: Database, counts: { all: number; mostAtOnce: number }): Database {
  let open = 0;
  return {
    ...database,
    async transaction(work) {
      counts.all++;
      counts.mostAtOnce = Math.max(counts.mostAtOnce, ++open);
      return database.transaction(work).finally(() => open--);
    },
  };
}

/**
 * Locks the rows of accounts, as a transaction that takes long.
 *
 * @returns A function that ends the transaction, and resolves once the rows are unlocked.
 */
async function lockAccounts(database: Database, ...accountIds: string[]): Promise<() => Promise<void>> {
  let unlock = (): void => {};
  const unlocked = new Promise<void>((resolve) => (unlock = resolve));
  let locking: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    locking = database.transaction(async (queries) => {
      await queries.query('select id from account where id = any($1::text[]) for update', [accountIds]);
      resolve();
      await unlocked;
    });
    locking.catch(reject);
  });
  return async () => {
    unlock();
    await locking;
  };
}
