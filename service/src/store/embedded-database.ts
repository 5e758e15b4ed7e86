import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { findBuiltFile } from './built-file.js';
import { createConnectionPool } from './connection-pool.js';
import { DatabaseError, type Database } from './database.js';
import { openDataFolder, type DataFolder } from './data-folder.js';
import { backUpFolder } from './folder-backup.js';
import type { EmbeddedAnswer, EmbeddedTask, EmbeddedWorkerData } from './embedded-worker.js';
import { createPooledDatabase } from './pooled-database.js';
import { createPostgresConnection, type PostgresConnection, type PostgresTimes } from './postgres-connection.js';
import { translatePostgres } from './postgres-errors.js';
import { StoreError } from './store-error.js';

/** Major version of PostgreSQL in the installed version of PGlite. */
export const EMBEDDED_POSTGRES = '18';

/** Interval between runs of {@link EmbeddedDatabase.housekeep}, in milliseconds. */
const HOUSEKEEPING_MS = 300_000;

/** Parameters of the only connection. The last two keep the driver from reading `PGSSL` and `PGTARGETSESSIONATTRS`. */
const URL = 'postgres://postgres@localhost/postgres?sslmode=disable&target_session_attrs=read-write';

/** Place of the database, for messages. */
const WHERE = 'the thread of the embedded database';

/** A statement may take as long as it needs: no network can lose its answer. */
const UNLIMITED: PostgresTimes = { connectMs: 0, statementMs: 0, silenceMs: Infinity };

/** Options of {@link openEmbeddedDatabase}. */
export interface EmbeddedDatabaseOptions {
  /** Folder of the data, created if it does not exist. Without one, the data is in memory. */
  readonly folder?: string;
}

/** PostgreSQL in a thread of this process. */
export interface EmbeddedDatabase extends Database {
  /**
   * Frees the space of deleted rows and truncates the log, as PostgreSQL's background processes would. Runs
   * automatically every {@link HOUSEKEEPING_MS}. Other statements may run in between.
   */
  housekeep(): Promise<void>;
}

/**
 * Opens PostgreSQL compiled to WebAssembly, for this process alone. It runs in a worker, so that a long statement does
 * not delay the audio. Committed data survives a crash of the process and, in a folder, a power failure: commits wait for the
 * disk.
 *
 * @throws {StoreError} If the folder cannot be used; the message gives the reason.
 */
export async function openEmbeddedDatabase({ folder }: EmbeddedDatabaseOptions = {}): Promise<EmbeddedDatabase> {
  if (folder === undefined) return wrap(await EmbeddedEngine.start({ isNew: true }), null);
  const data = await openDataFolder(folder, EMBEDDED_POSTGRES);
  try {
    const engine = await EmbeddedEngine.start({ folder: data.database, isNew: data.isNew });
    if (data.isNew) data.markReady();
    return wrap(engine, data);
  } catch (error) {
    await data.release();
    throw new StoreError(
      `The database in the data folder ${folder} does not start. Bring the folder back from a backup, or take another ` +
        `one (--data). ${error instanceof Error ? error.message : ''}`.trimEnd(),
    );
  }
}

function wrap(engine: EmbeddedEngine, data: DataFolder | null): EmbeddedDatabase {
  // One connection: PostgreSQL has one process for each, and here there is one thread.
  const pool = createConnectionPool(1, () => engine.connect());
  const database = createPooledDatabase(pool, (error) => translatePostgres(error, WHERE));
  const housekeep = async (): Promise<void> => {
    const tables = await database.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) await database.query(`vacuum (analyze) ${name}`);
    await database.query('checkpoint');
  };
  const backUp = (folder: string): Promise<void> =>
    backUpFolder(data!, folder, (copy) =>
      // No other statement runs before its end, since there is one connection, and PostgreSQL does nothing by itself.
      database.transaction(async (queries) => {
        await queries.query('checkpoint');
        await copy();
      }),
    );
  // The next run makes up for one that fails, such as on a full disk; clients get the errors of their own statements.
  const housekeeping = setInterval(() => void housekeep().catch(() => {}), HOUSEKEEPING_MS).unref();
  const close = async (): Promise<void> => {
    clearInterval(housekeeping);
    await database.close();
    await engine.close();
    await data?.release();
  };
  let closing: Promise<void> | undefined;
  return { ...database, housekeep, ...(data && { backUp }), close: () => (closing ??= close()) };
}

/** Handle of the worker that runs PostgreSQL. Keeps the process alive only while statements run. */
class EmbeddedEngine {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #hasEnded = false;
  /** Socket of the newest connection. */
  #socket: WorkerSocket | undefined;

  /** @throws {Error} If the database does not start. */
  static async start(workerData: EmbeddedWorkerData): Promise<EmbeddedEngine> {
    const path = findBuiltFile('embedded-worker.js');
    if (path === null) throw new Error('The service is not built. Run npm run build.');
    // Some arguments of the process, such as --input-type, would make the worker fail.
    const worker = new Worker(path, { workerData, execArgv: [] });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', (answer: EmbeddedAnswer) => {
        if (answer === 'ready') resolve();
        else if ('problem' in answer) reject(new Error(answer.problem));
      });
      worker.once('error', reject);
    });
    return new EmbeddedEngine(worker);
  }

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.unref();
    worker.on('error', () => {}); // followed by an exit
    this.#ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#hasEnded = true;
        resolve();
      });
    });
  }

  /**
   * Connects to PostgreSQL. The connections use one session, one after the other, so a new one ends what a broken one
   * has left in it.
   *
   * @throws {DatabaseError} If the worker has ended.
   */
  async connect(): Promise<PostgresConnection> {
    if (this.#hasEnded) throw hasEnded();
    this.#socket?.destroy(); // the answers are for the new connection from here on
    const socket = (this.#socket = new WorkerSocket(this.#worker));
    const connection = createPostgresConnection(URL, WHERE, UNLIMITED, async () => socket);
    const ask: PostgresConnection['ask'] = async (text, values) => {
      this.#worker.ref();
      try {
        return await connection.ask(text, values);
      } catch (error) {
        throw this.#hasEnded ? hasEnded() : error;
      } finally {
        this.#worker.unref();
      }
    };
    await ask('rollback');
    await ask('discard all');
    return {
      ...connection,
      get isBroken() {
        return connection.isBroken;
      },
      ask,
    };
  }

  /** Ends the worker. Call it after the connection has ended. */
  close(): Promise<void> {
    this.#worker.postMessage('close' satisfies EmbeddedTask);
    this.#worker.ref();
    return this.#ended;
  }
}

/** Carries PostgreSQL's protocol between the driver and the worker. */
class WorkerSocket extends Duplex {
  readonly #worker: Worker;
  /** The driver reads it before it ends the connection. */
  readonly readyState = 'open';

  constructor(worker: Worker) {
    super();
    this.#worker = worker;
    worker.on('message', this.#receive);
    worker.on('exit', this.#lose);
  }

  override _read(): void {}

  /** @param messages - Whole messages: the driver never splits one. */
  override _write(messages: Uint8Array, _encoding: string, done: () => void): void {
    const bytes = new Uint8Array(messages); // a transfer would take a buffer that others share
    this.#worker.postMessage(bytes satisfies EmbeddedTask, [bytes.buffer]);
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#worker.off('message', this.#receive);
    this.#worker.off('exit', this.#lose);
    done(error);
  }

  readonly #receive = (answer: EmbeddedAnswer): void => {
    if (answer instanceof Uint8Array) this.push(answer);
  };

  readonly #lose = (): void => {
    this.destroy();
  };
}

function hasEnded(): DatabaseError {
  return new DatabaseError('The thread of the embedded database has ended. Restart the service.', 'unreachable');
}
