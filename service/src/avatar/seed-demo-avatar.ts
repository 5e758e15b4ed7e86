import type { Database } from '../store/database.js';
import { DEMO_AVATAR_ID, demoAvatar } from './demo-avatar.js';

/** Account that the demo avatar belongs to; it has no key, no plan and no credits. */
export const DEMO_AVATAR_OWNER = 'svc-service';

/**
 * Puts the demo avatar into the database, at every start of every node: `demo`, public and available. One of a lower
 * revision gets our drawing; its status, and whether it is public, stay as an operator set them. An avatar `demo` of
 * somebody else is left alone.
 *
 * @param bundle - Another one, for tests.
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
