import type { Database, Queries } from '../store/database.js';
import { AccountError } from './account-error.js';
import { keepKey } from './accounts.js';
import { hashApiKey, makeApiKey } from './api-key.js';
import { creditsToMs } from './credits.js';
import { grantTo, openAccount } from './open-account.js';
import { PLANS } from './plans.js';

/** The user who is there from the beginning, with plan pro. */
export const FIRST_USER = 'owner';

/**
 * Sees to it that there is a user and a key to begin with. Nodes that start at once do it one after the other.
 *
 * Each key of the environment (`SVC_API_KEY`) becomes one of {@link FIRST_USER}, unless it is somebody's already. No key is
 * revoked: nodes may have different ones. Without any, and if no key in the store can be used, one is made.
 *
 * @returns The key that was made, to be shown now or never; `null` if none was.
 * @throws {AccountError} If a key of the environment was revoked: a revoked key never works again.
 */
export async function bootstrap(database: Database, fromEnvironment: readonly string[] = []): Promise<string | null> {
  const made = makeApiKey();
  return await database.transaction(async (queries) => {
    // Its row stays locked until the end, which is what makes other nodes wait.
    const isNew = await openAccount(queries, FIRST_USER, 'pro');
    if (isNew) await grantTo(queries, FIRST_USER, creditsToMs(PLANS.pro.firstCredits));
    for (const key of fromEnvironment) await takeKey(queries, key);
    if (fromEnvironment.length > 0) return null;
    const usable = await queries.query('select id from api_key where revoked_at is null limit 1');
    if (usable.length > 0) return null;
    await keepKey(queries, FIRST_USER, made, false);
    return made;
  });
}

/** Keeps a key of the environment. */
async function takeKey(queries: Queries, apiKey: string): Promise<void> {
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
  if (!known) await keepKey(queries, FIRST_USER, apiKey, true);
}
