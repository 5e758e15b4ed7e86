import { hkdf, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { CompactEncrypt } from 'jose';

/** Purpose of a payload's key, for its derivation (HKDF's `info`). */
const BUNDLE_KEY_INFO = 'svc-service avatar bundle v1';

/** Type of a payload, in its header. */
const BUNDLE_TYPE = 'svc-avatar-bundle+2';

/** Length of the salt, in bytes. The salt makes precomputed guesses of the API key useless. */
const SALT_BYTES = 16;

const derive = promisify(hkdf);

/**
 * Encrypts a bundle for the holder of an API key: a compact JWE, `dir` with A256GCM. Its key is the HKDF-SHA-256 of the
 * API key, with the `salt` of the header and {@link BUNDLE_KEY_INFO}. Salt and nonce are random.
 *
 * @param json - The bundle as JSON.
 */
export async function encryptBundle(json: string, apiKey: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = new Uint8Array(await derive('sha256', apiKey, salt, BUNDLE_KEY_INFO, 32));
  return new CompactEncrypt(new TextEncoder().encode(json))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: BUNDLE_TYPE, salt: salt.toString('base64url') })
    .encrypt(key);
}
