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
 * The key of the environment (`SVC_API_KEY`) becomes one of {@link FIRST_USER}, unless it is somebody's already; earlier
 * ones from the environment are revoked. Without one, and if no key in the store can be used, one is made.
 *
 * @returns The key that was made, to be shown now or never; `null` if none was.
 * @throws {AccountError} If the key of the environment was revoked: a revoked key never works again.
 */
export async function bootstrap(database: Database, fromEnvironment?: string): Promise<string | null> {
  const made = makeApiKey();
  return await database.transaction(async (queries) => {
    // Its row stays locked until the end, which is what makes other nodes wait.
    const isNew = await openAccount(queries, FIRST_USER, 'pro');
    if (isNew) await grantTo(queries, FIRST_USER, creditsToMs(PLANS.pro.firstCredits));
    if (fromEnvironment) {
      await takeKey(queries, fromEnvironment);
      return null;
    }
    const usable = await queries.query('select id from api_key where revoked_at is null limit 1');
    if (usable.length > 0) return null;
    await keepKey(queries, FIRST_USER, made, false);
    return made;
  });
}

/** Keeps the key of the environment, in place of what was there before. */
async function takeKey(queries: Queries, apiKey: string): Promise<void> {
  const { hash } = hashApiKey(apiKey);
  const [known] = await queries.query<{ id: string; revoked_at: Date | null }>(
    'select id, revoked_at from api_key where hash = $1',
    [hash],
  );
  if (known?.revoked_at) {
    throw new AccountError(
      `SVC_API_KEY is a key that was revoked (${known.id}, ${known.revoked_at.toISOString()}): set another one.`,
    );
  }
  await queries.query(
    'update api_key set revoked_at = svc_now() where from_environment and revoked_at is null and hash <> $1',
    [hash],
  );
  if (!known) await keepKey(queries, FIRST_USER, apiKey, true);
}
