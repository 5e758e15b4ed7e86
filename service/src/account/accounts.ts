import { randomBytes } from 'node:crypto';
import type { Database, Queries } from '../store/database.js';
import { AccountError } from './account-error.js';
import { hashApiKey, isSameHash, makeApiKey } from './api-key.js';
import { creditsToMs, msToCredits } from './credits.js';
import { readKeys, type KeyRow } from './keys.js';
import { readLedger, type LedgerRow } from './ledger.js';
import { grantTo, noSuchUser, openAccount } from './open-account.js';
import { PLAN_NAMES, PLANS, type PlanName } from './plans.js';
import { checkUserId, makeUserId } from './user-id.js';

const KEY_ID = /^key_[0-9a-f]{18}$/;

/** Whose an API key is, as of now. */
export interface KeyHolder {
  /** The account, which is its user's id, too. */
  readonly accountId: string;
  readonly keyId: string;
  readonly plan: PlanName;
  /** What is left on the account, in milliseconds of an open socket. */
  readonly balanceMs: number;
}

/** A key to be made. */
export interface NewKey {
  /** Whose it is; a new user's by default. */
  readonly user?: string;
  /** `starter` for a new user by default; somebody else's plan is changed only if one is given. */
  readonly plan?: PlanName;
  /** Seconds of an open socket to give. By default a new user gets what the plan begins with, and another one nothing. */
  readonly credits?: number;
}

/** Users, their keys and their money. Main thread; nothing is kept in memory, so that all nodes always agree. */
export interface Accounts {
  /** Whose key this is; `null` if it is wrong or revoked. */
  authenticate(apiKey: string): Promise<KeyHolder | null>;
  /**
   * Makes a key, and its user if that one is new. The answer is the only place where the key is ever seen.
   *
   * @throws {AccountError} If the user's id, the plan or the credits cannot be.
   */
  createKey(key?: NewKey): Promise<{ id: string; key: string; user: string }>;
  /** All keys, revoked ones too, oldest first. */
  listKeys(): Promise<KeyRow[]>;
  /**
   * Revokes a key, at once and for all nodes; once more is harmless.
   *
   * @throws {AccountError} If there is no such key.
   */
  revokeKey(id: string): Promise<{ id: string; user: string; revoked_at: Date }>;
  /**
   * Changes the plan of a user. Open sockets follow it at their next heartbeat.
   *
   * @throws {AccountError} If there is no such user or plan.
   */
  setPlan(user: string, plan: PlanName): Promise<{ user: string; plan: PlanName }>;
  /**
   * Gives credits.
   *
   * @param credits - Seconds of an open socket.
   * @returns What the user has then.
   * @throws {AccountError} If there is no such user, or the credits cannot be.
   */
  grant(user: string, credits: number): Promise<{ user: string; credits: number }>;
  /**
   * What was given and used, oldest first; of one user, or of all.
   *
   * @throws {AccountError} If there is no such user.
   */
  ledger(user?: string): AsyncIterable<LedgerRow>;
}

/** Accounts in a database. */
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

    async createKey({ user = makeUserId(), plan, credits } = {}) {
      checkUserId(user);
      if (plan !== undefined) checkPlan(plan);
      const grantMs = credits === undefined ? undefined : creditsToMs(credits);
      const key = makeApiKey();
      return await database.transaction(async (queries) => {
        const firstPlan = plan ?? 'starter';
        const isNew = await openAccount(queries, user, firstPlan);
        if (!isNew && plan) await queries.query('update account set plan = $2 where id = $1', [user, plan]);
        await grantTo(queries, user, grantMs ?? (isNew ? creditsToMs(PLANS[firstPlan].firstCredits) : 0));
        return { id: await keepKey(queries, user, key, false), key, user };
      });
    },

    listKeys: () => readKeys(database),

    async revokeKey(id) {
      // Anything else is not asked for: a NUL in it, for one, would be an error of the database.
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

    async grant(user, credits) {
      const amountMs = creditsToMs(credits);
      const balanceMs = await database.transaction((queries) => grantTo(queries, user, amountMs));
      return { user, credits: msToCredits(balanceMs) };
    },

    async *ledger(user) {
      if (user !== undefined) {
        checkUserId(user);
        const found = await database.query('select id from account where id = $1', [user]);
        if (found.length === 0) {
          throw new AccountError(`There is no user ${user}: see svc-service keys list.`, { isMissing: true });
        }
      }
      yield* readLedger(database, user);
    },
  };
}

function checkPlan(plan: string): void {
  if ((PLAN_NAMES as readonly string[]).includes(plan)) return;
  throw new AccountError(`The plan ${JSON.stringify(plan.slice(0, 40))} is not one of ${PLAN_NAMES.join(', ')}.`);
}

/** @returns The id of the key. */
export async function keepKey(
  queries: Queries,
  accountId: string,
  apiKey: string,
  fromEnvironment: boolean,
): Promise<string> {
  const id = `key_${randomBytes(9).toString('hex')}`;
  const { hash, lookup } = hashApiKey(apiKey);
  await queries.query(
    'insert into api_key (id, account_id, lookup, hash, from_environment) values ($1, $2, $3, $4, $5)',
    [id, accountId, lookup, hash, fromEnvironment],
  );
  return id;
}
