import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { findBuiltFile } from './built-file.js';
import { DatabaseError, type Database } from './database.js';
import { openDataFolder, type DataFolder } from './data-folder.js';
import { backUpFolder } from './folder-backup.js';
import type { EmbeddedAnswer, EmbeddedTask, EmbeddedWorkerData } from './embedded-worker.js';
import { createPooledDatabase } from './pooled-database.js';
import { StoreError } from './store-error.js';

/** Major version of PostgreSQL in the installed version of PGlite. */
export const EMBEDDED_POSTGRES = '18';

/** Interval between runs of {@link EmbeddedDatabase.housekeep}, in milliseconds. */
const HOUSEKEEPING_MS = 300_000;

/** Parameters of the only connection. With all of them, the driver reads no environment variables of its own. */
const LOGIN = { host: 'localhost', port: 5432, user: 'postgres', password: '', database: 'postgres', ssl: false };

/** Place of the database, for messages. */
const WHERE = 'the thread of the embedded database';

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
  const database = createPooledDatabase(
    {
      ...LOGIN,
      // One connection: PostgreSQL has one process for each, and here there is one thread.
      max: 1,
      allowExitOnIdle: true,
      stream: () => engine.openSocket(),
      // All connections use the same session, one after the other.
      async onConnect(client) {
        await client.query('rollback');
        await client.query('discard all');
      },
    },
    WHERE,
  );
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
  readonly #ended: Promise<unknown>;
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
    this.#ended = new Promise((resolve) => worker.once('exit', resolve));
  }

  /** Creates a socket to PostgreSQL, which replaces the one before. */
  openSocket(): Duplex {
    this.#socket?.destroy(); // the answers are for the new one from here on
    return (this.#socket = new WorkerSocket(this.#worker));
  }

  /** Ends the worker. Call it after the connection has ended. */
  async close(): Promise<void> {
    this.#socket?.destroy();
    this.#worker.postMessage('close' satisfies EmbeddedTask);
    this.#worker.ref();
    await this.#ended;
  }
}

/** Carries PostgreSQL's protocol between the driver and the worker. Has the methods of `net.Socket` that the driver calls. */
class WorkerSocket extends Duplex {
  readonly #worker: Worker;

  constructor(worker: Worker) {
    super();
    this.#worker = worker;
    worker.on('message', this.#receive);
    worker.on('exit', this.#lose);
  }

  connect(): void {
    this.ref();
    if (this.#worker.threadId === -1) this.#lose();
    else process.nextTick(() => this.emit('connect'));
  }

  setNoDelay(): void {}

  ref(): void {
    this.#worker.ref();
  }

  unref(): void {
    this.#worker.unref();
  }

  override _read(): void {}

  override _write(messages: Uint8Array, _encoding: string, done: () => void): void {
    this.#send([messages], done);
  }

  override _writev(writes: { readonly chunk: Uint8Array }[], done: () => void): void {
    this.#send(
      writes.map(({ chunk }) => chunk),
      done,
    );
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#worker.off('message', this.#receive);
    this.#worker.off('exit', this.#lose);
    this.unref();
    done(error);
  }

  /** @param messages - Whole messages: the driver never splits one, and writes those of a statement together. */
  #send(messages: Uint8Array[], done: () => void): void {
    const bytes = new Uint8Array(Buffer.concat(messages)); // a transfer would take a buffer that others share
    this.#worker.postMessage(bytes satisfies EmbeddedTask, [bytes.buffer]);
    done();
  }

  readonly #receive = (answer: EmbeddedAnswer): void => {
    if (answer instanceof Uint8Array) this.push(answer);
  };

  readonly #lose = (): void => {
    this.destroy(
      new DatabaseError('The thread of the embedded database has ended. Restart the service.', 'unreachable'),
    );
  };
}
