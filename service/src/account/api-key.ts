import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AccountError } from './account-error.js';

/**
 * Hex characters of a hash that serve as the lookup value: 32 bits. The time of the index search leaks at most these.
 */
const LOOKUP_CHARACTERS = 8;

/** The stored part of an API key. */
export interface KeyHash {
  /** SHA-256 of the key, 32 bytes. Generated keys are random and cannot be guessed, so one round is enough. */
  readonly hash: Buffer;
  /** Beginning of the hash, in hex. */
  readonly lookup: string;
}

/** Minimum length of a key that counts as impossible to guess, in characters. */
const KEY_CHARACTERS_MIN = 32;

/**
 * Checks the keys of `SVC_API_KEY`, which an operator may have made up. An avatar bundle is encrypted with the key of its
 * call, so anyone who has a bundle can try keys offline.
 *
 * @param isAlone - True if only this machine can call the service.
 * @throws {AccountError} If a key is too short.
 */
export function checkApiKeys(keys: readonly string[], isAlone: boolean): void {
  const short = keys.find((key) => key === '' || (!isAlone && key.length < KEY_CHARACTERS_MIN));
  if (short === undefined) return;
  throw new AccountError(
    `A key of SVC_API_KEY has ${short.length} characters. It must have at least ${KEY_CHARACTERS_MIN}, because other ` +
      'machines can reach the service. Make one with: openssl rand -hex 32',
  );
}

/** Makes an API key: 256 random bits, after a prefix by which scanners for leaked secrets recognize it. */
export function makeApiKey(): string {
  return `svc_${randomBytes(32).toString('base64url')}`;
}

/** Hashes an API key, to store it or to find it. */
export function hashApiKey(apiKey: string): KeyHash {
  const hash = createHash('sha256').update(apiKey).digest();
  return { hash, lookup: hash.toString('hex').slice(0, LOOKUP_CHARACTERS) };
}

/** Compares two hashes in constant time. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
