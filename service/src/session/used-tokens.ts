import type { Queries } from '../store/database.js';

/** Deletes tokens that have expired, by the clock of the slowest node: clocks may differ by ten minutes. */
export const PURGE_USED_TOKENS = `
  delete from used_token where id in
    (select id from used_token where expires_at < svc_now() - interval '10 minutes' for update skip locked)`;

/** The tokens that have opened a socket, so that each opens only one on all nodes. */
export interface UsedTokens {
  /**
   * Marks a token as used.
   *
   * @param expiresAtMs - Time after which it may be forgotten, in milliseconds since 1970.
   * @returns `false` if it was used before.
   */
  use(id: string, expiresAtMs: number): Promise<boolean>;
}

/** The tokens in the database, for all nodes. */
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
