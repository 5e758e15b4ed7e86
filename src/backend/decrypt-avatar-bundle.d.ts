/** A bundle that could not be opened. */
export declare class AvatarBundleError extends Error {
  readonly name = 'AvatarBundleError';
  /**
   * - `unknown-format`: not a bundle of the embedded service, or of a later version of it.
   * - `not-opened`: made for another API key, or changed since; the cipher cannot tell which.
   */
  readonly reason: 'unknown-format' | 'not-opened';
  constructor(reason: AvatarBundleError['reason'], message: string);
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
export declare function decryptAvatarBundle(payload: string, apiKey: string): Promise<unknown>;
