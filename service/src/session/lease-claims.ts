import { PLANS, type PlanName } from '../account/plans.js';
import type { Database, Queries } from '../store/database.js';
import { reservation } from './credit-shares.js';

/** Sockets that an account may have open per slot. A socket without a slot is open but may not speak yet. */
const SOCKETS_PER_SLOT = 4;

/** Maximum number of claims that are granted in one transaction. */
const CLAIMS_AT_ONCE = 100;

/** Number of accounts whose claims get transactions of their own. Beyond it, accounts share one. */
const ACCOUNTS_ALONE = 4;

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
}

/**
 * Grants leases. Claims of an account that wait share a transaction, and hold one connection.
 *
 * If many accounts claim at the same time, they share one too. So a node whose leases have all expired, because the
 * database was busy or away, gets them again with a few transactions, not with one for each socket. An account whose
 * row is locked elsewhere then gets a transaction of its own, so that it delays no other.
 */
export class LeaseClaims {
  readonly #options: LeaseClaimsOptions;
  /** Waiting claims of accounts that share a transaction. */
  readonly #shared: WaitingClaim[] = [];
  #isGranting = false;
  /** Waiting claims of each account that has a transaction of its own; the list may be empty. */
  readonly #alone = new Map<string, WaitingClaim[]>();

  constructor(options: LeaseClaimsOptions) {
    this.#options = options;
  }

  /**
   * Creates or renews the lease of a socket, with or without a slot.
   *
   * @throws Errors of the database, also for a claim that waits behind one that fails.
   */
  claim(claim: LeaseClaim): Promise<LeaseGrant> {
    return new Promise((resolve, reject) => {
      const waiting = { claim, resolve, reject };
      if (this.#alone.has(claim.accountId) || this.#alone.size < ACCOUNTS_ALONE) return this.#grantAlone(waiting);
      this.#shared.push(waiting);
      if (!this.#isGranting) void this.#grantShared();
    });
  }

  async #grantShared(): Promise<void> {
    this.#isGranting = true;
    while (this.#shared.length > 0) {
      const locked = await this.#grantFirst(this.#shared, 'skip locked');
      for (const waiting of locked) this.#grantAlone(waiting);
    }
    this.#isGranting = false;
  }

  #grantAlone(waiting: WaitingClaim): void {
    const { accountId } = waiting.claim;
    const list = this.#alone.get(accountId);
    if (list) list.push(waiting);
    else void this.#grantOf(accountId, [waiting]);
  }

  /** @param list - Claims of an account that has no transaction yet. Others may be added while it runs. */
  async #grantOf(accountId: string, list: WaitingClaim[]): Promise<void> {
    this.#alone.set(accountId, list);
    while (list.length > 0) await this.#grantFirst(list, '');
    this.#alone.delete(accountId);
  }

  /**
   * Decides the first claims of a list in one transaction. If that fails, all claims of the list fail. Never rejects.
   *
   * @returns Those that are undecided, because the rows of their accounts are locked elsewhere.
   */
  async #grantFirst(list: WaitingClaim[], ifLocked: IfLocked): Promise<WaitingClaim[]> {
    const first = list.splice(0, CLAIMS_AT_ONCE);
    try {
      const claims = first.map(({ claim }) => claim);
      const grants = await this.#options.database.transaction((queries) => this.#decide(queries, claims, ifLocked));
      return first.filter(({ resolve }, index) => {
        const grant = grants[index]!;
        if (grant !== 'locked') resolve(grant);
        return grant === 'locked';
      });
    } catch (error) {
      for (const { reject } of [...first, ...list.splice(0)]) reject(error);
      return [];
    }
  }

  /** Decides claims in their order. Each counts those granted before it. */
  async #decide(
    queries: Queries,
    claims: readonly LeaseClaim[],
    ifLocked: IfLocked,
  ): Promise<readonly (LeaseGrant | 'locked')[]> {
    const payers = await lockPayers(queries, claims, ifLocked);
    const uses = await readUses(queries, [...payers.keys()], claims);
    const granted = new Map<string, LeaseClaim & { readonly reservedMs: number }>();
    const grants = claims.map((claim) => {
      const payer = payers.get(claim.accountId);
      if (!payer && ifLocked) return 'locked';
      const use = uses.get(claim.accountId) ?? new AccountUse();
      const grant = payer?.validKeys.has(claim.keyId) ? this.#grant(claim, payer, use) : refuseFor('key-revoked');
      if (grant.granted) {
        use.set(claim.sessionId, { holdsSlot: claim.takesSlot, reservedMs: grant.reservedMs });
        granted.set(claim.sessionId, { ...claim, reservedMs: grant.reservedMs });
      }
      return grant;
    });
    if (granted.size > 0) await writeLeases(queries, [...granted.values()], this.#options.ttlMs);
    return grants;
  }

  #grant({ premium, sessionId, takesSlot }: LeaseClaim, { balanceMs, plan }: Payer, use: AccountUse): LeaseGrant {
    const { socketsMax, ttlMs } = this.#options;
    const ceiling = this.#options.ceiling ?? PLANS[plan].maxConcurrentSessions;
    const others = use.without(sessionId);
    const creditMs = balanceMs - others.reservedMs;
    const refusal = refuse(plan, creditMs, premium);
    if (refusal) return refuseFor(refusal);
    if ((takesSlot && others.slots >= ceiling) || others.sockets >= (socketsMax ?? SOCKETS_PER_SLOT * ceiling)) {
      return refuseFor('too-many-sockets');
    }
    const reservedMs = use.of(sessionId)?.reservedMs ?? Math.min(creditMs, reservation(creditMs, 1, ttlMs));
    return { granted: true, reservedMs, spareMs: Math.max(0, creditMs - reservedMs) };
  }
}

/** Returns the reason why an account may not have a socket open, apart from ceilings. */
export function refuse(plan: PlanName, creditMs: number, premium: boolean): LeaseRefusal | null {
  if (plan === 'none' || creditMs <= 0) return 'out-of-credits';
  return premium && !PLANS[plan].premiumVoices ? 'voice-refused' : null;
}

function refuseFor(refusal: LeaseRefusal): LeaseGrant {
  return { granted: false, refusal };
}

/** Treatment of rows that are locked elsewhere: leave them out, or wait for them (an empty string). */
export type IfLocked = '' | 'skip locked';

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
  ifLocked: IfLocked,
): Promise<Map<string, Payer>> {
  const rows = await queries.query<{ id: string; plan: PlanName; balanceMs: number; key: string | null }>(
    `select account.id, account.plan, account.balance_ms as "balanceMs", api_key.id as key
       from account left join api_key
         on api_key.account_id = account.id and api_key.revoked_at is null and api_key.id = any($2::text[])
      where account.id = any($1::text[]) order by account.id for update of account ${ifLocked}`,
    [[...new Set(claims.map(({ accountId }) => accountId))], [...new Set(claims.map(({ keyId }) => keyId))]],
  );
  const payers = new Map<string, Payer & { readonly validKeys: Set<string> }>();
  for (const { id, key, ...account } of rows) {
    const payer = payers.get(id) ?? { ...account, validKeys: new Set() };
    if (key !== null) payer.validKeys.add(key);
    payers.set(id, payer);
  }
  return payers;
}

/** The lease of one socket. */
interface SocketUse {
  readonly holdsSlot: boolean;
  readonly reservedMs: number;
}

/** Slots, sockets and reserved credit of an account. */
class AccountUse {
  /** Those of sockets without a claim. */
  readonly #others: { readonly slots: number; readonly sockets: number; readonly reservedMs: number };
  readonly #sockets = new Map<string, SocketUse>();

  constructor(others = { slots: 0, sockets: 0, reservedMs: 0 }) {
    this.#others = others;
  }

  set(sessionId: string, use: SocketUse): void {
    this.#sockets.set(sessionId, use);
  }

  of(sessionId: string): SocketUse | undefined {
    return this.#sockets.get(sessionId);
  }

  /** Returns the sums over all sockets except one. */
  without(sessionId: string) {
    let { slots, sockets, reservedMs } = this.#others;
    for (const [id, use] of this.#sockets) {
      if (id === sessionId) continue;
      slots += Number(use.holdsSlot);
      sockets++;
      reservedMs += use.reservedMs;
    }
    return { slots, sockets, reservedMs };
  }
}

/**
 * Reads what the accounts use.
 *
 * A separate statement after the lock. A single one for both would count the rows as they were before it waited.
 *
 * @param accountIds - Accounts whose rows are locked.
 */
async function readUses(
  queries: Queries,
  accountIds: readonly string[],
  claims: readonly LeaseClaim[],
): Promise<Map<string, AccountUse>> {
  if (accountIds.length === 0) return new Map();
  const rows = await queries.query<{
    accountId: string;
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
  const uses = new Map<string, AccountUse>(accountIds.map((accountId) => [accountId, new AccountUse()]));
  for (const { accountId, sessionId, ...use } of rows) {
    if (sessionId === null) uses.set(accountId, new AccountUse(use));
    else uses.get(accountId)!.set(sessionId, { holdsSlot: use.slots > 0, reservedMs: use.reservedMs });
  }
  return uses;
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
