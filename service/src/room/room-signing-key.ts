import { randomBytes } from 'node:crypto';
import { sharedSecret } from '../store/shared-secret.js';
import type { Queries } from '../store/database.js';

/** With what room tokens are signed: an API key of a LiveKit server, and the secret that belongs to it. */
export interface RoomSigningKey {
  readonly key: string;
  readonly secret: string;
}

/**
 * The key for room tokens: the one configured, else one that is made and kept in the database, the same for all nodes.
 * To use one that was made, tell it to the LiveKit server: rows `livekit-key` and `livekit-secret` of the table `secret`.
 *
 * @throws {Error} If only half of it is configured.
 */
export async function roomSigningKey(
  queries: Queries,
  { key, secret }: Partial<RoomSigningKey> = {},
): Promise<RoomSigningKey> {
  if (key && secret) return { key, secret };
  if (key || secret) throw new Error('SVC_LIVEKIT_KEY and SVC_LIVEKIT_SECRET belong together: set both, or neither.');
  return {
    key: await sharedSecret(queries, 'livekit-key', () => `svc${randomBytes(9).toString('hex')}`),
    secret: await sharedSecret(queries, 'livekit-secret'),
  };
}
