import { PLANS, type PlanName } from '../account/plans.js';
import { DatabaseError, type Database, type Queries } from '../store/database.js';

/** Sockets that an account may have open for each of its slots: those without one wait for their next turn to speak. */
const SOCKETS_PER_SLOT = 4;

/** Accounts that are settled in one transaction: as long as it lasts, others wait for their rows. */
const ACCOUNTS_AT_ONCE = 50;

/** How long a settlement waits for rows that others have locked, in milliseconds. */
const LOCK_MS = 250;

/** SQLSTATE of a wait that took longer. */
const LOCKED = '55P03';

/** A socket that is to be opened, or goes on. */
export interface LeaseClaim {
  /** Of one socket, for ever: `jti` of its token. */
  readonly sessionId: string;
  readonly accountId: string;
  /** The key that the session was made with. */
  readonly keyId: string;
  readonly node: string;
  /** Whether its voice is a premium one. */
  readonly premium: boolean;
  /** Whether it is to count against the ceiling. */
  readonly takesSlot: boolean;
}

/**
 * Why a socket may not be open: another one must be closed first, there is nothing to pay it with, the plan has not its
 * voice, or its key is gone.
 */
export type LeaseRefusal = 'too-many-sockets' | 'out-of-credits' | 'voice-refused' | 'key-revoked';

/** What came of a claim. */
export type LeaseGrant =
  | { readonly granted: true; readonly balanceMs: number }
  | { readonly granted: false; readonly refusal: LeaseRefusal };

/** How far a socket's meter has run. */
export interface MeterReading {
  readonly sessionId: string;
  readonly accountId: string;
  /** Whether its voice is a premium one. */
  readonly premium: boolean;
  /** Whole milliseconds since it was opened. */
  readonly totalMs: number;
  /** The socket is closed: this is the last reading. */
  readonly isLast: boolean;
}

/** What the database says about a socket whose meter was read. */
export interface Settlement {
  readonly sessionId: string;
  /** Milliseconds that this reading took from the account. */
  readonly chargedMs: number;
  /** What is left on the account. */
  readonly balanceMs: number;
  /** The lease ran out meanwhile, and others may count on its slot: it has to be claimed again. */
  readonly lost: boolean;
  /** Why it has to be closed, if it has to. */
  readonly refusal: LeaseRefusal | null;
}

/**
 * The open sockets of all nodes, and what they cost, in the database (interface-spec 1 and 8).
 *
 * An account's row is locked before anything that depends on its sockets or its balance, and accounts are locked in the
 * order of their ids: so ceilings are exact, and nodes do not wait for each other in a circle.
 */
export class LeaseStore {
  readonly #database: Database;
  readonly #ttlMs: number;
  readonly #ceiling: number | undefined;
  readonly #socketsMax: number | undefined;

  /**
   * @param ttlMs - How long a lease is good that is not renewed, in milliseconds.
   * @param ceiling - Slots of any account; by default its plan says.
   * @param socketsMax - Sockets that any account may have open, with a slot or without; by default four for each slot.
   */
  constructor(database: Database, ttlMs: number, ceiling?: number, socketsMax?: number) {
    this.#database = database;
    this.#ttlMs = ttlMs;
    this.#ceiling = ceiling;
    this.#socketsMax = socketsMax;
  }

  /** Makes the lease of a socket, or makes it anew, with or without a slot. */
  claim(claim: LeaseClaim): Promise<LeaseGrant> {
    const { accountId, keyId, node, premium, sessionId, takesSlot } = claim;
    return this.#database.transaction(async (queries) => {
      const account = await lockPayer(queries, accountId, keyId);
      if (!account || account.revoked) return { granted: false, refusal: 'key-revoked' };
      const { balanceMs, plan } = account;
      const refusal = refuse(plan, balanceMs, premium);
      if (refusal) return { granted: false, refusal };
      const ceiling = this.#ceiling ?? PLANS[plan].maxConcurrentSessions;
      const others = await countOthers(queries, accountId, sessionId);
      if (
        (takesSlot && others.slots >= ceiling) ||
        others.sockets >= (this.#socketsMax ?? SOCKETS_PER_SLOT * ceiling)
      ) {
        return { granted: false, refusal: 'too-many-sockets' };
      }
      await queries.query(
        `insert into lease (session_id, account_id, key_id, node, holds_slot, expires_at)
         values ($1, $2, $3, $4, $5, svc_now() + $6::integer * interval '1 millisecond')
         on conflict (session_id) do update set holds_slot = excluded.holds_slot, expires_at = excluded.expires_at`,
        [sessionId, accountId, keyId, node, takesSlot, this.#ttlMs],
      );
      await queries.query(
        `insert into ledger (account_id, kind, amount_ms, session_id, node) values ($1, 'usage', 0, $2, $3)
         on conflict (session_id) do nothing`,
        [accountId, sessionId, node],
      );
      return { granted: true, balanceMs };
    });
  }

  /** Gives a slot back while the socket stays open, and goes on to cost. */
  async freeSlot(sessionId: string): Promise<void> {
    await this.#database.query('update lease set holds_slot = false where session_id = $1', [sessionId]);
  }

  /**
   * Charges what meters read, renews the leases of sockets that are open, and deletes those of the others.
   *
   * May be repeated with the same readings: what was charged is looked up. No account is charged more than it has. An
   * account whose row somebody else keeps locked is left out, and keeps no other waiting.
   *
   * @param readings - One per socket.
   * @returns One per reading, in any order, except for accounts that were locked.
   */
  async settle(readings: readonly MeterReading[]): Promise<Settlement[]> {
    const accountIds = [...new Set(readings.map(({ accountId }) => accountId))].toSorted();
    const settlements: Settlement[] = [];
    for (let first = 0; first < accountIds.length; first += ACCOUNTS_AT_ONCE) {
      settlements.push(...(await this.#settleOf(accountIds.slice(first, first + ACCOUNTS_AT_ONCE), readings)));
    }
    return settlements;
  }

  /** Settles accounts together; one by one if one of them is locked. */
  async #settleOf(accountIds: readonly string[], readings: readonly MeterReading[]): Promise<Settlement[]> {
    const ofThem = new Set(accountIds);
    try {
      return await this.#settleTogether(
        accountIds,
        readings.filter(({ accountId }) => ofThem.has(accountId)),
      );
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === LOCKED)) throw error;
      if (accountIds.length === 1) return [];
    }
    const settlements: Settlement[] = [];
    for (const accountId of accountIds) settlements.push(...(await this.#settleOf([accountId], readings)));
    return settlements;
  }

  #settleTogether(accountIds: readonly string[], readings: readonly MeterReading[]): Promise<Settlement[]> {
    const sessionIds = readings.map(({ sessionId }) => sessionId);
    return this.#database.transaction(async (queries) => {
      await queries.query(`set local lock_timeout = '${LOCK_MS}ms'`);
      const accounts = await lockAccounts(queries, accountIds);
      const balances = new Map([...accounts].map(([id, { balanceMs }]) => [id, balanceMs]));
      const billed = await readBilled(queries, sessionIds);
      const charges = readings.map((reading) => {
        const left = balances.get(reading.accountId) ?? 0;
        const due = Math.max(0, reading.totalMs - (billed.get(reading.sessionId) ?? reading.totalMs));
        const ms = Math.min(due, left);
        balances.set(reading.accountId, left - ms);
        return { ...reading, ms };
      });
      const due = charges.filter(({ ms }) => ms > 0);
      if (due.length > 0) await charge(queries, due);
      const open = await this.#renew(queries, charges);
      const closed = charges.filter(({ isLast }) => isLast).map(({ sessionId }) => sessionId);
      if (closed.length > 0) await queries.query('delete from lease where session_id = any($1::text[])', [closed]);
      return charges.map(({ accountId, isLast, ms, premium, sessionId }) => {
        const balanceMs = balances.get(accountId) ?? 0;
        const keyRevoked = open.get(sessionId) ?? false;
        const plan = accounts.get(accountId)?.plan ?? 'none';
        return {
          sessionId,
          chargedMs: ms,
          balanceMs,
          lost: !isLast && !open.has(sessionId),
          refusal: keyRevoked ? 'key-revoked' : refuse(plan, balanceMs, premium),
        };
      });
    });
  }

  /** Deletes the leases of nodes that died; they count for nothing already. */
  async sweep(): Promise<void> {
    await this.#database.query(
      `delete from lease where session_id in
         (select session_id from lease where expires_at <= svc_now() for update skip locked)`,
    );
  }

  /** @returns Whether its key was revoked, for each session whose lease was still good. */
  async #renew(queries: Queries, readings: readonly MeterReading[]): Promise<Map<string, boolean>> {
    const open = readings.filter(({ isLast }) => !isLast);
    if (open.length === 0) return new Map();
    const rows = await queries.query<{ session_id: string; revoked: boolean }>(
      `update lease set expires_at = svc_now() + $2::integer * interval '1 millisecond' from api_key
        where lease.session_id = any($1::text[]) and lease.expires_at > svc_now() and api_key.id = lease.key_id
       returning lease.session_id, api_key.revoked_at is not null as revoked`,
      [open.map(({ sessionId }) => sessionId), this.#ttlMs],
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

/** A statement of its own: one that locks and counts would count what was there before it waited for the lock. */
async function countOthers(queries: Queries, accountId: string, exceptSessionId: string) {
  const [row] = await queries.query<{ slots: number; sockets: number }>(
    `select count(*) filter (where holds_slot)::integer as slots, count(*)::integer as sockets from lease
      where account_id = $1 and session_id <> $2 and expires_at > svc_now()`,
    [accountId, exceptSessionId],
  );
  return row!;
}

/** Why an account may not have a socket open, ceilings aside. */
function refuse(plan: PlanName, balanceMs: number, premium: boolean): LeaseRefusal | null {
  if (plan === 'none' || balanceMs <= 0) return 'out-of-credits';
  return premium && !PLANS[plan].premiumVoices ? 'voice-refused' : null;
}

async function lockAccounts(queries: Queries, accountIds: readonly string[]) {
  const rows = await queries.query<{ id: string; plan: PlanName; balanceMs: number }>(
    `select id, plan, balance_ms as "balanceMs" from account where id = any($1::text[]) order by id for update`,
    [accountIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function readBilled(queries: Queries, sessionIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await queries.query<{ session_id: string; billed_ms: number }>(
    'select session_id, -amount_ms as billed_ms from ledger where session_id = any($1::text[])',
    [sessionIds],
  );
  return new Map(rows.map((row) => [row.session_id, row.billed_ms]));
}

interface Charge {
  readonly sessionId: string;
  readonly accountId: string;
  readonly ms: number;
}

async function charge(queries: Queries, charges: readonly Charge[]): Promise<void> {
  const amounts = charges.map(({ ms }) => ms);
  await queries.query(
    `update ledger set amount_ms = amount_ms - charge.ms, updated_at = svc_now()
       from unnest($1::text[], $2::bigint[]) as charge (session_id, ms) where ledger.session_id = charge.session_id`,
    [charges.map(({ sessionId }) => sessionId), amounts],
  );
  await queries.query(
    `update account set balance_ms = balance_ms - charge.ms
       from (select account_id, sum(ms)::bigint as ms
               from unnest($1::text[], $2::bigint[]) as part (account_id, ms) group by account_id) as charge
      where account.id = charge.account_id`,
    [charges.map(({ accountId }) => accountId), amounts],
  );
}
