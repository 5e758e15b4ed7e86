import { StoreError } from './store-error.js';

/**
 * Reads the address of a database, such as `postgres://user:password@host:5432/database`.
 *
 * @param name - Setting with the address, for messages.
 * @throws {StoreError} If it is not such an address. The message does not repeat it.
 */
export function readPostgresUrl(text: string, name = 'SVC_DATABASE_URL'): URL {
  const url = /^postgres(ql)?:\/\/[^\s,]*$/.test(text) ? parse(text) : null;
  if (url) return url;
  throw new StoreError(
    `${name} is not an address such as postgres://user:password@host:5432/database. In user and password, write signs ` +
      'such as @ / % # , as %40 %2F %25 %23 %2C. Name one host; with a standby, one that always leads to the primary.',
  );
}

/** Parses an address. Returns `null` if it is invalid, or has credentials that cannot be decoded. */
function parse(text: string): URL | null {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username);
    decodeURIComponent(url.password);
    return url;
  } catch {
    return null;
  }
}
