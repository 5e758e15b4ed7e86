import pg from 'pg';
import { DatabaseError } from './database.js';
import { StoreError } from './store-error.js';

/**
 * SQLSTATEs of a server that is going away, accepts no connections (shutting down, starting, full), or has become
 * read-only. Another connection may reach a writable server.
 */
const AWAY = /^(08...|57P0[1-3]|53300|25006)$/;

/** Names of the errors with which the driver and the system report a connection that does not open, or is lost. */
const LOST = new Set(['Error', 'AggregateError']);

/**
 * Converts an error of the driver to a `DatabaseError`. Returns other errors unchanged, such as the `TypeError` for a
 * value that JSON cannot represent.
 *
 * @param where - Host and database.
 */
export function translatePostgres(error: unknown, where: string): unknown {
  if (error instanceof DatabaseError || !(error instanceof Error)) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof pg.DatabaseError && !AWAY.test(code)) {
    return new DatabaseError(error.message, code, error.constraint ?? null);
  }
  if (!(error instanceof pg.DatabaseError || LOST.has(error.name))) return error;
  return new DatabaseError(`PostgreSQL at ${where} cannot be reached (${code || error.message}).`, 'unreachable');
}

/**
 * Converts the error of a first connection to one that says what to do.
 *
 * @param place - Host and database.
 * @param user - Name of the user; may be empty.
 */
export function explainConnection(error: unknown, place: string, user: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const where = `PostgreSQL at ${place}`;
  const { code = '', message } = error as NodeJS.ErrnoException;
  switch (code) {
    case '28P01':
    case '28000':
      return new StoreError(
        `${where} does not let ${user ? `the user ${user}` : 'us'} in (${code}). Check user and password in ` +
          'SVC_DATABASE_URL, whether it needs ?sslmode=require, and pg_hba.conf of the server.',
      );
    case '3D000':
      return new StoreError(
        `${where} has no such database (${code}). Create it (createdb), or correct SVC_DATABASE_URL.`,
      );
    case 'unreachable':
      return new StoreError(`${message} Is it running? Check the address in SVC_DATABASE_URL.`);
    default:
      return new StoreError(`${where} cannot be used${code ? ` (${code})` : ''}: ${message}`);
  }
}
