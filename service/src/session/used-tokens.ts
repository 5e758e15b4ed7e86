import type { Queries } from '../store/database.js';

/** Deletes expired tokens 10 minutes late, because the clocks of the nodes may differ by that much. */
export const PURGE_USED_TOKENS = `
  delete from used_token where id in
    (select id from used_token where expires_at < svc_now() - interval '10 minutes' for update skip locked)`;

/**
 * Marks a token as used. Each token opens only one socket, across all nodes.
 *
 * @param expiresAtMs - Time after which the entry may be deleted, in milliseconds since 1970.
 * @returns `false` if it was used before.
 */
export async function useToken(queries: Queries, id: string, expiresAtMs: number): Promise<boolean> {
  const added = await queries.query(
    'insert into used_token (id, expires_at) values ($1, $2) on conflict do nothing returning id',
    [id, new Date(expiresAtMs)],
  );
  return added.length > 0;
}
