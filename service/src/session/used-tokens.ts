import type { Queries } from '../store/database.js';

/** Deletes expired tokens 10 minutes late, because the clocks of the nodes may differ by that much. */
export const PURGE_USED_TOKENS = `
  delete from used_token where id in
    (select id from used_token where expires_at < svc_now() - interval '10 minutes' for update skip locked)`;

/** Tokens that have opened a socket. Each token opens only one, across all nodes. */
export interface UsedTokens {
  /**
   * Marks a token as used.
   *
   * @param expiresAtMs - Time after which the entry may be deleted, in milliseconds since 1970.
   * @returns `false` if it was used before.
   */
  use(id: string, expiresAtMs: number): Promise<boolean>;
}

/** Creates the used tokens stored in the database, shared by all nodes. */
export function createUsedTokens(queries: Queries): UsedTokens {
  return {
    async use(id, expiresAtMs) {
      const added = await queries.query<{ id: string }>(
        'insert into used_token (id, expires_at) values ($1, $2) on conflict do nothing returning id',
        [id, new Date(expiresAtMs)],
      );
      return added.length > 0;
    },
  };
}
