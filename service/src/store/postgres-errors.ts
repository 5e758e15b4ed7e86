import postgres from 'postgres';
import { DatabaseError } from './database.js';
import { StoreError } from './store-error.js';

/** Reasons that a connection does not come about or breaks: the system's and the driver's. */
const BROKEN = new Set(
  (
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOENT ENOTFOUND EAI_AGAIN ' +
    'CONNECT_TIMEOUT CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED unreachable'
  ).split(' '),
);

/**
 * Classes and values of SQLSTATE with which a server goes away, lets nobody in (shutting down, starting, full), or has
 * become one that is only read from: another connection may lead to the one that can be written to.
 */
const AWAY = /^(08...|57P0[1-3]|53300|25006)$/;

/** Tells whether the server was not there, rather than refused what was asked. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  return BROKEN.has(code) || AWAY.test(code);
}

/**
 * Makes one of our errors of one of the driver's.
 *
 * @param where - Host and database.
 */
export function translatePostgres(error: unknown, where: string): unknown {
  if (error instanceof DatabaseError) return error;
  if (isUnreachable(error)) {
    return new DatabaseError(`PostgreSQL at ${where} cannot be reached (${codeOf(error)}).`, 'unreachable');
  }
  if (!(error instanceof postgres.PostgresError)) return error;
  return new DatabaseError(error.message, error.code, error.constraint_name ?? null);
}

/**
 * Where a database is: `host:port/database`, without user and password.
 *
 * @throws {StoreError} If `url` is not the address of a PostgreSQL.
 */
export function hostOf(url: string): string {
  const { host, pathname } = parse(url);
  return `${host || 'localhost'}${pathname}`;
}

/**
 * Makes of the error of a first connection one that says what to do.
 *
 * @param url - As it was given; its password is left out.
 */
export function explainConnection(error: unknown, url: string): unknown {
  if (error instanceof StoreError) return error;
  const { username } = parse(url);
  const where = `PostgreSQL at ${hostOf(url)}`;
  const code = codeOf(error);
  if (code === '28P01' || code === '28000') {
    return new StoreError(
      `${where} does not let ${username ? `the user ${username}` : 'us'} in (${code}). ` +
        'Check user and password in SVC_DATABASE_URL, whether it needs ?sslmode=require, and pg_hba.conf of the server.',
    );
  }
  if (code === '3D000') {
    return new StoreError(
      `${where} has no such database (${code}). Create it (createdb), or correct SVC_DATABASE_URL.`,
    );
  }
  if (isUnreachable(error)) {
    return new StoreError(
      `${where} cannot be reached (${code}). Is it running? Check the address in SVC_DATABASE_URL.`,
    );
  }
  return new StoreError(
    `${where} cannot be used${code ? ` (${code})` : ''}: ${error instanceof Error ? error.message : ''}`,
  );
}

function parse(url: string): URL {
  const { protocol, username, password } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '', username: '', password: '' };
  if (/^postgres(ql)?:$/.test(protocol) && isDecodable(username) && isDecodable(password)) return new URL(url);
  throw new StoreError(
    'SVC_DATABASE_URL is not an address such as postgres://user:password@host:5432/database. ' +
      'In user and password, write signs such as @ / % # as %40 %2F %25 %23.',
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
