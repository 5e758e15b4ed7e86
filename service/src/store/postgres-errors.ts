import postgres from 'postgres';
import { DatabaseError } from './database.js';
import type { PostgresUrl } from './postgres-url.js';
import { StoreError } from './store-error.js';

/** Error codes of the system and the driver for a connection that cannot be opened or breaks. */
const BROKEN = new Set(
  (
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOENT ENOTFOUND EAI_AGAIN ' +
    'CONNECT_TIMEOUT CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED unreachable'
  ).split(' '),
);

/**
 * SQLSTATEs of a server that is going away, accepts no connections (shutting down, starting, full), or has become
 * read-only. Another connection may reach a writable server.
 */
const AWAY = /^(08...|57P0[1-3]|53300|25006)$/;

/** Returns true if the server could not be reached, rather than refused the statement. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  return BROKEN.has(code) || AWAY.test(code);
}

/**
 * Converts an error of the driver to a `DatabaseError`.
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
 * Converts the error of a first connection to one that says what to do.
 *
 * @param url - Address of the database; the message omits its password.
 */
export function explainConnection(error: unknown, { where: place, user }: PostgresUrl): unknown {
  if (error instanceof StoreError) return error;
  const where = `PostgreSQL at ${place}`;
  const code = codeOf(error);
  if (code === '28P01' || code === '28000') {
    return new StoreError(
      `${where} does not let ${user ? `the user ${user}` : 'us'} in (${code}). ` +
        'Check user and password in SVC_DATABASE_URL, whether it needs ?sslmode=require, and pg_hba.conf of the server.',
    );
  }
  if (code === '3D000') {
    return new StoreError(
      `${where} has no such database (${code}). Create it (createdb), or correct SVC_DATABASE_URL.`,
    );
  }
  if (error instanceof DatabaseError && error.code === 'unreachable') {
    return new StoreError(`${error.message} Is it running? Check the address in SVC_DATABASE_URL.`);
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

/** Returns the code of any error; an empty string if it has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
