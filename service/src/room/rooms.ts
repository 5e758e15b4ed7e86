import type { Queries } from '../store/database.js';

/** How long a room stays with the account that named it, after the last token for it. */
const KEPT = "interval '24 hours'";

/** Deletes rooms that belong to nobody any more. */
export const PURGE_ROOMS = `
  delete from room where name in
    (select name from room where used_at < svc_now() - ${KEPT} for update skip locked)`;

/** The account that each room belongs to: the one that named it first. */
export interface Rooms {
  /** Takes a room for an account, or keeps it for another day. Returns false if it is another account's. */
  claim(room: string, accountId: string): Promise<boolean>;
}

/** The rooms in the database, for all nodes. */
export function createRooms(queries: Queries): Rooms {
  return {
    async claim(room, accountId) {
      const claimed = await queries.query(
        `insert into room as held (name, account_id, used_at) values ($1, $2, svc_now())
         on conflict (name) do update set account_id = excluded.account_id, used_at = excluded.used_at
          where held.account_id = excluded.account_id or held.used_at < svc_now() - ${KEPT}
         returning name`,
        [room, accountId],
      );
      return claimed.length > 0;
    },
  };
}
