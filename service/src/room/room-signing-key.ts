import type { RotatingSecret } from '../store/rotating-secret.js';

/** Key that signs room tokens: an API key of a LiveKit server, and its secret. */
export interface RoomSigningKey {
  readonly key: string;
  readonly secret: string;
}

/**
 * Returns the source of the key for room tokens: the configured key, or the newest version of the secret in the
 * database, whose `kid` is the API key. LiveKit looks up the secret by the API key, so a new secret needs a new key.
 *
 * @param openSecret - Opens the secret in the database; not called if a key is configured.
 * @returns A function that returns the current signing key.
 * @throws {Error} If only one of key and secret is configured.
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
