/** HKDF info string for the key of a bundle, which is derived from the API key that requested the bundle. */
const KEY_INFO = 'svc-service avatar bundle v1';

/** Headers of the two formats, without `salt`, which only the second format has. A later format gets another `typ`. */
const UNSALTED: Readonly<Record<string, string>> = { alg: 'dir', enc: 'A256GCM', typ: 'svc-avatar-bundle+1' };
const SALTED: Readonly<Record<string, string>> = { ...UNSALTED, typ: 'svc-avatar-bundle+2' };

const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A bundle that could not be opened. */
export class AvatarBundleError extends Error {
  override readonly name = 'AvatarBundleError';
  /**
   * - `unknown-format`: not a bundle of `svc-service`, or a bundle of a later version.
   * - `not-opened`: made for another API key, or modified; the cipher cannot distinguish the two.
   */
  readonly reason: 'unknown-format' | 'not-opened';

  constructor(reason: AvatarBundleError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Decrypts the `payload` of an avatar bundle of `svc-service`. The format is our own. The spec does not show how other
 * services encrypt their bundles, so theirs are refused with `unknown-format`.
 *
 * A payload is a compact JWE (RFC 7516) with direct encryption, AES-256-GCM. HKDF-SHA-256 derives the key from the API
 * key of the request and a salt in the header, so only a backend that has this API key can open the bundle.
 *
 * WebCrypto only: Node, Deno, Bun and workers.
 *
 * @returns The parsed JSON: `{version: 1, avatar: {id, name}, …}`. The operator of the service wrote it, so check the
 *   members before you use them.
 * @throws {AvatarBundleError} If it is not a bundle of `svc-service`, was modified, or was made for another key.
 *   The message contains neither the key nor any part of the payload.
 * @throws {TypeError} If `payload` is not a string, or `apiKey` is not a string or empty.
 */
export async function decryptAvatarBundle(payload: string, apiKey: string): Promise<unknown> {
  if (typeof payload !== 'string') throw new TypeError(`payload must be a string, not ${typeof payload}`);
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey must be a non-empty string');
  const [header, encryptedKey, iv, ciphertext, tag] = splitPayload(payload);
  const salt = readSalt(decodeBase64Url(header));
  const ivBytes = decodeBase64Url(iv);
  const tagBytes = decodeBase64Url(tag);
  if (encryptedKey !== '' || ivBytes.length !== IV_BYTES || tagBytes.length !== TAG_BYTES) throw unknownFormat();
  const sealed = decodeBase64Url(ciphertext, TAG_BYTES);
  sealed.set(tagBytes, sealed.length - TAG_BYTES); // WebCrypto expects the tag after the ciphertext

  const algorithm = { name: 'AES-GCM', iv: ivBytes, additionalData: new TextEncoder().encode(header) };
  let opened: ArrayBuffer;
  try {
    opened = await crypto.subtle.decrypt(algorithm, await deriveKey(apiKey, salt), sealed);
  } catch {
    throw new AvatarBundleError('not-opened', 'the bundle was made for another API key, or has been changed');
  }
  return readContent(opened);
}

function splitPayload(payload: string): [string, string, string, string, string] {
  const parts = payload.split('.', 6);
  if (parts.length !== 5) throw unknownFormat();
  return parts as [string, string, string, string, string];
}

/** Returns the salt, empty in the first format. Refuses any other member: `zip` or `crit` would change the meaning. */
function readSalt(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = readContent(bytes);
  if (typeof header !== 'object' || header === null || Array.isArray(header)) throw unknownFormat();
  const { salt, ...rest } = header as Record<string, unknown>;
  const known = salt === undefined ? UNSALTED : SALTED;
  const members = Object.entries(rest);
  if (members.length !== 3 || members.some(([name, value]) => !Object.hasOwn(known, name) || known[name] !== value)) {
    throw unknownFormat();
  }
  if (salt === undefined) return new Uint8Array();
  const saltBytes = typeof salt === 'string' ? decodeBase64Url(salt) : [];
  if (saltBytes.length !== SALT_BYTES) throw unknownFormat();
  return saltBytes as Uint8Array<ArrayBuffer>;
}

async function deriveKey(apiKey: string, salt: BufferSource): Promise<CryptoKey> {
  const encoder = new TextEncoder();
  const material = await crypto.subtle.importKey('raw', encoder.encode(apiKey), 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: encoder.encode(KEY_INFO) };
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['decrypt']);
}

function readContent(bytes: ArrayBuffer | Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as unknown;
  } catch {
    throw unknownFormat();
  }
}

/**
 * Decodes base64url as RFC 7515 defines it: no padding and no leftover bits, so each byte sequence has only one text.
 *
 * @param room - Bytes to leave free at the end.
 */
function decodeBase64Url(text: string, room = 0): Uint8Array<ArrayBuffer> {
  const spare = [/$/, /^$/, /[AQgw]$/, /[AEIMQUYcgkosw048]$/][text.length % 4];
  if (/[^\w-]/.test(text) || !spare?.test(text.slice(-1))) throw unknownFormat();
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length + room);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

function unknownFormat(): AvatarBundleError {
  return new AvatarBundleError(
    'unknown-format',
    'this is not an avatar bundle of svc-service, or is of a later version',
  );
}
