/**
 * Process that renews the leases of one node as the service does, with the service's own `SocketLeases` and SQL, but
 * without sockets, clients or speech. `run.ts` starts one for each node.
 *
 * The first message is a `LeaseNode`. The process sends `ready` when it holds its leases, starts to measure on the
 * message `measure`, and on the message `report` sends a `LeaseReport` and exits.
 */
import { once } from 'node:events';
import { systemClock } from '../../service/src/clock.js';
import { LIMITS } from '../../service/src/limits.js';
import { LOCKED } from '../../service/src/session/lease-claims.js';
import { LeaseStore, type MeterReading, type Settlement } from '../../service/src/session/lease-store.js';
import { HEARTBEATS_PER_LEASE, SocketLeases, type SocketLease } from '../../service/src/session/socket-leases.js';
import { DatabaseError } from '../../service/src/store/database.js';
import { openDatabase } from '../../service/src/store/open-database.js';
import { atOnce, pause } from '../service/jobs/at-once.js';

/** Task of a node. */
export interface LeaseNode {
  readonly databaseUrl: string;
  readonly name: string;
  readonly sockets: number;
  /** Owners of the sockets, assigned at random. */
  readonly owners: readonly { readonly accountId: string; readonly keyId: string }[];
  /** Mean time between two turns of a socket, in seconds; 0 for no turns. In a turn, it takes a slot and returns it. */
  readonly turnSeconds: number;
}

/** Result of a node. */
export interface LeaseReport {
  /** Time that each heartbeat took to settle all sockets, in milliseconds. */
  readonly heartbeatMs: readonly number[];
  /** Intervals between heartbeats, in milliseconds. */
  readonly intervalMs: readonly number[];
  /** Time to take a slot, in milliseconds. */
  readonly slotMs: readonly number[];
  /** Sockets whose lease expired because it was not renewed in time. */
  readonly lost: number;
  /** Settlements and changes of slots that failed. */
  readonly failed: number;
  /** CPU time, in seconds. */
  readonly cpuSeconds: number;
}

const [job] = (await once(process, 'message')) as [LeaseNode];

/** Number of sockets that are opened concurrently. */
const OPENINGS = 4;

let isMeasuring = false;
let lastBeatAt = Number.NaN;
let lost = 0;
let failed = 0;
const heartbeatMs: number[] = [];
const intervalMs: number[] = [];
const slotMs: number[] = [];

class MeasuredStore extends LeaseStore {
  override async settle(readings: readonly MeterReading[]): Promise<Settlement[]> {
    const beganAt = performance.now();
    const settlements = await super.settle(readings);
    // A heartbeat settles all sockets. Other calls settle only those of an account that is short of credit.
    if (isMeasuring && readings.length === job.sockets) {
      heartbeatMs.push(performance.now() - beganAt);
      if (lastBeatAt) intervalMs.push(beganAt - lastBeatAt);
      lastBeatAt = beganAt;
      lost += settlements.filter((settlement) => settlement.lost).length;
    }
    return settlements;
  }
}

const database = await openDatabase({ databaseUrl: job.databaseUrl });
/** Ceiling of an account, and maximum of sockets of an account: never reached. */
const UNLIMITED = 1e9;
const leases = new SocketLeases({
  store: new MeasuredStore(database, HEARTBEATS_PER_LEASE * LIMITS.heartbeatMs, UNLIMITED, UNLIMITED),
  clock: systemClock,
  heartbeatMs: LIMITS.heartbeatMs,
  graceMs: LIMITS.slotGraceMs,
  node: job.name,
  report(error) {
    if (isMeasuring) failed++;
    else console.error(error);
  },
});
// Spread the start, because real nodes do not start at the same moment.
await pause(Math.random() * LIMITS.heartbeatMs);
const sockets: { readonly lease: SocketLease; speaks: boolean }[] = [];
await atOnce(job.sockets, OPENINGS, async (index) => {
  const { accountId, keyId } = job.owners[Math.floor(Math.random() * job.owners.length)]!;
  const owner = { sessionId: `${job.name}-${index}`, accountId, keyId, premium: false };
  const lease = await untilUnlocked(() =>
    leases.acquire(owner, (refusal) => {
      throw new Error(`A socket was refused: ${refusal}.`);
    }),
  );
  if (typeof lease === 'string') throw new Error(`A socket was refused: ${lease}.`);
  sockets.push({ lease, speaks: true });
});
process.on('message', (message) => {
  if (message === 'measure') {
    isMeasuring = true;
    if (job.turnSeconds > 0) takeTurns();
    return;
  }
  const { system, user } = process.cpuUsage(cpu);
  const report: LeaseReport = {
    heartbeatMs,
    intervalMs,
    slotMs,
    lost,
    failed,
    cpuSeconds: (system + user) / 1e6,
  };
  // The leases are not released: the database is dropped.
  process.send!(report, () => process.exit(0));
});
process.on('disconnect', () => process.exit(0));
const cpu = process.cpuUsage();
process.send!('ready');

/** Repeats what fails because other nodes hold the account for too long, as a client does whose socket is refused. */
async function untilUnlocked<T>(acquire: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await acquire();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === LOCKED)) throw error;
    }
  }
}

/** Takes or returns the slot of a random socket in each step. Two steps are one turn of a dialogue. */
function takeTurns(): void {
  const everyMs = (job.turnSeconds * 1000) / (2 * job.sockets);
  let turns = 0;
  const beganAt = performance.now();
  setInterval(() => {
    for (; turns * everyMs < performance.now() - beganAt; turns++) {
      const socket = sockets[Math.floor(Math.random() * sockets.length)]!;
      socket.speaks = !socket.speaks;
      if (!socket.speaks) void socket.lease.freeSlot();
      else {
        const askedAt = performance.now();
        void socket.lease.takeSlot().then(() => slotMs.push(performance.now() - askedAt));
      }
    }
  }, 10);
}
