import { PLANS, type PlanName } from '../account/plans.js';
import { DatabaseError, type Database, type Queries } from '../store/database.js';
import { reservation, shareCredit } from './credit-shares.js';

/** Sockets that an account may have open per slot. A socket without a slot is open but may not speak yet. */
const SOCKETS_PER_SLOT = 4;

/** Accounts that are settled in one transaction. Other transactions wait for their rows while it lasts. */
const ACCOUNTS_AT_ONCE = 50;

/** Maximum time for which a settlement waits for rows locked by others, in milliseconds. */
const LOCK_MS = 250;

/**
 * Minimum time before its expiry at which a lease is extended without the lock of its account, in milliseconds. Within
 * it, the extension must be committed, so that a transaction that has the lock and counts leases misses none.
 */
const EXTENSION_MS = 1000;

/** SQLSTATE of a lock wait that exceeds {@link LOCK_MS}. */
const LOCKED = '55P03';

/** Parameters of a lease, for a new or an open socket. */
export interface LeaseClaim {
  /** Unique id of the socket, never used again: `jti` of its token. */
  readonly sessionId: string;
  readonly accountId: string;
  /** Id of the key with which the session was created. */
  readonly keyId: string;
  readonly node: string;
  /** True if its voice is a premium one. */
  readonly premium: boolean;
  /** True to take a slot, which counts against the ceiling. */
  readonly takesSlot: boolean;
}

/**
 * Reason why a socket may not be open: the account has too many sockets, it has no credit, its plan does not include
 * the voice, or the key was revoked.
 */
export type LeaseRefusal = 'too-many-sockets' | 'out-of-credits' | 'voice-refused' | 'key-revoked';

/** Credit that a socket may use before the next charge. */
export interface SocketCredit {
  /** Milliseconds reserved for it. Other sockets cannot use them. */
  readonly reservedMs: number;
  /** Its share of the unreserved credit, in milliseconds. Another socket may use it first. */
  readonly spareMs: number;
}

/** Result of a claim. */
export type LeaseGrant =
  | ({ readonly granted: true } & SocketCredit)
  | { readonly granted: false; readonly refusal: LeaseRefusal };

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
 * An account's row is locked before any read of its sockets or its balance, and accounts are locked in the order of
 * their ids. So ceilings are exact, and nodes cannot deadlock.
 *
 * Each lease reserves credit for its socket, until the lease expires. The reservations of an account's valid leases
 * never exceed its balance, so sockets on several nodes cannot use the same credit. A charge uses the reservation
 * first; the rest is freed when the socket closes or its lease expires.
 */
export class LeaseStore {
  readonly #database: Database;
  readonly #ttlMs: number;
  readonly #ceiling: number | undefined;
  readonly #socketsMax: number | undefined;
  /** Last pending claim of each account. */
  readonly #claims = new Map<string, Promise<LeaseGrant>>();

  /**
   * @param ttlMs - Lifetime of a lease that is not renewed, in milliseconds.
   * @param ceiling - Slots of every account; its plan sets them by default.
   * @param socketsMax - Maximum number of open sockets of every account, with a slot or without; 4 per slot by default.
   */
  constructor(database: Database, ttlMs: number, ceiling?: number, socketsMax?: number) {
    this.#database = database;
    this.#ttlMs = ttlMs;
    this.#ceiling = ceiling;
    this.#socketsMax = socketsMax;
  }

  /**
   * Creates or renews the lease of a socket, with or without a slot.
   *
   * Claims of one account wait for each other here, because each one that waits in the database holds a connection,
   * which other accounts and the heartbeat need. Those that wait for a claim that fails, fail with it.
   */
  async claim(claim: LeaseClaim): Promise<LeaseGrant> {
    const { accountId } = claim;
    const previous = this.#claims.get(accountId) ?? Promise.resolve();
    const granting = previous.then(() => this.#claim(claim));
    this.#claims.set(accountId, granting);
    try {
      return await granting;
    } finally {
      if (this.#claims.get(accountId) === granting) this.#claims.delete(accountId);
    }
  }

  #claim(claim: LeaseClaim): Promise<LeaseGrant> {
    const { accountId, keyId, node, premium, sessionId, takesSlot } = claim;
    return this.#database.transaction(async (queries) => {
      const account = await lockPayer(queries, accountId, keyId);
      if (!account || account.revoked) return { granted: false, refusal: 'key-revoked' };
      const { balanceMs, plan } = account;
      const ceiling = this.#ceiling ?? PLANS[plan].maxConcurrentSessions;
      const others = await countOthers(queries, accountId, sessionId);
      const creditMs = balanceMs - others.reservedMs;
      const refusal = refuse(plan, creditMs, premium);
      if (refusal) return { granted: false, refusal };
      if (
        (takesSlot && others.slots >= ceiling) ||
        others.sockets >= (this.#socketsMax ?? SOCKETS_PER_SLOT * ceiling)
      ) {
        return { granted: false, refusal: 'too-many-sockets' };
      }
      // The ledger has one row for all charges of a socket.
      const [lease] = await queries.query<{ reservedMs: number }>(
        `with entry as
           (insert into ledger (account_id, kind, amount_ms, session_id, node) values ($2, 'usage', 0, $1, $4)
            on conflict (session_id) do nothing)
         insert into lease as kept (session_id, account_id, key_id, node, holds_slot, reserved_ms, expires_at)
         values ($1, $2, $3, $4, $5, $6, svc_now() + $7::integer * interval '1 millisecond')
         on conflict (session_id) do update set holds_slot = excluded.holds_slot, expires_at = excluded.expires_at,
           reserved_ms = case when kept.expires_at > svc_now() then kept.reserved_ms else excluded.reserved_ms end
         returning reserved_ms as "reservedMs"`,
        [sessionId, accountId, keyId, node, takesSlot, this.#reservation(creditMs), this.#ttlMs],
      );
      const { reservedMs } = lease!;
      return { granted: true, reservedMs, spareMs: Math.max(0, creditMs - reservedMs) };
    });
  }

  /** Releases the slot of a socket that stays open. The socket still costs credit. */
  async freeSlot(sessionId: string): Promise<void> {
    await this.#database.query('update lease set holds_slot = false where session_id = $1', [sessionId]);
  }

  /**
   * Charges meter readings, renews the leases of open sockets, and deletes the leases of closed ones.
   *
   * May be repeated with the same readings, because the amount already charged is stored. No account is charged more
   * than its balance. An account whose row is locked elsewhere is skipped, and does not delay the others; its leases are
   * extended, so its sockets stay open.
   *
   * @param readings - One per socket.
   * @returns One per reading, in any order, except for accounts that were locked.
   */
  async settle(readings: readonly MeterReading[]): Promise<Settlement[]> {
    const accountIds = [...new Set(readings.map(({ accountId }) => accountId))].toSorted();
    const settlements: Settlement[] = [];
    for (let first = 0; first < accountIds.length; first += ACCOUNTS_AT_ONCE) {
      settlements.push(...(await this.#settleAccounts(accountIds.slice(first, first + ACCOUNTS_AT_ONCE), readings)));
    }
    return settlements;
  }

  /**
   * Settles several accounts in one transaction; one by one if the row of one is locked.
   *
   * @param readings - Those of other accounts are ignored.
   */
  async #settleAccounts(accountIds: readonly string[], readings: readonly MeterReading[]): Promise<Settlement[]> {
    const inTransaction = new Set(accountIds);
    try {
      return await this.#settleTogether(
        accountIds,
        readings.filter(({ accountId }) => inTransaction.has(accountId)),
      );
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === LOCKED)) throw error;
      if (accountIds.length === 1) {
        await this.#extend(readings.filter(({ accountId, isLast }) => accountId === accountIds[0] && !isLast));
        return [];
      }
    }
    const settlements: Settlement[] = [];
    for (const accountId of accountIds) settlements.push(...(await this.#settleAccounts([accountId], readings)));
    return settlements;
  }

  /**
   * Settles several accounts in one transaction.
   *
   * @throws {DatabaseError} With the code {@link LOCKED} if the row of one is locked for {@link LOCK_MS}.
   */
  #settleTogether(accountIds: readonly string[], readings: readonly MeterReading[]): Promise<Settlement[]> {
    const sessionIds = readings.map(({ sessionId }) => sessionId);
    return this.#database.transaction(async (queries) => {
      await queries.query(`set local lock_timeout = '${LOCK_MS}ms'`);
      const accounts = await lockAccounts(queries, accountIds);
      const uses = await readUses(queries, accountIds, sessionIds);
      const shared = accountIds.flatMap((accountId) => {
        const account = accounts.get(accountId);
        return this.#share(
          account?.balanceMs ?? 0,
          readings.filter((reading) => reading.accountId === accountId),
          uses,
        ).map((share) => ({ ...share, plan: account?.plan ?? 'none' }));
      });
      const due = shared.filter(({ chargedMs }) => chargedMs > 0);
      if (due.length > 0) await charge(queries, due);
      const keyRevokedOf = await this.#renew(queries, shared);
      const closed = shared.filter(({ isLast }) => isLast).map(({ sessionId }) => sessionId);
      if (closed.length > 0) await queries.query('delete from lease where session_id = any($1::text[])', [closed]);
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

  /** Credit that a socket reserves when it opens, in milliseconds. */
  #reservation(creditMs: number): number {
    return Math.min(creditMs, reservation(creditMs, 1, this.#ttlMs));
  }

  /** Deletes the leases of nodes that died. They have expired, so they no longer count. */
  async sweep(): Promise<void> {
    await this.#database.query(
      `delete from lease where session_id in
         (select session_id from lease where expires_at <= svc_now() for update skip locked)`,
    );
  }

  /** Extends the leases of open sockets, with the credit that they have reserved. */
  async #extend(open: readonly MeterReading[]): Promise<void> {
    if (open.length === 0) return;
    await this.#database.query(
      `update lease set expires_at = svc_now() + $2::integer * interval '1 millisecond'
        where session_id = any($1::text[]) and expires_at > svc_now() + $3::integer * interval '1 millisecond'`,
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

async function lockPayer(queries: Queries, accountId: string, keyId: string) {
  const [account] = await queries.query<{ plan: PlanName; balanceMs: number; revoked: boolean }>(
    `select account.plan, account.balance_ms as "balanceMs", api_key.revoked_at is not null as revoked
       from account join api_key on api_key.account_id = account.id
      where account.id = $1 and api_key.id = $2 for update of account`,
    [accountId, keyId],
  );
  return account;
}

/** A separate statement after the lock. A single one for both would count the rows as they were before it waited. */
async function countOthers(queries: Queries, accountId: string, exceptSessionId: string) {
  const [row] = await queries.query<{ slots: number; sockets: number; reservedMs: number }>(
    `select count(*) filter (where holds_slot)::integer as slots, count(*)::integer as sockets,
            coalesce(sum(reserved_ms), 0)::bigint as "reservedMs"
       from lease where account_id = $1 and session_id <> $2 and expires_at > svc_now()`,
    [accountId, exceptSessionId],
  );
  return row!;
}

/** Returns the reason why an account may not have a socket open, apart from ceilings. */
function refuse(plan: PlanName, creditMs: number, premium: boolean): LeaseRefusal | null {
  if (plan === 'none' || creditMs <= 0) return 'out-of-credits';
  return premium && !PLANS[plan].premiumVoices ? 'voice-refused' : null;
}

async function lockAccounts(queries: Queries, accountIds: readonly string[]) {
  const rows = await queries.query<{ id: string; plan: PlanName; balanceMs: number }>(
    `select id, plan, balance_ms as "balanceMs" from account where id = any($1::text[]) order by id for update`,
    [accountIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
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
}

async function charge(queries: Queries, charges: readonly Charge[]): Promise<void> {
  await queries.query(
    `with charge as
       (select * from unnest($1::text[], $2::text[], $3::bigint[]) as part (session_id, account_id, ms)),
     entry as
       (update ledger set amount_ms = amount_ms - charge.ms, updated_at = svc_now()
          from charge where ledger.session_id = charge.session_id)
     update account set balance_ms = balance_ms - total.ms
       from (select account_id, sum(ms)::bigint as ms from charge group by account_id) as total
      where account.id = total.account_id`,
    [
      charges.map(({ sessionId }) => sessionId),
      charges.map(({ accountId }) => accountId),
      charges.map(({ chargedMs }) => chargedMs),
    ],
  );
}
