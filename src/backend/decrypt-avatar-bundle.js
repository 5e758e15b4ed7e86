/** Derives the key of a bundle from the API key that asked for it. */
const KEY_INFO = 'svc-service avatar bundle v1';
/** The header of every bundle; a later format will have another `typ`. */
const HEADER = { alg: 'dir', enc: 'A256GCM', typ: 'svc-avatar-bundle+1' };
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** A bundle that could not be opened. */
export class AvatarBundleError extends Error {
  name = 'AvatarBundleError';
  /**
   * - `unknown-format`: not a bundle of the embedded service, or of a later version of it.
   * - `not-opened`: made for another API key, or changed since; the cipher cannot tell which.
   */
  reason;
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}
/**
 * Opens the `payload` of an avatar bundle **of the embedded service** (`svc-service`). Its format is our own: how other
 * services encrypt their bundles is not shown in the spec, so theirs are refused with `unknown-format`.
 *
 * A payload is a compact JWE (RFC 7516) with direct encryption, AES-256-GCM, whose key is derived by HKDF-SHA-256 from
 * the API key that asked for the bundle. So it can be opened where that key is, and nowhere else: on the backend.
 *
 * WebCrypto only: Node, Deno, Bun and workers.
 *
 * @returns The bundle, as JSON holds it: `{version: 1, avatar: {id, name}, …}`. It is what the service was given when the
 *   avatar was added, so look before you rely on its members.
 * @throws {AvatarBundleError} If it is no bundle of the embedded service, was changed, or was made for another key. The
 *   message holds neither the key nor anything of the payload.
 * @throws {TypeError} If `payload` is no string, or `apiKey` is none or empty.
 */
export async function decryptAvatarBundle(payload, apiKey) {
  if (typeof payload !== 'string') throw new TypeError(`payload must be a string, not ${typeof payload}`);
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey must be a non-empty string');
  const [header, encryptedKey, iv, ciphertext, tag] = splitPayload(payload);
  checkHeader(decodeBase64Url(header));
  const ivBytes = decodeBase64Url(iv);
  const tagBytes = decodeBase64Url(tag);
  if (encryptedKey !== '' || ivBytes.length !== IV_BYTES || tagBytes.length !== TAG_BYTES) throw unknownFormat();
  const sealed = decodeBase64Url(ciphertext, TAG_BYTES);
  sealed.set(tagBytes, sealed.length - TAG_BYTES); // WebCrypto wants the tag behind the ciphertext
  const algorithm = { name: 'AES-GCM', iv: ivBytes, additionalData: new TextEncoder().encode(header) };
  let opened;
  try {
    opened = await crypto.subtle.decrypt(algorithm, await deriveKey(apiKey), sealed);
  } catch {
    throw new AvatarBundleError('not-opened', 'the bundle was made for another API key, or has been changed');
  }
  return readContent(opened);
}
function splitPayload(payload) {
  const parts = payload.split('.', 6);
  if (parts.length !== 5) throw unknownFormat();
  return parts;
}
/** Nothing but the three members: a `zip` or `crit` would ask for more than is done here. */
function checkHeader(bytes) {
  const header = readContent(bytes);
  if (typeof header !== 'object' || header === null) throw unknownFormat();
  const members = Object.entries(header);
  const known = members.every(([name, value]) => Object.hasOwn(HEADER, name) && HEADER[name] === value);
  if (!known || members.length !== Object.keys(HEADER).length) throw unknownFormat();
}
async function deriveKey(apiKey) {
  const encoder = new TextEncoder();
  const material = await crypto.subtle.importKey('raw', encoder.encode(apiKey), 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: encoder.encode(KEY_INFO) };
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['decrypt']);
}
function readContent(bytes) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw unknownFormat();
  }
}
/**
 * Decodes base64url as RFC 7515 has it: no padding, and no bits left over, so that no two texts mean the same bytes.
 *
 * @param room - Bytes to leave free at the end.
 */
function decodeBase64Url(text, room = 0) {
  const spare = [/$/, /^$/, /[AQgw]$/, /[AEIMQUYcgkosw048]$/][text.length % 4];
  if (/[^\w-]/.test(text) || !spare?.test(text.slice(-1))) throw unknownFormat();
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length + room);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
function unknownFormat() {
  return new AvatarBundleError('unknown-format', 'this is not an avatar bundle of the embedded service (svc-service)');
}
//# sourceMappingURL=decrypt-avatar-bundle.js.map
