import { pathToFileURL } from 'node:url';
import type * as Api from '../../service/src/index.js';
import type { Programs } from '../service/programs.js';
import type { LinkSocket } from './link.js';
import type { SpeechService } from './speech-service.js';

/** Error of reading two clocks, each in whole milliseconds. */
const READING_MS = 2;

/**
 * Time before a kill in which the end of a socket may not have been billed, in milliseconds. A heartbeat bills every
 * two seconds, and the end of a socket at once, but the machine may be busy.
 */
const UNBILLED_MS = 20_000;

/** Result of a check of the ledger. Times are sums in seconds. */
export interface Books {
  readonly 'sockets billed': number;
  readonly 'billed s': number;
  /** The limits that the links have measured for the same sockets. */
  readonly 'at least s': number;
  readonly 'at most s': number;
  /** Number of sockets that a kill may have left partly unbilled. They have no lower limit. */
  readonly 'ended by a kill': number;
  readonly faults: readonly string[];
}

interface Bill {
  readonly session: string;
  readonly ms: number;
  readonly node: string;
}

/**
 * Compares the ledger with the sockets of all links: each socket costs the time for which it was open, no other
 * costs anything, no lease is left, and each balance is the sum of its ledger. The service must not run.
 */
export async function checkBooks(
  { cli }: Programs,
  service: SpeechService,
  sockets: readonly LinkSocket[],
): Promise<Books> {
  const { openDatabase } = (await import(new URL('index.js', pathToFileURL(cli)).href)) as typeof Api;
  const database = await openDatabase(service.data);
  const faults: string[] = [];
  const bills = await database.query<Bill>(
    `select session_id as session, -amount_ms as ms, node from ledger where kind = 'usage'`,
  );
  for (const { id } of await database.query<{ id: string }>(
    `select id from account where balance_ms is distinct from
       (select coalesce(sum(amount_ms), 0) from ledger where account_id = account.id)`,
  )) {
    faults.push(`the balance of ${id} is not the sum of its ledger`);
  }
  const leases = await database.query<{ node: string }>(`select node from lease where expires_at > svc_now()`);
  const killed = new Map(service.outages.flatMap(({ from, node }) => (node === null ? [] : [[node, from]])));
  for (const { node } of leases) if (!killed.has(node)) faults.push(`a lease of ${node} is left`);
  await database.close();

  const [known, billed] = [mapBy(sockets, ({ sessionId }) => sessionId), mapBy(bills, ({ session }) => session)];
  for (const { session } of bills) if (!known.has(session)) faults.push(`${session} was billed, but never opened`);
  const sums = { ms: 0, least: 0, most: 0, killed: 0 };
  for (const socket of sockets) {
    const bill = billed.get(socket.sessionId);
    const { least, most, isKilled } = limitsOf(socket, killed.get(bill?.node ?? ''));
    const ms = bill?.ms ?? 0;
    if (!bill && socket.firstFrameAt !== null) faults.push(`${socket.sessionId} has spoken, but has no bill`);
    if (ms < least || ms > most) {
      faults.push(`${socket.sessionId} costs ${ms} ms; it was open for ${least.toFixed(1)} to ${most.toFixed(1)} ms`);
    }
    if (!bill) continue;
    sums.ms += ms;
    sums.least += least;
    sums.most += most;
    sums.killed += Number(isKilled);
  }
  return {
    'sockets billed': bills.length,
    'billed s': sums.ms / 1000,
    'at least s': sums.least / 1000,
    'at most s': sums.most / 1000,
    'ended by a kill': sums.killed,
    faults,
  };
}

/** @param killedAt - Time at which its node was killed, if it was. */
function limitsOf(
  { endedAt, firstFrameAt, leftAt, startedAt }: LinkSocket,
  killedAt: number = Infinity,
): { least: number; most: number; isKilled: boolean } {
  const most = (endedAt ?? Infinity) - startedAt + READING_MS;
  const isKilled = (endedAt ?? Infinity) > killedAt - UNBILLED_MS;
  const isMeasured = firstFrameAt !== null && leftAt !== null && !isKilled;
  return { least: isMeasured ? Math.max(0, leftAt - firstFrameAt - READING_MS) : 0, most, isKilled };
}

function mapBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item> {
  return new Map(items.map((item) => [key(item), item]));
}
