import type { Database } from '../store/database.js';
import { DEMO_AVATAR_ID, demoAvatar } from './demo-avatar.js';

/** Account that owns the demo avatar; it has no key, no plan and no credits. */
export const DEMO_AVATAR_OWNER = 'svc-service';

/**
 * Adds the demo avatar `demo`, public and available, to the database. Every node calls this at every start. A demo
 * avatar with a lower revision gets the new drawing; its status and visibility stay as the operator set them. An avatar
 * `demo` that belongs to another account is left unchanged.
 *
 * @param bundle - Replacement for tests.
 */
export async function seedDemoAvatar(database: Database, bundle = demoAvatar): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.query("insert into account (id, plan) values ($1, 'none') on conflict do nothing", [
      DEMO_AVATAR_OWNER,
    ]);
    await queries.query(
      `insert into avatar (id, owner, is_public, status, name, revision, bundle)
       values ($1, $2, true, 'available', $3, $4, $5)
       on conflict (id) do update
         set name = excluded.name, revision = excluded.revision, bundle = excluded.bundle
         where avatar.owner = excluded.owner and avatar.revision < excluded.revision`,
      [DEMO_AVATAR_ID, DEMO_AVATAR_OWNER, bundle.avatar.name, bundle.revision, JSON.stringify(bundle)],
    );
  });
}
