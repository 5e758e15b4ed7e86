import type { Queries } from '../store/database.js';

/** Time after the last token for a room during which the room stays with its account. */
const KEPT = "interval '24 hours'";

/** Deletes rooms that no longer belong to an account. */
export const PURGE_ROOMS = `
  delete from room where name in
    (select name from room where used_at < svc_now() - ${KEPT} for update skip locked)`;

/** Owners of rooms. A room belongs to the account that claimed it first. */
export interface Rooms {
  /** Claims a room for an account, or extends its claim by a day. Returns false if another account has the room. */
  claim(room: string, accountId: string): Promise<boolean>;
}

/** Creates the rooms stored in the database, shared by all nodes. */
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
