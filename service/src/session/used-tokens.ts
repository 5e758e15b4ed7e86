import type { Clock } from '../clock.js';
import type { Queries } from '../store/database.js';

/** How often records that are of no more use are deleted, in milliseconds. */
const PURGE_MS = 60_000;

/** The record of tokens that were used, so that each opens one socket only, whichever node it is. */
export interface UsedTokens {
  /**
   * Marks a token as used.
   *
   * @param expiresAtMs - It may be forgotten after this, in milliseconds since 1970.
   * @returns `false` if it was used before.
   */
  use(id: string, expiresAtMs: number): Promise<boolean>;
}

/** The record in the database. */
export function createUsedTokens(queries: Queries, clock: Clock): UsedTokens {
  let purgedAt = clock.elapsed();
  return {
    async use(id, expiresAtMs) {
      const now = clock.elapsed();
      if (now - purgedAt >= PURGE_MS) {
        purgedAt = now;
        // By this node's time, as tokens expire; others may be behind it, so what has expired lately is kept.
        const expiredBefore = new Date(clock.now() - PURGE_MS);
        await queries.query('delete from used_token where expires_at < $1', [expiredBefore]);
      }
      const added = await queries.query<{ id: string }>(
        'insert into used_token (id, expires_at) values ($1, $2) on conflict do nothing returning id',
        [id, new Date(expiresAtMs)],
      );
      return added.length > 0;
    },
  };
}
