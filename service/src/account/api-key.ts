import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Characters of a hash, in hex, by which its row is found: 32 bits, of which the time of a search tells something. */
const LOOKUP_CHARACTERS = 8;

/** What is kept of an API key. */
export interface KeyHash {
  /** SHA-256 of the key, 32 bytes. Keys of ours are random: there is nothing to guess, so one round is enough. */
  readonly hash: Buffer;
  /** Beginning of the hash, in hex. */
  readonly lookup: string;
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
