import { hkdf } from 'node:crypto';
import { promisify } from 'node:util';
import { CompactEncrypt } from 'jose';

/** What the key of a payload is for, in its derivation (HKDF's `info`). */
export const BUNDLE_KEY_INFO = 'svc-service avatar bundle v1';

/** Kind of a payload, in its header. */
export const BUNDLE_TYPE = 'svc-avatar-bundle+1';

const derive = promisify(hkdf);

/**
 * Encrypts a bundle for whoever holds an API key: a compact JWE, `dir` with A256GCM. Its key is HKDF-SHA-256 of the API
 * key, with no salt and {@link BUNDLE_KEY_INFO}. Each payload is another one, since its nonce is random.
 *
 * @param json - The bundle as JSON.
 */
export async function encryptBundle(json: string, apiKey: string): Promise<string> {
  const key = new Uint8Array(await derive('sha256', apiKey, '', BUNDLE_KEY_INFO, 32));
  return new CompactEncrypt(new TextEncoder().encode(json))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: BUNDLE_TYPE })
    .encrypt(key);
}
