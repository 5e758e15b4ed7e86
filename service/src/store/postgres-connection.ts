import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { DatabaseError } from './database.js';
import { isUnreachable } from './postgres-errors.js';

/** Time limits of a connection, in milliseconds. Tests shorten them. */
export interface PostgresTimes {
  /** For opening a connection; 10 000 by default, 0 for no limit. */
  readonly connectMs?: number;
  /** For a statement on the server, including waits for locks; 10 000 by default, 0 for no limit. */
  readonly statementMs?: number;
  /** For an answer of the server; 20 000 by default, `Infinity` for no limit. */
  readonly silenceMs?: number;
}

/** Address of a server, from the driver. */
interface SocketAddress {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Path of a Unix socket. */
  readonly path: string | false;
}

/**
 * Opens a socket for the driver.
 *
 * @param connectMs - Time limit in milliseconds; 0 for none.
 * @param late - Creates the error for a server that does not answer in time.
 */
export type OpenSocket = (address: SocketAddress, connectMs: number, late: () => Error) => Promise<Duplex>;

/** One connection. It runs one statement at a time, and is never used again once it has failed. */
export interface PostgresConnection {
  /** True if it has failed, or its server no longer accepts writes. */
  readonly isBroken: boolean;
  /**
   * Runs a statement.
   *
   * @throws {DatabaseError} If the connection is already broken, is closed, or does not answer. Errors of the
   *   statement, and the first error of a connection, are the driver's.
   */
  ask(text: string, values?: unknown[]): Promise<object[]>;
  /** Closes the connection. */
  end(): Promise<void>;
}

/** Ends of messages about a server. */
const GONE = 'cannot be reached (the connection is gone)';
const SILENT = 'does not answer';

/**
 * Creates a connection, which opens with its first statement.
 *
 * Uses the driver for single connections only. The driver's pool and its `begin()` continue to use a lost connection:
 * the rollback of a transaction then ends the whole process, or its statements run within another transaction
 * (porsager/postgres #1208, #1216, #1189, in 3.4.9). The driver must not query array types itself: if the connection
 * breaks during that, the error is unhandled and also ends the process. It must not reconnect endlessly and without a
 * pause to a server that hangs up.
 *
 * @param where - Host and database, for messages.
 * @param openSocket - Opens the socket, which carries PostgreSQL's protocol; TCP or a Unix socket by default.
 */
export function createPostgresConnection(
  url: string,
  where: string,
  times: PostgresTimes,
  openSocket: OpenSocket = connectSocket,
): PostgresConnection {
  const { connectMs = 10_000, statementMs = 10_000, silenceMs = 20_000 } = times;
  let isBroken = false;
  let wasWritable = false;
  let hasOpened = false;
  /** Rejects the pending statement. */
  let giveUp = (_error: DatabaseError): void => {};
  const unreachable = (what: string): DatabaseError =>
    new DatabaseError(`PostgreSQL at ${where} ${what}.`, 'unreachable');
  const options = {
    socket: (address: SocketAddress) => {
      if (hasOpened) throw unreachable('hangs up');
      hasOpened = true;
      return openSocket(address, connectMs, () => unreachable(SILENT));
    },
    max: 1,
    fetch_types: false,
    max_lifetime: 0, // otherwise the connection could end between two statements of a transaction
    connect_timeout: connectMs / 1000,
    connection: {
      application_name: 'svc-service',
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: statementMs,
    },
    onclose: () => {
      isBroken = true;
      giveUp(unreachable(GONE)); // the driver drops statements sent between a connection's error and its end
    },
    onparameter: (name: string, value: string) => {
      if (name !== 'default_transaction_read_only') return; // reported since PostgreSQL 14
      isBroken ||= wasWritable && value === 'on';
      wasWritable ||= value === 'off';
    },
    onnotice: () => {},
    types: TYPES,
  };
  const sql = postgres(url, options);
  const end = () => sql.end({ timeout: 1 });
  return {
    get isBroken() {
      return isBroken;
    },
    async ask(text, values = []) {
      if (isBroken) throw unreachable(GONE);
      const noAnswer = new Promise<never>((_, reject) => (giveUp = reject));
      // A cut network reports nothing for a quarter of an hour.
      const onSilence = (): void => {
        isBroken = true;
        giveUp(unreachable(SILENT));
      };
      const timer = silenceMs === Infinity ? undefined : setTimeout(onSilence, silenceMs);
      try {
        const rows = sql.unsafe(text, values as never[], { prepare: true });
        return [...(await Promise.race([rows, noAnswer]))];
      } catch (error) {
        isBroken ||= !(error instanceof postgres.PostgresError) || isUnreachable(error);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    end,
  };
}

async function connectSocket({ host: [host], path, port }: SocketAddress, connectMs: number, late: () => Error) {
  const socket = path ? connect(path) : connect(port[0]!, host);
  socket.setTimeout(connectMs, () => socket.destroy(late()));
  await once(socket, 'connect');
  socket.setTimeout(0);
  return Object.assign(socket, { host }); // TLS verifies the certificate against it
}

/** Conversions of the types that the service uses; see `Queries`. */
const TYPES = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  // Text is already JSON.
  json: {
    to: 114,
    from: [114, 3802],
    serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
    parse: JSON.parse,
  },
  // Not the driver's `Buffer`.
  bytea: {
    to: 17,
    from: [17],
    serialize: (value: Uint8Array) => `\\x${Buffer.from(value).toString('hex')}`,
    parse: (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  },
  textList: { to: 1009, from: [1009], serialize: writeList, parse: readList },
  bigintList: { to: 1016, from: [1016], serialize: writeList, parse: (text: string) => readList(text).map(Number) },
};

/** Writes a list in PostgreSQL's syntax (8.15.6 of its manual). Every item is quoted, which is valid for numbers. */
function writeList(list: readonly (string | number)[]): string {
  return `{${list.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Reads a list in PostgreSQL's syntax, without nulls and nested lists. */
function readList(text: string): string[] {
  const items = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^",]+)/gs);
  return Array.from(items, ([, quoted, plain]) => plain ?? quoted!.replace(/\\(.)/gs, '$1'));
}
