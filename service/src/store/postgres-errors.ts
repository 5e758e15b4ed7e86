import postgres from 'postgres';
import { DatabaseError } from './database.js';
import type { PostgresUrl } from './postgres-url.js';
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
 * Makes of the error of a first connection one that says what to do.
 *
 * @param url - Its password is left out.
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

/** Returns the code of an error of the system, the driver or ours; an empty one if it has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
