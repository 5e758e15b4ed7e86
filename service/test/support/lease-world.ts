import type { Database, Queries } from '../../src/store/database.js';
import type { LeaseRefusal } from '../../src/session/lease-claims.js';
import { LeaseStore } from '../../src/session/lease-store.js';
import { HEARTBEATS_PER_LEASE, SocketLeases, type SocketLease } from '../../src/session/socket-leases.js';
import { DatabaseClock } from './database-clock.js';
import { ManualClock } from './manual-clock.js';

/** Interval between heartbeats of nodes under test, in milliseconds. */
export const HEARTBEAT_MS = 2000;

/** A socket under test. */
export interface TestSocket {
  readonly lease: SocketLease;
  /** Reasons for which it was asked to close. */
  readonly refusals: LeaseRefusal[];
}

/** A socket that closes on request, as a real one does. */
export interface ObedientSocket {
  readonly sessionId: string;
  readonly node: SocketLeases;
  /** Time that it has been open, in milliseconds. */
  openMs(): number;
  isOpen(): boolean;
  /** Closes it, if it is open. */
  close(): void;
}

/** Time that passes between responses of the database, in milliseconds. */
const STEP_MS = 50;

/** Nodes that share a database. Their clocks and the clock of the database advance together. */
export class LeaseWorld {
  readonly database: Database;
  readonly #databaseClock: DatabaseClock;
  readonly #ceiling: number | undefined;
  readonly #clocks = new Map<SocketLeases, ManualClock>();
  readonly #settled = new Map<SocketLeases, { count: number; wake: () => void }>();
  /** False for a test in which transactions give up when a lock is held. By real time, they might do so in any test. */
  waitsForLocks = true;
  /** Number of database calls of all nodes that have no response yet. */
  #asked = 0;
  readonly reports: unknown[] = [];
  #sockets = 0;

  /** Empties the database, and replaces its clock. */
  static async create(database: Database, ceiling?: number): Promise<LeaseWorld> {
    await database.query('truncate account cascade');
    return new LeaseWorld(database, await DatabaseClock.stop(database), ceiling);
  }

  private constructor(database: Database, clock: DatabaseClock, ceiling: number | undefined) {
    this.database = database;
    this.#databaseClock = clock;
    this.#ceiling = ceiling;
  }

  /** Adds an account with a key `key-<id>`, and credits in milliseconds. */
  async addAccount(id: string, balanceMs: number, plan = 'pro'): Promise<void> {
    await this.database.query('insert into account (id, plan, balance_ms) values ($1, $2, $3)', [id, plan, balanceMs]);
    await this.database.query(`insert into ledger (account_id, kind, amount_ms) values ($1, 'grant', $2)`, [
      id,
      balanceMs,
    ]);
    await this.database.query('insert into api_key (id, account_id, lookup, hash) values ($1, $2, $1, $3)', [
      `key-${id}`,
      id,
      new TextEncoder().encode(id),
    ]);
  }

  /**
   * Adds a node; `database` may wrap the shared database.
   *
   * @param latencyMs - Time that each transaction of the node takes, in milliseconds of its clock.
   */
  addNode(name: string, database: Database = this.database, graceMs = 0, latencyMs = 0): SocketLeases {
    const clock = new ManualClock();
    const settled = { count: 0, wake: () => {} };
    const counted = this.#counted(patient(database, () => this.waitsForLocks));
    const store = latencyMs > 0 ? slow(counted, clock, latencyMs) : counted;
    const node = new SocketLeases({
      store: new LeaseStore(store, HEARTBEATS_PER_LEASE * HEARTBEAT_MS, this.#ceiling),
      clock,
      heartbeatMs: HEARTBEAT_MS,
      graceMs,
      node: name,
      report: (error) => this.reports.push(error),
      onSettled: () => {
        settled.count++;
        settled.wake();
      },
    });
    this.#settled.set(node, settled);
    this.#clocks.set(node, clock);
    return node;
  }

  /** Kills a node: its clock no longer advances. */
  kill(node: SocketLeases): void {
    this.#clocks.delete(node);
  }

  /** Opens a socket, or returns the reason for its refusal. */
  async open(node: SocketLeases, accountId: string, premium = false): Promise<TestSocket | LeaseRefusal> {
    const refusals: LeaseRefusal[] = [];
    const owner = { sessionId: `session-${++this.#sockets}`, accountId, keyId: `key-${accountId}`, premium };
    const lease = await node.acquire(owner, (refusal) => refusals.push(refusal));
    return typeof lease === 'string' ? lease : { lease, refusals };
  }

  /** Opens a socket, and throws if it is refused. */
  async mustOpen(node: SocketLeases, accountId: string): Promise<TestSocket> {
    const socket = await this.open(node, accountId);
    if (typeof socket === 'string') throw new Error(`refused: ${socket}`);
    return socket;
  }

  /** Opens a socket that closes on request; `null` if it was refused. */
  async openObedient(node: SocketLeases, accountId: string): Promise<ObedientSocket | null> {
    const clock = this.#clocks.get(node)!;
    const sessionId = `session-${++this.#sockets}`;
    let closedAt: number | null = null;
    const close = (): void => {
      closedAt ??= clock.elapsed();
      if (typeof lease === 'object') void lease.release();
    };
    const lease = await node.acquire({ sessionId, accountId, keyId: `key-${accountId}`, premium: false }, close);
    if (typeof lease === 'string') return null;
    const openedAt = clock.elapsed();
    return {
      sessionId,
      node,
      openMs: () => (closedAt ?? clock.elapsed()) - openedAt,
      isOpen: () => closedAt === null,
      close,
    };
  }

  /** Advances the time in small steps. After each, nodes get the responses of the database. */
  async pass(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
      await this.advance(Math.min(STEP_MS, leftMs));
      await this.answered();
    }
  }

  /** Resolves when no node waits for the database. */
  async answered(): Promise<void> {
    do await new Promise(setImmediate);
    while (this.#asked > 0);
  }

  #counted(database: Database): Database {
    const count = async <Result>(question: Promise<Result>): Promise<Result> => {
      this.#asked++;
      return question.finally(() => this.#asked--);
    };
    return {
      query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
        count(database.query<Row>(text, values)),
      transaction: async <Result>(work: (queries: Queries) => Promise<Result>) => count(database.transaction(work)),
      close: () => database.close(),
    };
  }

  /** Advances the time of the database and of all nodes. */
  async advance(ms: number): Promise<void> {
    await this.#databaseClock.advance(ms);
    for (const clock of this.#clocks.values()) clock.advance(ms);
  }

  /** Resolves when `work` has led to a settlement of this node. */
  async settlement(node: SocketLeases, work: () => unknown): Promise<void> {
    const settled = this.#settled.get(node)!;
    const { count } = settled;
    await work();
    while (settled.count === count) await new Promise<void>((resolve) => (settled.wake = resolve));
  }

  /** Resolves when `isSo` returns true. Leases act on requests later. */
  async eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await new Promise(setImmediate);
  }

  /** Number of slots of an account that are in use. */
  async slots(accountId: string): Promise<number> {
    const rows = await this.database.query(
      'select session_id from lease where account_id = $1 and holds_slot and expires_at > svc_now()',
      [accountId],
    );
    return rows.length;
  }

  async balance(accountId: string): Promise<number> {
    const [row] = await this.database.query<{ balance_ms: number }>('select balance_ms from account where id = $1', [
      accountId,
    ]);
    return row!.balance_ms;
  }

  /** Charge of each socket, in milliseconds, in the order of opening. */
  async charges(accountId: string): Promise<number[]> {
    const rows = await this.database.query<{ ms: number }>(
      `select -amount_ms as ms from ledger where account_id = $1 and kind = 'usage' order by id`,
      [accountId],
    );
    return rows.map(({ ms }) => ms);
  }

  /** Number of accounts whose sockets have reserved more than the balance. */
  async overbooked(): Promise<number> {
    const rows = await this.database.query(
      `select id from account where balance_ms <
         (select coalesce(sum(reserved_ms), 0) from lease where account_id = account.id and expires_at > svc_now())`,
    );
    return rows.length;
  }

  /** Number of accounts whose balance is not the sum of their ledger. */
  async unbalanced(): Promise<number> {
    const rows = await this.database.query(
      `select id from account
        where balance_ms <> (select coalesce(sum(amount_ms), 0) from ledger where account_id = account.id)`,
    );
    return rows.length;
  }
}

/** A database whose transactions take `latencyMs` longer. */
function slow(database: Database, clock: ManualClock, latencyMs: number): Database {
  return {
    query: (text, values) => database.query(text, values),
    transaction: async (work) => {
      const result = await database.transaction(work);
      await new Promise<void>((resolve) => clock.after(latencyMs, resolve));
      return result;
    },
    close: () => database.close(),
  };
}

/** A database that throws errors while `isAway` returns true. */
export function unreliable(database: Database, isAway: () => boolean): Database {
  const check = (): void => {
    if (isAway()) throw new Error('The database is away.');
  };
  return {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
      check();
      return database.query<Row>(text, values);
    },
    transaction: async <Result>(work: (queries: Queries) => Promise<Result>) => {
      check();
      return database.transaction(work);
    },
    close: () => database.close(),
  };
}

/** A database in which transactions wait for locks without a time limit, while `isPatient` returns true. */
export function patient(database: Database, isPatient = (): boolean => true): Database {
  return {
    query: (text, values) => database.query(text, values),
    transaction: (work) =>
      database.transaction((queries) =>
        work({
          query: async (text, values) =>
            text.includes('lock_timeout') && isPatient() ? [] : queries.query(text, values),
        }),
      ),
    close: () => database.close(),
  };
}
