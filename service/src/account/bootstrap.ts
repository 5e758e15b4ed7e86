import type { Database, Queries } from '../store/database.js';
import { AccountError } from './account-error.js';
import { keepKey } from './accounts.js';
import { hashApiKey, makeApiKey } from './api-key.js';
import { creditsToMs } from './credits.js';
import { grantTo, openAccount } from './open-account.js';
import { PLANS } from './plans.js';

/** Id of the user that always exists; its plan is pro. */
export const FIRST_USER = 'owner';

/**
 * Makes sure that a first user and a first key exist. If several nodes start at the same time, they do this one after
 * the other.
 *
 * Each key of the environment (`SVC_API_KEY`) becomes a key of {@link FIRST_USER}, unless the store already has it. No
 * key is revoked, since nodes may have different keys. If the environment has no key and the store has no usable one, a
 * key is made.
 *
 * @returns The new key, which cannot be shown later; `null` if none was made.
 * @throws {AccountError} If a key of the environment was revoked: a revoked key never works again.
 */
export async function bootstrap(database: Database, fromEnvironment: readonly string[] = []): Promise<string | null> {
  const made = makeApiKey();
  return await database.transaction(async (queries) => {
    // The account's row stays locked until the transaction ends, so other nodes wait here.
    const isNew = await openAccount(queries, FIRST_USER, 'pro');
    if (isNew) await grantTo(queries, FIRST_USER, creditsToMs(PLANS.pro.firstCredits));
    for (const key of fromEnvironment) await ensureKey(queries, key);
    if (fromEnvironment.length > 0) return null;
    const usable = await queries.query('select id from api_key where revoked_at is null limit 1');
    if (usable.length > 0) return null;
    await keepKey(queries, FIRST_USER, made, 'made');
    return made;
  });
}

/** Stores a key of the environment, unless the store already has it. */
async function ensureKey(queries: Queries, apiKey: string): Promise<void> {
  const { hash } = hashApiKey(apiKey);
  const [known] = await queries.query<{ id: string; revoked_at: Date | null }>(
    'select id, revoked_at from api_key where hash = $1',
    [hash],
  );
  if (known?.revoked_at) {
    throw new AccountError(
      `SVC_API_KEY has a key that was revoked (${known.id}, ${known.revoked_at.toISOString()}): take it out.`,
    );
  }
  if (!known) await keepKey(queries, FIRST_USER, apiKey, 'environment');
}
