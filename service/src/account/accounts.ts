import { randomBytes } from 'node:crypto';
import type { Database, Queries } from '../store/database.js';
import { AccountError } from './account-error.js';
import { hashApiKey, isSameHash, makeApiKey } from './api-key.js';
import { creditsToMs, msToCredits } from './credits.js';
import { once } from './idempotency.js';
import { readKeys, type KeyRow } from './keys.js';
import { readLedger, type LedgerRow } from './ledger.js';
import { grantTo, noSuchUser, openAccount } from './open-account.js';
import { PLAN_NAMES, PLANS, type PlanName } from './plans.js';
import { checkUserId, makeUserId } from './user-id.js';
import { requireUser } from './users.js';

const KEY_ID = /^key_[0-9a-f]{18}$/;

/** Account of an API key at the time of the query. */
export interface KeyHolder {
  /** Id of the account, which is also the id of its user. */
  readonly accountId: string;
  readonly keyId: string;
  readonly plan: PlanName;
  /** Balance of the account, in milliseconds of an open socket. */
  readonly balanceMs: number;
}

/** Parameters of a new key. */
export interface NewKey {
  /** Id of the user who owns the key; a new user by default. */
  readonly user?: string;
  /** Plan of the user. A new user has `starter` by default; an existing user keeps its plan by default. */
  readonly plan?: PlanName;
  /** Seconds of an open socket to grant; by default the plan's first credits for a new user, 0 for an existing one. */
  readonly credits?: number;
  /** Makes one key, however often the request arrives within a day. */
  readonly idempotencyKey?: string;
}

/** Result of a grant. */
export interface Granted {
  readonly user: string;
  /** The balance after it, in seconds of an open socket. */
  readonly credits: number;
  /** True for a repetition, which granted nothing. */
  readonly isRepeated?: true;
}

/** Users, their keys and their credits. Main thread. Nothing is cached in memory, so all nodes always agree. */
export interface Accounts {
  /** Returns the holder of a key; `null` if the key is unknown or revoked. */
  authenticate(apiKey: string): Promise<KeyHolder | null>;
  /**
   * Makes a key, and its user if the user is new. The key itself is available in this result only.
   *
   * @throws {AccountError} If the user's id, the plan or the credits are invalid, or the idempotency key was used.
   */
  createKey(key?: NewKey): Promise<{ id: string; key: string; user: string }>;
  /** Returns all keys, including revoked ones, oldest first. */
  listKeys(): Promise<KeyRow[]>;
  /**
   * Revokes a key immediately for all nodes. Revoking it again has no effect.
   *
   * @throws {AccountError} If the key does not exist.
   */
  revokeKey(id: string): Promise<{ id: string; user: string; revoked_at: Date }>;
  /**
   * Changes the plan of a user. Open sockets adopt it at their next heartbeat.
   *
   * @throws {AccountError} If the user or the plan does not exist.
   */
  setPlan(user: string, plan: PlanName): Promise<{ user: string; plan: PlanName }>;
  /**
   * Grants credits.
   *
   * @param credits - Seconds of an open socket.
   * @param idempotencyKey - Grants them once, however often the request arrives within a day.
   * @throws {AccountError} If the user does not exist, the credits are invalid, or the idempotency key was used for
   *   something else.
   */
  grant(user: string, credits: number, idempotencyKey?: string): Promise<Granted>;
  /**
   * Iterates over the ledger of one user or of all users, oldest row first.
   *
   * @throws {AccountError} If the user does not exist.
   */
  ledger(user?: string): AsyncIterable<LedgerRow>;
}

/** Creates the accounts stored in a database. */
export function createAccounts(database: Database): Accounts {
  return {
    async authenticate(apiKey) {
      const { hash, lookup } = hashApiKey(apiKey);
      const rows = await database.query<KeyHolder & { hash: Uint8Array }>(
        `select account.id as "accountId", api_key.id as "keyId", plan, balance_ms as "balanceMs", hash
         from api_key join account on account.id = account_id where lookup = $1 and revoked_at is null`,
        [lookup],
      );
      const found = rows.find((row) => isSameHash(row.hash, hash));
      if (!found) return null;
      const { accountId, keyId, plan, balanceMs } = found;
      return { accountId, keyId, plan, balanceMs };
    },

    async createKey({ user: given, plan, credits, idempotencyKey } = {}) {
      const user = given ?? makeUserId();
      checkUserId(user);
      if (plan !== undefined) checkPlan(plan);
      const grantMs = credits === undefined ? undefined : creditsToMs(credits);
      const key = makeApiKey();
      const make = async (queries: Queries): Promise<{ id: string; user: string }> => {
        const firstPlan = plan ?? 'starter';
        const isNew = await openAccount(queries, user, firstPlan);
        if (!isNew && plan) await queries.query('update account set plan = $2 where id = $1', [user, plan]);
        await grantTo(queries, user, grantMs ?? (isNew ? creditsToMs(PLANS[firstPlan].firstCredits) : 0));
        return { id: await keepKey(queries, user, key, 'made'), user };
      };
      const { result, isRepeated } = await database.transaction((queries) =>
        once(queries, idempotencyKey, ['keys create', given, plan, credits], () => make(queries)),
      );
      if (!isRepeated) return { id: result.id, key, user };
      throw new AccountError(
        `This Idempotency-Key has made the key ${result.id} of user ${result.user}, which is shown once. If it is lost, ` +
          'revoke it, and make another with credits 0 and a new Idempotency-Key.',
        { isConflict: true },
      );
    },

    listKeys: () => readKeys(database),

    async revokeKey(id) {
      // Do not query other strings: a NUL character, for example, is an error in the database.
      const [row] = !KEY_ID.test(id)
        ? []
        : await database.query<{ id: string; user: string; revoked_at: Date }>(
            `update api_key set revoked_at = coalesce(revoked_at, svc_now()) where id = $1
         returning id, account_id as user, revoked_at`,
            [id],
          );
      if (row) return row;
      throw new AccountError(
        `There is no key ${JSON.stringify(id.slice(0, 40))}: svc-service keys list shows the ids of all.`,
        { isMissing: true },
      );
    },

    async setPlan(user, plan) {
      checkUserId(user);
      checkPlan(plan);
      const changed = await database.query('update account set plan = $2 where id = $1 returning id', [user, plan]);
      if (changed.length === 0) throw noSuchUser(user);
      return { user, plan };
    },

    async grant(user, credits, idempotencyKey) {
      const amountMs = creditsToMs(credits);
      const { result, isRepeated } = await database.transaction((queries) =>
        once(queries, idempotencyKey, ['credits add', user, credits], async () => ({
          user,
          credits: msToCredits(await grantTo(queries, user, amountMs)),
        })),
      );
      return { ...result, ...(isRepeated && { isRepeated }) };
    },

    async *ledger(user) {
      if (user !== undefined) await requireUser(database, user);
      yield* readLedger(database, user);
    },
  };
}

function checkPlan(plan: string): void {
  if ((PLAN_NAMES as readonly string[]).includes(plan)) return;
  throw new AccountError(`The plan ${JSON.stringify(plan.slice(0, 40))} is not one of ${PLAN_NAMES.join(', ')}.`);
}

/**
 * Stores the hash of a key.
 *
 * @param origin - `environment` if the key comes from `SVC_API_KEY`.
 * @returns The id of the key.
 */
export async function keepKey(
  queries: Queries,
  accountId: string,
  apiKey: string,
  origin: 'environment' | 'made',
): Promise<string> {
  const id = `key_${randomBytes(9).toString('hex')}`;
  const { hash, lookup } = hashApiKey(apiKey);
  await queries.query(
    'insert into api_key (id, account_id, lookup, hash, from_environment) values ($1, $2, $3, $4, $5)',
    [id, accountId, lookup, hash, origin === 'environment'],
  );
  return id;
}
