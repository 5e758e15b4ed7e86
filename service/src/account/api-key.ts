import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AccountError } from './account-error.js';

/** Characters of a hash, in hex, by which its row is found: 32 bits, of which the time of a search tells something. */
const LOOKUP_CHARACTERS = 8;

/** What is kept of an API key. */
export interface KeyHash {
  /** SHA-256 of the key, 32 bytes. Keys of ours are random: there is nothing to guess, so one round is enough. */
  readonly hash: Buffer;
  /** Beginning of the hash, in hex. */
  readonly lookup: string;
}

/** Shortest key that nobody can find by trying, in characters. */
const KEY_CHARACTERS_MIN = 32;

/**
 * Checks keys that somebody thought of. An avatar bundle is encrypted by the key of its call, so whoever has the bundle
 * can try keys.
 *
 * @param isAlone - Nobody but this machine can call the service.
 * @throws {AccountError} If a key is too short.
 */
export function checkApiKeys(keys: readonly string[], isAlone: boolean): void {
  const short = keys.find((key) => key === '' || (!isAlone && key.length < KEY_CHARACTERS_MIN));
  if (short === undefined) return;
  throw new AccountError(
    `An API key has ${short.length} characters and must have at least ${KEY_CHARACTERS_MIN}, ` +
      'since others can reach the service: openssl rand -hex 32 makes one.',
  );
}

/** Makes an API key: 256 random bits, behind a prefix by which programs that look for leaked secrets know it. */
export function makeApiKey(): string {
  return `svc_${randomBytes(32).toString('base64url')}`;
}

/** Hashes an API key for keeping it, or for finding it. */
export function hashApiKey(apiKey: string): KeyHash {
  const hash = createHash('sha256').update(apiKey).digest();
  return { hash, lookup: hash.toString('hex').slice(0, LOOKUP_CHARACTERS) };
}

/** Whether two hashes are the same, in a time that does not tell where they differ. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
