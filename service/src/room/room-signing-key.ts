import type { RotatingSecret } from '../store/rotating-secret.js';

/** With what room tokens are signed: an API key of a LiveKit server, and the secret that belongs to it. */
export interface RoomSigningKey {
  readonly key: string;
  readonly secret: string;
}

/**
 * The key for room tokens: the one that is configured, else the newest version of the secret in the database, whose `kid`
 * is the API key. LiveKit looks up the secret by the API key, so a new secret comes with a new key.
 *
 * @param openSecret - Opens the secret in the database; not called if a key is configured.
 * @returns Returns the key to sign with now.
 * @throws {Error} If only half of it is configured.
 */
export async function roomSigningKey(
  openSecret: () => Promise<RotatingSecret>,
  { key, secret }: Partial<RoomSigningKey> = {},
): Promise<() => Promise<RoomSigningKey>> {
  if (key && secret) return async () => ({ key, secret });
  if (key || secret) throw new Error('SVC_LIVEKIT_KEY and SVC_LIVEKIT_SECRET belong together: set both, or neither.');
  const kept = await openSecret();
  return async () => {
    const { kid, value } = await kept.newest();
    return { key: kid, secret: value };
  };
}
