import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { LeaseStore } from '../../src/session/lease-store.js';
import type { SocketLeases } from '../../src/session/socket-leases.js';
import type { Database } from '../../src/store/database.js';
import { describeOnEveryDatabase } from '../support/every-database.js';
import { HEARTBEAT_MS, LeaseWorld, unreliable } from '../support/lease-world.js';
import { countTransactions, lockAccounts } from '../support/transactions.js';

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
