import { randomBytes } from 'node:crypto';
import type { Queries } from './database.js';

/**
 * A secret that all nodes of a database share; whoever asks first makes it.
 *
 * @param make - Makes it, if there is none; 256 random bits as base64url by default.
 */
export async function sharedSecret(
  queries: Queries,
  name: string,
  make: () => string = () => randomBytes(32).toString('base64url'),
): Promise<string> {
  await queries.query('insert into secret (name, value) values ($1, $2) on conflict do nothing', [name, make()]);
  const [row] = await queries.query<{ value: string }>('select value from secret where name = $1', [name]);
  return row!.value;
}
