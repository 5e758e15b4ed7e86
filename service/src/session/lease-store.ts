import type { PlanName } from '../account/plans.js';
import { systemClock, type Clock } from '../clock.js';
import { DatabaseError, type Database, type Queries } from '../store/database.js';
import { shareCredit } from './credit-shares.js';
import {
  forUpdate,
  LeaseClaims,
  LOCKED,
  refuse,
  type LeaseClaim,
  type LeaseGrant,
  type LeaseRefusal,
  type SocketCredit,
} from './lease-claims.js';

/** Accounts that are settled in one transaction. Other transactions wait for their rows while it lasts. */
const ACCOUNTS_AT_ONCE = 50;

/** Maximum time for which a settlement waits for a row locked by others, in milliseconds. */
const LOCK_MS = 250;

/**
 * Minimum time before its expiry at which a lease is extended without the lock of its account, in milliseconds. Within
 * it, the extension must be committed, so that a transaction that has the lock and counts leases misses none.
 */
const EXTENSION_MS = 1000;

/** A reading of a socket's meter. */
export interface MeterReading {
  readonly sessionId: string;
  readonly accountId: string;
  /** True if its voice is a premium one. */
  readonly premium: boolean;
  /** Whole milliseconds since the socket was opened. */
  readonly totalMs: number;
  /** True if the socket is closed, so this is the last reading. */
  readonly isLast: boolean;
}

/** Meter readings by account. Each account has at least one. */
type ReadingsOf = ReadonlyMap<string, readonly MeterReading[]>;

/** Result of settling one meter reading. */
export interface Settlement extends SocketCredit {
  readonly sessionId: string;
  /** Milliseconds that this reading charged to the account. */
  readonly chargedMs: number;
  /** True if the lease expired in the meantime. Others may have taken its slot, so it has to be claimed again. */
  readonly lost: boolean;
  /** Reason why the socket must be closed; `null` if it may stay open. */
  readonly refusal: LeaseRefusal | null;
}

/**
 * The open sockets of all nodes and their cost, stored in the database (interface-spec 1 and 8).
 *
 * An account's row is locked before any read of its sockets or its balance, so ceilings are exact. Nodes cannot
 * deadlock: a transaction locks accounts in the order of their ids, or does not wait for any.
 *
 * Each lease reserves credit for its socket, until the lease expires. The reservations of an account's valid leases
 * never exceed its balance, so sockets on several nodes cannot use the same credit. A charge uses the reservation
 * first; the rest is freed when the socket closes or its lease expires.
 */
export class LeaseStore {
  readonly #database: Database;
  readonly #ttlMs: number;
  readonly #claims: LeaseClaims;

  /**
   * @param ttlMs - Lifetime of a lease that is not renewed, in milliseconds.
   * @param ceiling - Slots of every account; its plan sets them by default.
   * @param socketsMax - Maximum number of open sockets of every account, with a slot or without; 4 per slot by default.
   */
  constructor(database: Database, ttlMs: number, ceiling?: number, socketsMax?: number, clock: Clock = systemClock) {
    this.#database = database;
    this.#ttlMs = ttlMs;
    this.#claims = new LeaseClaims({ database, ttlMs, ceiling, socketsMax, clock });
  }

  /**
   * Creates or renews the lease of a socket, with or without a slot.
   *
   * @throws Errors of the database. While it is unreachable, all waiting claims fail together.
   */
  claim(claim: LeaseClaim): Promise<LeaseGrant> {
    return this.#claims.claim(claim);
  }

  /** Releases the slot of a socket that stays open. The socket still costs credit. */
  async freeSlot(sessionId: string): Promise<void> {
    await this.#database.query('update lease set holds_slot = false where session_id = $1', [sessionId]);
  }

  /**
   * Charges meter readings, renews the leases of open sockets, and deletes the leases of closed ones.
   *
   * May be repeated with the same readings, because the amount already charged is stored. No account is charged more
   * than its balance. Accounts whose rows are locked elsewhere are skipped after a wait of {@link LOCK_MS}, which occurs
   * once in a call. Their leases are extended, so their sockets stay open.
   *
   * @param readings - One per socket.
   * @returns One per reading, in any order, except for accounts that were locked.
   */
  async settle(readings: readonly MeterReading[]): Promise<Settlement[]> {
    const readingsOf = new Map<string, MeterReading[]>();
    for (const reading of readings) {
      const ofAccount = readingsOf.get(reading.accountId);
      if (ofAccount) ofAccount.push(reading);
      else readingsOf.set(reading.accountId, [reading]);
    }
    const accountIds = [...readingsOf.keys()].toSorted();
    const settlements: Settlement[] = [];
    let skipsLocked = false;
    for (let first = 0; first < accountIds.length; first += ACCOUNTS_AT_ONCE) {
      const some = accountIds.slice(first, first + ACCOUNTS_AT_ONCE);
      let settled = await this.#settleTogether(some, readingsOf, skipsLocked);
      if (settled === null && !skipsLocked) {
        skipsLocked = true; // also for the rest, so that only one wait delays it
        settled = await this.#settleTogether(some, readingsOf, skipsLocked);
      }
      await this.#extendOthers(some, readingsOf, settled ?? []);
      settlements.push(...(settled ?? []));
    }
    return settlements;
  }

  /** Extends the leases of accounts that were not settled. */
  async #extendOthers(accountIds: readonly string[], readingsOf: ReadingsOf, settlements: readonly Settlement[]) {
    const settled = new Set(settlements.map(({ sessionId }) => sessionId));
    const skipped = accountIds.flatMap((id) => readingsOf.get(id)!.filter(({ sessionId }) => !settled.has(sessionId)));
    await this.#extend(skipped.filter(({ isLast }) => !isLast));
  }

  /** Settles several accounts in one transaction. Returns `null` if it waits for longer than {@link LOCK_MS} for a row. */
  async #settleTogether(
    accountIds: readonly string[],
    readingsOf: ReadingsOf,
    skipsLocked: boolean,
  ): Promise<Settlement[] | null> {
    try {
      return await this.#database.transaction(async (queries) => {
        await queries.query(`set local lock_timeout = '${LOCK_MS}ms'`);
        const found = await lockAccounts(queries, accountIds, skipsLocked);
        const missing = skipsLocked ? [] : accountIds.filter((id) => !found.some((account) => account.id === id));
        const accounts = [...found, ...missing.map((id) => ({ id, plan: 'none' as const, balanceMs: 0 }))];
        return accounts.length > 0 ? this.#settleLocked(queries, accounts, readingsOf) : [];
      });
    } catch (error) {
      if (error instanceof DatabaseError && error.code === LOCKED) return null;
      throw error;
    }
  }

  /** Settles accounts whose rows this transaction has locked. */
  async #settleLocked(queries: Queries, accounts: readonly Account[], readingsOf: ReadingsOf): Promise<Settlement[]> {
    const accountIds = accounts.map(({ id }) => id);
    const sessionIds = accountIds.flatMap((id) => readingsOf.get(id)!.map(({ sessionId }) => sessionId));
    const uses = await readUses(queries, accountIds, sessionIds);
    const shared = accounts.flatMap(({ id, balanceMs, plan }) =>
      this.#share(balanceMs, readingsOf.get(id)!, uses).map((share) => ({ ...share, plan })),
    );
    const due = shared.filter(({ chargedMs, isLast }) => chargedMs > 0 || isLast);
    if (due.length > 0) await charge(queries, due);
    const keyRevokedOf = await this.#renew(queries, shared);
    return shared.map(({ chargedMs, isLast, plan, premium, reservedMs, sessionId, spareMs }) => {
      return {
        sessionId,
        chargedMs,
        reservedMs,
        spareMs,
        lost: !isLast && !keyRevokedOf.has(sessionId),
        refusal: keyRevokedOf.get(sessionId) ? 'key-revoked' : refuse(plan, reservedMs + spareMs, premium),
      };
    });
  }

  /**
   * Shares the credit of an account among its sockets on this node.
   *
   * @param readings - Those of the account.
   */
  #share(balanceMs: number, readings: readonly MeterReading[], uses: ReadonlyMap<string, SocketUse>) {
    const creditUses = readings.map(({ isLast, sessionId, totalMs }) => {
      const use = uses.get(sessionId);
      return {
        // Nothing is due for a session without a row in the ledger.
        dueMs: Math.max(0, totalMs - (use?.billedMs ?? totalMs)),
        reservedMs: use?.reservedMs ?? 0,
        reserves: !isLast && typeof use?.reservedMs === 'number',
      };
    });
    const reservedByAllMs = uses.get(readings[0]?.sessionId ?? '')?.reservedByAllMs ?? 0;
    const reservedByOthersMs = creditUses.reduce((rest, { reservedMs }) => rest - reservedMs, reservedByAllMs);
    const { freeMs, shares } = shareCredit(balanceMs - reservedByOthersMs, creditUses, this.#ttlMs);
    const spareMs = Math.floor(freeMs / Math.max(1, readings.filter(({ isLast }) => !isLast).length));
    return readings.map((reading, index) => ({ ...reading, ...shares[index]!, spareMs }));
  }

  /** Deletes the leases of nodes that died. They have expired, so they no longer count. */
  async sweep(): Promise<void> {
    await this.#database.query(
      `delete from lease where session_id in
         (select session_id from lease where expires_at <= svc_now() for update skip locked)`,
    );
  }

  /**
   * Extends the leases of open sockets, with the credit that they have reserved. Skips rows that a claim is writing:
   * waiting for them while holding others could be a deadlock.
   */
  async #extend(open: readonly MeterReading[]): Promise<void> {
    if (open.length === 0) return;
    await this.#database.query(
      `update lease set expires_at = svc_now() + $2::integer * interval '1 millisecond'
        where session_id in
          (select session_id from lease
            where session_id = any($1::text[]) and expires_at > svc_now() + $3::integer * interval '1 millisecond'
              for update skip locked)`,
      [open.map(({ sessionId }) => sessionId), this.#ttlMs, EXTENSION_MS],
    );
  }

  /**
   * Renews the leases of open sockets and stores their reservations.
   *
   * @returns For each session whose lease was still valid, true if its key was revoked.
   */
  async #renew(
    queries: Queries,
    sockets: readonly (MeterReading & { readonly reservedMs: number })[],
  ): Promise<Map<string, boolean>> {
    const open = sockets.filter(({ isLast }) => !isLast);
    if (open.length === 0) return new Map();
    const rows = await queries.query<{ session_id: string; revoked: boolean }>(
      `update lease set expires_at = svc_now() + $3::integer * interval '1 millisecond', reserved_ms = part.ms
         from unnest($1::text[], $2::bigint[]) as part (session_id, ms), api_key
        where lease.session_id = part.session_id and lease.expires_at > svc_now() and api_key.id = lease.key_id
       returning lease.session_id, api_key.revoked_at is not null as revoked`,
      [open.map(({ sessionId }) => sessionId), open.map(({ reservedMs }) => reservedMs), this.#ttlMs],
    );
    return new Map(rows.map((row) => [row.session_id, row.revoked]));
  }
}

interface Account {
  readonly id: string;
  readonly plan: PlanName;
  readonly balanceMs: number;
}

function lockAccounts(queries: Queries, ids: readonly string[], skipsLocked: boolean): Promise<Account[]> {
  return queries.query<Account>(
    `select id, plan, balance_ms as "balanceMs" from account where id = any($1::text[]) order by id
        ${forUpdate(skipsLocked)}`,
    [ids],
  );
}

/** Charges and reservations of a socket, from the database. */
interface SocketUse {
  readonly billedMs: number;
  /** `null` if its lease has expired. */
  readonly reservedMs: number | null;
  /** Credit reserved by all sockets of its account, on all nodes. */
  readonly reservedByAllMs: number;
}

/** Uses one statement, so that a lease that expires meanwhile counts in both reservations or in neither. */
async function readUses(
  queries: Queries,
  accountIds: readonly string[],
  sessionIds: readonly string[],
): Promise<Map<string, SocketUse>> {
  const rows = await queries.query<SocketUse & { session_id: string }>(
    `with live as materialized
       (select account_id, session_id, reserved_ms from lease where account_id = any($1::text[]) and expires_at > svc_now()),
     total as (select account_id, sum(reserved_ms)::bigint as ms from live group by account_id)
     select ledger.session_id, -ledger.amount_ms as "billedMs", live.reserved_ms as "reservedMs",
            coalesce(total.ms, 0) as "reservedByAllMs"
       from ledger left join live on live.session_id = ledger.session_id
       left join total on total.account_id = ledger.account_id
      where ledger.session_id = any($2::text[])`,
    [accountIds, sessionIds],
  );
  return new Map(rows.map((row) => [row.session_id, row]));
}

interface Charge {
  readonly sessionId: string;
  readonly accountId: string;
  readonly chargedMs: number;
  readonly isLast: boolean;
}

/** Charges sockets, and deletes the leases of those that are closed. */
async function charge(queries: Queries, charges: readonly Charge[]): Promise<void> {
  await queries.query(
    `with charge as
       (select * from unnest($1::text[], $2::text[], $3::bigint[]) as part (session_id, account_id, ms)),
     entry as
       (update ledger set amount_ms = amount_ms - charge.ms, updated_at = svc_now()
          from charge where ledger.session_id = charge.session_id and charge.ms > 0),
     closed as
       (delete from lease where session_id = any($4::text[]))
     update account set balance_ms = balance_ms - total.ms
       from (select account_id, sum(ms)::bigint as ms from charge group by account_id) as total
      where account.id = total.account_id and total.ms > 0`,
    [
      charges.map(({ sessionId }) => sessionId),
      charges.map(({ accountId }) => accountId),
      charges.map(({ chargedMs }) => chargedMs),
      charges.filter(({ isLast }) => isLast).map(({ sessionId }) => sessionId),
    ],
  );
}
