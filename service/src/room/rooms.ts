import type { Queries } from '../store/database.js';

/** Time after the last token for a room during which the room stays with its account. */
const KEPT = "interval '24 hours'";

/** Deletes rooms that no longer belong to an account. */
export const PURGE_ROOMS = `
  delete from room where name in
    (select name from room where used_at < svc_now() - ${KEPT} for update skip locked)`;

/**
 * Claims a room for an account, or extends its claim by a day. A room belongs to the account that claimed it first.
 *
 * @returns False if another account has the room.
 */
export async function claimRoom(queries: Queries, room: string, accountId: string): Promise<boolean> {
  const claimed = await queries.query(
    `insert into room as held (name, account_id, used_at) values ($1, $2, svc_now())
     on conflict (name) do update set account_id = excluded.account_id, used_at = excluded.used_at
      where held.account_id = excluded.account_id or held.used_at < svc_now() - ${KEPT}
     returning name`,
    [room, accountId],
  );
  return claimed.length > 0;
}
