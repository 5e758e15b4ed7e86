import { StoreError } from './store-error.js';

/**
 * Supported values of {@link TARGET}: a server that accepts writes, one that is not a standby, or any server that
 * answers.
 */
const TARGETS = ['read-write', 'primary', 'any'] as const;

/** Parameter of libpq that selects the servers that may be used. */
const TARGET = 'target_session_attrs';

/** Addresses of a database. */
export interface PostgresUrl {
  /** Servers in the order in which they are tried. */
  readonly servers: readonly PostgresServerUrl[];
  readonly target: (typeof TARGETS)[number];
  /** All hosts and the database, without user and password: `host:port,host:port/database`. For messages. */
  readonly where: string;
  /** Name of the user, as written in the URL. */
  readonly user: string;
}

/** Address of one server. */
export interface PostgresServerUrl {
  /** URL for the driver, with the password. */
  readonly url: string;
  /** `host:port/database`. For messages. */
  readonly where: string;
}

/**
 * Reads the address of a database in libpq's syntax: `postgres://user:password@host:5432,host:5433/database`, with
 * `target_session_attrs`. Its default is `read-write` for several hosts, because the service writes, and `any` for one.
 *
 * @param name - Setting with the URL, for messages.
 * @throws {StoreError} If it is not such an address. The message does not repeat it.
 */
export function readPostgresUrl(url: string, name = 'SVC_DATABASE_URL'): PostgresUrl {
  const [, scheme, credentials = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(\S*)$/.exec(url) ?? [];
  const names = hosts.split(',');
  const addresses = names.map((host) => parse(`${scheme}${credentials}${host}${rest}`));
  if (scheme === undefined || (names.length > 1 && names.includes('')) || addresses.includes(null)) {
    throw new StoreError(
      `${name} is not an address such as postgres://user:password@host:5432/database. ` +
        'In user and password, write signs such as @ / % # as %40 %2F %25 %23. Separate several hosts by commas.',
    );
  }
  const { pathname, searchParams, username } = addresses[0]!;
  const attributes = searchParams.get(TARGET) ?? (names.length > 1 ? 'read-write' : 'any');
  const target = TARGETS.find((candidate) => candidate === attributes);
  if (!target) {
    throw new StoreError(
      `${TARGET} in ${name} must be one of ${TARGETS.join(', ')}, not ${attributes}: the service writes to the database.`,
    );
  }
  return {
    servers: addresses.map((address) => {
      if (address!.searchParams.has(TARGET)) address!.searchParams.delete(TARGET); // the driver must not choose too
      return { url: address!.href, where: `${address!.host || 'localhost'}${pathname}` };
    }),
    target,
    where: `${hosts || 'localhost'}${pathname}`,
    user: username,
  };
}

/** Parses the address of one server. Returns `null` if it is invalid, or has credentials that cannot be decoded. */
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
