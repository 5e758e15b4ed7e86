import { PLANS, type PlanName } from '../account/plans.js';
import type { Clock } from '../clock.js';
import { DatabaseError, type Database, type Queries } from '../store/database.js';
import { reservation } from './credit-shares.js';

/** Sockets that an account may have open per slot. A socket without a slot is open but may not speak yet. */
const SOCKETS_PER_SLOT = 4;

/** Maximum number of claims that are decided in one transaction. */
const CLAIMS_AT_ONCE = 100;

/** Maximum number of accounts whose claims are decided in a transaction of their own. */
const ACCOUNTS_ALONE = 4;

/** Pause before accounts that are locked elsewhere are tried again together, in milliseconds. */
const RETRY_MS = 50;

/** Time after which a claim that waits for such an account fails, in milliseconds. */
const PATIENCE_MS = 10_000;

/** SQLSTATE of a wait for a lock that takes too long. */
export const LOCKED = '55P03';

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

/** A claim that waits for its grant. */
interface WaitingClaim {
  readonly claim: LeaseClaim;
  /** Time of the claim, on the scale of the clock. */
  readonly since: number;
  readonly resolve: (grant: LeaseGrant) => void;
  readonly reject: (error: unknown) => void;
}

/** Options of {@link LeaseClaims}. */
export interface LeaseClaimsOptions {
  readonly database: Database;
  /** Lifetime of a lease that is not renewed, in milliseconds. */
  readonly ttlMs: number;
  /** Slots of every account; its plan sets them by default. */
  readonly ceiling: number | undefined;
  /** Maximum number of open sockets of every account, with a slot or without; 4 per slot by default. */
  readonly socketsMax: number | undefined;
  readonly clock: Clock;
}

/**
 * Grants leases.
 *
 * Up to {@link ACCOUNTS_ALONE} accounts have a transaction each, which decides all their waiting claims and waits if the
 * account's row is locked elsewhere. Claims of further accounts share one, which leaves out locked rows. So a node whose
 * leases have all expired, because the database was busy or away, gets them again with a few transactions, and locked
 * accounts neither delay others nor take all connections.
 */
export class LeaseClaims {
  readonly #options: LeaseClaimsOptions;
  /** Waiting claims of each account with a transaction of its own; the list may be empty. */
  readonly #alone = new Map<string, WaitingClaim[]>();
  /** Waiting claims of the other accounts. */
  readonly #shared: WaitingClaim[] = [];
  /** Accounts whose claims are being decided together. */
  #deciding: ReadonlySet<string> = new Set();
  #isSharing = false;

  constructor(options: LeaseClaimsOptions) {
    this.#options = options;
  }

  /**
   * Creates or renews the lease of a socket, with or without a slot.
   *
   * @throws Errors of the database. While it is unreachable, all waiting claims fail together.
   * @throws {DatabaseError} If the account stays locked elsewhere for {@link PATIENCE_MS}.
   */
  claim(claim: LeaseClaim): Promise<LeaseGrant> {
    return new Promise((resolve, reject) => {
      const waiting = { claim, since: this.#options.clock.elapsed(), resolve, reject };
      const { accountId } = claim;
      const isShared =
        this.#deciding.has(accountId) || this.#shared.some((other) => other.claim.accountId === accountId);
      if (!isShared && this.#decideAlone(accountId, [waiting])) return;
      this.#shared.push(waiting);
      if (!this.#isSharing) void this.#decideShared();
    });
  }

  /** Decides claims of an account in its own transaction. Returns false if too many accounts have one. */
  #decideAlone(accountId: string, claims: WaitingClaim[]): boolean {
    const before = this.#alone.get(accountId);
    if (before) before.push(...claims);
    else if (this.#alone.size < ACCOUNTS_ALONE) void this.#decideAccount(accountId, claims);
    else return false;
    return true;
  }

  /** @param claims - Others may be added while it runs. */
  async #decideAccount(accountId: string, claims: WaitingClaim[]): Promise<void> {
    this.#alone.set(accountId, claims);
    while (claims.length > 0) await this.#decideFirst(claims, false);
    this.#alone.delete(accountId);
  }

  /** Decides the claims of accounts without a transaction of their own, until none waits. */
  async #decideShared(): Promise<void> {
    const { clock } = this.#options;
    this.#isSharing = true;
    /** Accounts found locked since the last pause. */
    const found = new Set<string>();
    while (this.#shared.length > 0) {
      this.#deciding = accountsOf(this.#shared.slice(0, CLAIMS_AT_ONCE));
      const locked = await this.#decideFirst(this.#shared, true);
      this.#deciding = new Set();
      const rest = this.#shared.splice(0);
      const others = this.#putOff(locked, rest);
      for (const accountId of accountsOf(this.#shared)) found.add(accountId);
      this.#shared.unshift(...others);
      if (this.#shared.length > 0 && this.#shared.every(({ claim }) => found.has(claim.accountId))) {
        await new Promise<void>((resume) => clock.after(RETRY_MS, resume));
        found.clear();
      }
    }
    this.#isSharing = false;
  }

  /**
   * Lets the claims of locked accounts wait alone or, if that is not possible, in the shared list. Those that have waited
   * for too long fail. An account's claims stay together, in their order.
   *
   * @param rest - Later claims of any account.
   * @returns Those of the rest whose accounts are not locked.
   */
  #putOff(locked: readonly WaitingClaim[], rest: readonly WaitingClaim[]): WaitingClaim[] {
    const ofLocked = new Map<string, WaitingClaim[]>(locked.map(({ claim }) => [claim.accountId, []]));
    for (const waiting of [...locked, ...rest]) ofLocked.get(waiting.claim.accountId)?.push(waiting);
    for (const [accountId, claims] of ofLocked) {
      if (this.#decideAlone(accountId, claims)) continue;
      for (const waiting of claims) {
        if (this.#options.clock.elapsed() < waiting.since + PATIENCE_MS) this.#shared.push(waiting);
        else waiting.reject(new DatabaseError('The account is locked by another transaction.', LOCKED));
      }
    }
    return rest.filter(({ claim }) => !ofLocked.has(claim.accountId));
  }

  /**
   * Removes the first claims of a list, and decides them in one transaction. Never rejects.
   *
   * @returns Those that are undecided, because the rows of their accounts are locked elsewhere.
   */
  async #decideFirst(list: WaitingClaim[], skipsLocked: boolean): Promise<WaitingClaim[]> {
    const first = list.splice(0, CLAIMS_AT_ONCE);
    try {
      const claims = first.map(({ claim }) => claim);
      const grants = await this.#options.database.transaction((queries) => this.#decide(queries, claims, skipsLocked));
      return first.filter(({ resolve }, index) => {
        const grant = grants[index]!;
        if (grant !== 'locked') resolve(grant);
        return grant === 'locked';
      });
    } catch (error) {
      const isAway = error instanceof DatabaseError && (error.code === 'unreachable' || error.code === 'closed');
      for (const { reject } of isAway ? [...first, ...list.splice(0)] : first) reject(error);
      return [];
    }
  }

  /** Decides claims in their order. Each counts those granted before it. */
  async #decide(
    queries: Queries,
    claims: readonly LeaseClaim[],
    skipsLocked: boolean,
  ): Promise<readonly (LeaseGrant | 'locked')[]> {
    const payers = await lockPayers(queries, claims, skipsLocked);
    const leases = await readLeases(queries, [...payers.keys()], claims);
    const granted = new Map<string, LeaseClaim & { readonly reservedMs: number }>();
    const grants = claims.map((claim) => {
      const payer = payers.get(claim.accountId);
      if (!payer && skipsLocked) return 'locked';
      if (!payer?.validKeys.has(claim.keyId)) return refuseFor('key-revoked');
      const ofAccount = leases.get(claim.accountId)!;
      const grant = this.#grant(claim, payer, ofAccount);
      if (grant.granted) {
        ofAccount.set(claim.sessionId, { holdsSlot: claim.takesSlot, reservedMs: grant.reservedMs });
        granted.set(claim.sessionId, { ...claim, reservedMs: grant.reservedMs });
      }
      return grant;
    });
    if (granted.size > 0) await writeLeases(queries, [...granted.values()], this.#options.ttlMs);
    return grants;
  }

  #grant({ premium, sessionId, takesSlot }: LeaseClaim, { balanceMs, plan }: Payer, leases: AccountLeases): LeaseGrant {
    const { socketsMax, ttlMs } = this.#options;
    const ceiling = this.#options.ceiling ?? PLANS[plan].maxConcurrentSessions;
    const others = leases.sumWithout(sessionId);
    const creditMs = balanceMs - others.reservedMs;
    const refusal = refuse(plan, creditMs, premium);
    if (refusal) return refuseFor(refusal);
    if ((takesSlot && others.slots >= ceiling) || others.sockets >= (socketsMax ?? SOCKETS_PER_SLOT * ceiling)) {
      return refuseFor('too-many-sockets');
    }
    const reservedMs = leases.of(sessionId)?.reservedMs ?? Math.min(creditMs, reservation(creditMs, 1, ttlMs));
    return { granted: true, reservedMs, spareMs: Math.max(0, creditMs - reservedMs) };
  }
}

function accountsOf(waiting: readonly WaitingClaim[]): ReadonlySet<string> {
  return new Set(waiting.map(({ claim }) => claim.accountId));
}

/** Returns the reason why an account may not have a socket open, apart from ceilings. */
export function refuse(plan: PlanName, creditMs: number, premium: boolean): LeaseRefusal | null {
  if (plan === 'none' || creditMs <= 0) return 'out-of-credits';
  return premium && !PLANS[plan].premiumVoices ? 'voice-refused' : null;
}

function refuseFor(refusal: LeaseRefusal): LeaseGrant {
  return { granted: false, refusal };
}

/** Returns the end of a `select … for update`. Without `skip locked` it waits for rows that are locked elsewhere. */
export function forUpdate(skipsLocked: boolean): string {
  return skipsLocked ? 'for update of account skip locked' : 'for update of account';
}

/** An account that pays for claims. */
interface Payer {
  readonly plan: PlanName;
  readonly balanceMs: number;
  /** Ids of those keys of the claims that are not revoked. */
  readonly validKeys: ReadonlySet<string>;
}

async function lockPayers(
  queries: Queries,
  claims: readonly LeaseClaim[],
  skipsLocked: boolean,
): Promise<Map<string, Payer>> {
  const rows = await queries.query<{ id: string; plan: PlanName; balanceMs: number; keys: string[] }>(
    `select id, plan, balance_ms as "balanceMs",
            array(select api_key.id from api_key
                   where account_id = account.id and revoked_at is null and api_key.id = any($2::text[])) as keys
       from account where id = any($1::text[]) order by id ${forUpdate(skipsLocked)}`,
    [[...new Set(claims.map(({ accountId }) => accountId))], [...new Set(claims.map(({ keyId }) => keyId))]],
  );
  return new Map(rows.map(({ id, keys, ...account }) => [id, { ...account, validKeys: new Set(keys) }]));
}

/** The lease of a socket. */
interface HeldLease {
  readonly holdsSlot: boolean;
  readonly reservedMs: number;
}

/** The leases of an account. */
class AccountLeases {
  /** Sums over the sockets without a claim. */
  readonly #unclaimed: { readonly slots: number; readonly sockets: number; readonly reservedMs: number };
  /** Leases of the sockets with a claim, by session. */
  readonly #claimed = new Map<string, HeldLease>();

  constructor(unclaimed = { slots: 0, sockets: 0, reservedMs: 0 }) {
    this.#unclaimed = unclaimed;
  }

  of(sessionId: string): HeldLease | undefined {
    return this.#claimed.get(sessionId);
  }

  set(sessionId: string, lease: HeldLease): void {
    this.#claimed.set(sessionId, lease);
  }

  /** Returns the sums over all sockets except one. */
  sumWithout(sessionId: string) {
    let { slots, sockets, reservedMs } = this.#unclaimed;
    for (const [id, lease] of this.#claimed) {
      if (id === sessionId) continue;
      slots += Number(lease.holdsSlot);
      sockets++;
      reservedMs += lease.reservedMs;
    }
    return { slots, sockets, reservedMs };
  }
}

/**
 * Reads the valid leases of accounts.
 *
 * A separate statement after the lock. A single one for both would count the rows as they were before it waited.
 *
 * @param accountIds - Accounts whose rows are locked.
 */
async function readLeases(
  queries: Queries,
  accountIds: readonly string[],
  claims: readonly LeaseClaim[],
): Promise<Map<string, AccountLeases>> {
  const leases = new Map<string, AccountLeases>(accountIds.map((accountId) => [accountId, new AccountLeases()]));
  if (accountIds.length === 0) return leases;
  const rows = await queries.query<{
    accountId: string;
    /** `null` for the sum over sockets without a claim. */
    sessionId: string | null;
    slots: number;
    sockets: number;
    reservedMs: number;
  }>(
    `select account_id as "accountId", case when session_id = any($2::text[]) then session_id end as "sessionId",
            count(*) filter (where holds_slot) as slots, count(*) as sockets, sum(reserved_ms)::bigint as "reservedMs"
       from lease where account_id = any($1::text[]) and expires_at > svc_now()
      group by 1, 2 order by 2 nulls first`,
    [accountIds, claims.map(({ sessionId }) => sessionId)],
  );
  for (const { accountId, sessionId, ...sums } of rows) {
    if (sessionId === null) leases.set(accountId, new AccountLeases(sums));
    else leases.get(accountId)!.set(sessionId, { holdsSlot: sums.slots > 0, reservedMs: sums.reservedMs });
  }
  return leases;
}

/** Writes granted leases, and a row in the ledger for all charges of each socket. */
async function writeLeases(
  queries: Queries,
  granted: readonly (LeaseClaim & { readonly reservedMs: number })[],
  ttlMs: number,
): Promise<void> {
  await queries.query(
    `with part as
       (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
          as part (session_id, account_id, key_id, node, slots, reserved_ms)),
     entry as
       (insert into ledger (account_id, kind, amount_ms, session_id, node)
        select account_id, 'usage', 0, session_id, node from part on conflict (session_id) do nothing)
     insert into lease (session_id, account_id, key_id, node, holds_slot, reserved_ms, expires_at)
     select session_id, account_id, key_id, node, slots = 1, reserved_ms, svc_now() + $7::integer * interval '1 millisecond'
       from part
     on conflict (session_id) do update set holds_slot = excluded.holds_slot, expires_at = excluded.expires_at,
       reserved_ms = excluded.reserved_ms`,
    [
      granted.map(({ sessionId }) => sessionId),
      granted.map(({ accountId }) => accountId),
      granted.map(({ keyId }) => keyId),
      granted.map(({ node }) => node),
      granted.map(({ takesSlot }) => Number(takesSlot)),
      granted.map(({ reservedMs }) => reservedMs),
      ttlMs,
    ],
  );
}
