import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import { DatabaseError } from './database.js';
import { isUnreachable } from './postgres-errors.js';

/** Times of a connection, in milliseconds. Tests shorten them. */
export interface PostgresTimes {
  /** For a connection to come about; 10 000 by default. */
  readonly connectMs?: number;
  /** After which the server gives up a statement, waiting for others included; 10 000 by default, 0 for never. */
  readonly statementMs?: number;
  /** After which we give up a server that says nothing; 20 000 by default, `Infinity` for never. */
  readonly silenceMs?: number;
}

/** One connection, which is asked one thing at a time, and is never used again once it has failed. */
export interface PostgresConnection {
  /** Whether it has failed, or its server accepts no writes any more. */
  readonly isBroken: boolean;
  /** @throws {DatabaseError} Also if it is broken; the first error of a connection is the driver's. */
  ask(text: string, values?: unknown[]): Promise<object[]>;
  /** Ends it. */
  end(): Promise<void>;
}

/** What is said of a server. */
const GONE = 'cannot be reached (the connection is gone)';
const SILENT = 'does not answer';

/**
 * Makes a connection when it is first asked.
 *
 * Of the driver we use no more than that. Its pool and its `begin()` go on with a connection that is gone: the rollback
 * of a transaction ends the whole process, or its statements run within another transaction
 * (porsager/postgres #1208, #1216, #1189, in 3.4.9). Nor may it ask for the types of lists by itself: nobody would hear
 * that the connection broke meanwhile, and that ends the process, too. A server that hangs up is not to be tried again at
 * once and without end.
 *
 * @param where - Host and database, for messages.
 */
export function createPostgresConnection(url: string, where: string, times: PostgresTimes): PostgresConnection {
  const { connectMs = 10_000, statementMs = 10_000, silenceMs = 20_000 } = times;
  let isBroken = false;
  let wasWritable = false;
  /** Ends the wait for an answer. */
  let giveUp = (_error: DatabaseError): void => {};
  const unreachable = (what: string): DatabaseError =>
    new DatabaseError(`PostgreSQL at ${where} ${what}.`, 'unreachable');
  const options = {
    socket: connectOnce(connectMs, unreachable),
    max: 1,
    fetch_types: false,
    max_lifetime: 0, // else it would end between two statements of a transaction
    connect_timeout: connectMs / 1000,
    connection: {
      application_name: 'svc-service',
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: statementMs,
    },
    onclose: () => {
      isBroken = true;
      giveUp(unreachable(GONE)); // the driver forgets what it is asked between the error of a connection and its end
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
      // A network that is cut says nothing for a quarter of an hour.
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

/** How the driver is to connect: once. */
function connectOnce(connectMs: number, unreachable: (what: string) => DatabaseError) {
  let isFirst = true;
  return async (options: { host: string[]; port: number[]; path: string | false }): Promise<Socket> => {
    if (!isFirst) throw unreachable('hangs up');
    isFirst = false;
    const [host] = options.host;
    const socket = options.path ? connect(options.path) : connect(options.port[0]!, host);
    socket.setTimeout(connectMs, () => socket.destroy(unreachable(SILENT)));
    await once(socket, 'connect');
    socket.setTimeout(0);
    return Object.assign(socket, { host }); // TLS checks it
  };
}

/** What makes values the same as those of the embedded database. */
const TYPES = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  // Text is JSON already.
  json: {
    to: 114,
    from: [114, 3802],
    serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
    parse: JSON.parse,
  },
  // A `Buffer` would not equal what the embedded one gives.
  bytea: {
    to: 17,
    from: [17],
    serialize: (value: Uint8Array) => `\\x${Buffer.from(value).toString('hex')}`,
    parse: (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  },
  textList: { to: 1009, from: [1009], serialize: writeList, parse: readList },
  bigintList: { to: 1016, from: [1016], serialize: writeList, parse: (text: string) => readList(text).map(Number) },
};

/** A list as PostgreSQL writes it (8.15.6 of its manual): every item in quotes, which suits numbers, too. */
function writeList(list: readonly (string | number)[]): string {
  return `{${list.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Reads what PostgreSQL writes for a list without nulls and lists in it. */
function readList(text: string): string[] {
  const items = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^",]+)/gs);
  return Array.from(items, ([, quoted, plain]) => plain ?? quoted!.replace(/\\(.)/gs, '$1'));
}
