import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { SLICE_MS } from '../../src/session/credit-shares.js';
import type { SocketLeases } from '../../src/session/socket-leases.js';
import type { Database } from '../../src/store/database.js';
import { openPatiently } from '../support/open-database.js';
import { describeOnOneDatabase } from '../support/every-database.js';
import { HeldLock } from '../support/held-lock.js';
import { HEARTBEAT_MS, LeaseWorld, patient, unreliable, type ObedientSocket } from '../support/lease-world.js';
import { createDatabase } from '../support/postgres.js';
import { NO_POSTGRES } from '../support/postgres-server.js';

/** Time after which a lease that is not renewed has expired, in milliseconds. */
const LEASE_MS = 2 * HEARTBEAT_MS;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Opens sockets, and asserts that they are admitted. */
async function openMany(world: LeaseWorld, nodes: readonly SocketLeases[]): Promise<ObedientSocket[]> {
  const sockets = [];
  for (const node of nodes) sockets.push(await world.openObedient(node, 'ann'));
  return sockets.map((socket) => socket ?? assert.fail('A socket was refused.'));
}

describeOnOneDatabase('Credit over several nodes', (databases) => {
  let database: Database;
  let world: LeaseWorld;
  let one: SocketLeases;
  let two: SocketLeases;

  before(async () => {
    database = await databases.open();
  });
  beforeEach(async () => {
    world = await LeaseWorld.create(database, 20);
    [one, two] = [world.addNode('one'), world.addNode('two')];
  });
  afterEach(async () => {
    assert.deepEqual([await world.unbalanced(), await world.overbooked()], [0, 0]);
    assert.deepEqual(world.reports, []);
  });

  it('buys as many seconds of sockets as there are credits', async () => {
    await world.addAccount('ann', 4000);
    const sockets = await openMany(world, [one, two, one, two]);
    await world.pass(10_000);
    assert.ok(sockets.every((socket) => !socket.isOpen()));
    assert.equal(sum(sockets.map((socket) => socket.openMs())), 4000);
    assert.equal(sum(await world.charges('ann')), 4000);
    assert.equal(await world.balance('ann'), 0);
  });

  it('buys one second more for each node at most if its answers take half a second', async () => {
    await world.addAccount('ann', 4000);
    const nodes = [world.addNode('slow', database, 0, 500), world.addNode('slow, too', database, 0, 500)];
    const opening = [...nodes, ...nodes].map((node) => world.openObedient(node, 'ann'));
    await world.answered();
    await world.pass(2 * 500); // claims of a node wait for each other
    const sockets = await Promise.all(opening);
    await world.pass(10_000);
    assert.ok(sockets.every((socket) => !socket?.isOpen()));
    assert.ok(sum(sockets.map((socket) => socket?.openMs() ?? 0)) <= 4000 + nodes.length * SLICE_MS);
    assert.equal(await world.balance('ann'), 0);
  });

  it('refuses a socket whose credit others have reserved', async () => {
    await world.addAccount('ann', 1500);
    await openMany(world, [one, two]);
    assert.equal(await world.openObedient(two, 'ann'), null);
  });

  it('gives back what a socket has not used when it closes', async () => {
    await world.addAccount('ann', 1000);
    const [first] = await openMany(world, [one]);
    await world.pass(300);
    assert.equal(await world.openObedient(two, 'ann'), null);
    first!.close();
    await world.answered();
    const [second] = await openMany(world, [two]);
    await world.pass(1000);
    assert.deepEqual([second!.isOpen(), second!.openMs()], [false, 700]);
  });

  it('gives back what a dead node has reserved when its leases expire, and not before', async () => {
    await world.addAccount('ann', 1500);
    await openMany(world, [one, one]);
    world.kill(one);
    await world.advance(LEASE_MS - 1);
    assert.equal(await world.openObedient(two, 'ann'), null);
    await world.advance(1);
    const [socket] = await openMany(world, [two]);
    await world.pass(2000);
    assert.deepEqual([socket!.isOpen(), socket!.openMs()], [false, 1500]);
  });

  it('leaves a socket open while another one gives credit back', async () => {
    await world.addAccount('ann', 2000);
    const [first, second] = await openMany(world, [one, two]);
    await world.pass(100);
    first!.close();
    await world.pass(1750);
    assert.equal(second!.isOpen(), true);
    await world.pass(50);
    assert.deepEqual([second!.isOpen(), second!.openMs()], [false, 1900]);
  });

  it('uses new credits of an account that has nearly none', async () => {
    await world.addAccount('ann', 1000);
    const [socket] = await openMany(world, [one]);
    await database.query(`insert into ledger (account_id, kind, amount_ms) values ('ann', 'grant', 5000)`);
    await database.query('update account set balance_ms = balance_ms + 5000');
    await world.pass(5950);
    assert.equal(socket!.isOpen(), true);
    await world.pass(50);
    assert.equal(socket!.isOpen(), false);
  });

  it('asks the database no more often than at heartbeats while there are many credits', async () => {
    await world.addAccount('ann', 10_000_000);
    let transactions = 0;
    const node = world.addNode('counted', {
      query: (text, values) => database.query(text, values),
      close: () => database.close(),
      transaction(work) {
        transactions++;
        return database.transaction(work);
      },
    });
    await openMany(world, [node]);
    await world.pass(1000);
    await openMany(world, [node, node, node]);
    transactions = 0;
    await world.pass(10 * HEARTBEAT_MS);
    assert.equal(transactions, 10);
  });

  it('closes sockets when the credits that were left are used up while the database is away', async () => {
    await world.addAccount('ann', 20_000);
    let away = false;
    const node = world.addNode(
      'cut off',
      unreliable(database, () => away),
    );
    const [socket] = await openMany(world, [node]);
    await world.pass(HEARTBEAT_MS);
    away = true;
    await world.pass(20_000 - HEARTBEAT_MS - 50);
    assert.equal(socket!.isOpen(), true);
    await world.pass(50);
    assert.deepEqual([socket!.isOpen(), socket!.openMs()], [false, 20_000]);
    away = false;
    await world.pass(HEARTBEAT_MS);
    assert.deepEqual(await world.charges('ann'), [20_000]);
    assert.ok(world.reports.splice(0).length > 0);
  });

  it(
    'never reserves more than the balance, or sells a second twice, whatever happens',
    { timeout: 600_000 },
    async () => {
      const anyNode = fc.integer({ min: 0, max: 2 });
      const anyEvent = fc.oneof(
        { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), node: anyNode }) },
        { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), socket: fc.nat(9) }) },
        {
          weight: 4,
          arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 1500 }) }),
        },
        { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), node: anyNode }) },
      );
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 12_000 }),
          fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 3, maxLength: 3 }),
          fc.array(anyEvent, { maxLength: 25 }),
          async (creditMs, latencies, events) => {
            world = await LeaseWorld.create(database, 20);
            await world.addAccount('ann', creditMs);
            const nodes = latencies.map((latencyMs, index) => world.addNode(`node ${index}`, database, 0, latencyMs));
            const dead = new Set<SocketLeases>();
            const sockets: ObedientSocket[] = [];
            const check = async (): Promise<void> =>
              assert.deepEqual([await world.unbalanced(), await world.overbooked()], [0, 0]);
            for (const event of events) {
              if (event.do === 'pass') await world.pass(event.ms);
              else if (event.do === 'close') sockets[event.socket]?.close();
              else if (dead.has(nodes[event.node]!)) continue;
              else if (event.do === 'open') {
                void world.openObedient(nodes[event.node]!, 'ann').then((socket) => socket && sockets.push(socket));
              } else {
                world.kill(nodes[event.node]!);
                dead.add(nodes[event.node]!);
              }
              await check();
            }
            // Even a single socket uses up all credits in this time.
            for (let leftMs = creditMs + 2000; leftMs > 0; leftMs -= SLICE_MS / 4) {
              await world.pass(SLICE_MS / 4);
              await check();
            }
            const alive = sockets.filter(({ node }) => !dead.has(node));
            assert.ok(alive.every((socket) => !socket.isOpen()));
            const charged = new Map(
              (
                await database.query<{ session_id: string; ms: number }>(
                  `select session_id, -amount_ms as ms from ledger where kind = 'usage'`,
                )
              ).map((row) => [row.session_id, row.ms]),
            );
            // The last seconds of a dead node are free, because no node is left to bill them.
            const usedMs = sockets.map((socket) =>
              dead.has(socket.node) ? charged.get(socket.sessionId)! : socket.openMs(),
            );
            // Exact, because every answer, even after that to an earlier request, arrives before the reserved credit is
            // used up. For slower answers, see above.
            assert.ok(sum(usedMs) <= creditMs, `${sum(usedMs)} ms for ${creditMs}`);
            for (const socket of sockets) assert.ok(charged.get(socket.sessionId)! <= socket.openMs());
            assert.deepEqual(world.reports, []);
          },
        ),
        { numRuns: process.env.SVC_LONG ? 300 : 12 },
      );
    },
  );
});

describe('Credit over several nodes, at the same moment', { skip: NO_POSTGRES }, () => {
  it('is reserved once, in whichever order nodes get at the account', async () => {
    const databaseUrl = await createDatabase();
    const database = patient(await openPatiently(databaseUrl));
    try {
      const world = await LeaseWorld.create(database, 20);
      await world.addAccount('ann', 1000);
      const lock = await HeldLock.take(databaseUrl, `select 1 from account for update`);
      const opening = ['one', 'two', 'three'].map((name) => world.openObedient(world.addNode(name), 'ann'));
      await lock.waiters(3);
      await lock.release();
      const sockets = (await Promise.all(opening)).filter((socket) => socket !== null);
      assert.equal(sockets.length, 1);
      await world.pass(2000);
      assert.equal(sockets[0]!.openMs(), 1000);
    } finally {
      await database.close();
    }
  });

  it('is reserved once when the nodes ask for more at the same moment', async () => {
    const databaseUrl = await createDatabase();
    const database = patient(await openPatiently(databaseUrl));
    try {
      const world = await LeaseWorld.create(database, 20);
      await world.addAccount('ann', 3000);
      const sockets = await openMany(world, [world.addNode('one'), world.addNode('two')]);
      const lock = await HeldLock.take(databaseUrl, `select 1 from account for update`);
      await world.advance(SLICE_MS / 2); // when each asks for its next slice
      await lock.waiters(2);
      await lock.release();
      await world.answered();
      assert.equal(await world.overbooked(), 0);
      await world.pass(3000);
      assert.equal(sum(sockets.map((socket) => socket.openMs())), 3000);
    } finally {
      await database.close();
    }
  });
});
