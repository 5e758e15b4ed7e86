import { Worker } from 'node:worker_threads';
import { findBuiltFile } from './built-file.js';
import { createQueries, DatabaseError, retryTransaction, workOn, type Database, type Queries } from './database.js';
import { openDataFolder, type DataFolder } from './data-folder.js';
import type { EmbeddedAnswer, EmbeddedTask, EmbeddedWorkerData, StatementError } from './embedded-worker.js';
import { StoreError } from './store-error.js';

/** Major version of PostgreSQL in the installed version of PGlite. */
export const EMBEDDED_POSTGRES = '18';

/** Interval between runs of {@link EmbeddedDatabase.housekeep}, in milliseconds. */
const HOUSEKEEPING_MS = 300_000;

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
 * not delay the audio. Committed data survives the end of the process, even a crash. A power failure may lose the last
 * seconds, because commits do not wait for the disk.
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
  const statements = createQueries((text, values) => engine.execute(text, values), toDatabaseError);
  let closing: Promise<void> | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();
  /** Runs work after all previous work: there is one connection, and a transaction needs it exclusively. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closing) throw new DatabaseError('The database is closed.', 'closed');
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => {});
    return turn;
  };
  const queries: Queries = {
    query: async (text, values) => inTurn(() => statements.query(text, values)),
  };
  const housekeep = async (): Promise<void> => {
    const tables = await queries.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) await queries.query(`vacuum (analyze) ${name}`);
    await queries.query('checkpoint');
  };
  // The next run makes up for one that fails, such as on a full disk; clients get the errors of their own statements.
  const housekeeping = setInterval(() => void housekeep().catch(() => {}), HOUSEKEEPING_MS).unref();
  const close = async (done: Promise<unknown>): Promise<void> => {
    clearInterval(housekeeping);
    await done;
    await engine.close();
    await data?.release();
  };
  return {
    ...queries,
    async transaction(work) {
      return retryTransaction(() => inTurn(() => runTransaction(statements, work)));
    },
    housekeep,
    close: () => (closing ??= close(lastTurn)),
  };
}

async function runTransaction<Result>(statements: Queries, work: (queries: Queries) => Promise<Result>) {
  await statements.query('begin');
  let result: Result;
  try {
    result = await workOn(statements, work);
  } catch (error) {
    await statements.query('rollback').catch(() => {}); // The first error says more.
    throw error;
  }
  await statements.query('commit');
  return result;
}

function toDatabaseError(error: unknown): unknown {
  const { code, constraint, message } = error as StatementError;
  return code === undefined ? error : new DatabaseError(message, code, constraint ?? null);
}

/** Handle of the worker that runs PostgreSQL. Keeps the process alive only while statements run. */
class EmbeddedEngine {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  /** Statements without an answer, by id. */
  readonly #pending = new Map<number, { resolve(rows: object[]): void; reject(error: Error): void }>();
  #hasEnded = false;
  #lastId = 0;

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
    worker.on('message', (answer: EmbeddedAnswer) => this.#settle(answer));
    worker.on('error', () => {}); // followed by an exit
    this.#ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#hasEnded = true;
        for (const { reject } of this.#pending.values()) reject(hasEnded());
        this.#pending.clear();
        resolve();
      });
    });
  }

  /** Runs a statement. @throws {@link StatementError} */
  execute(text: string, values: readonly unknown[]): Promise<object[]> {
    if (this.#hasEnded) return Promise.reject(hasEnded());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ id, text, values } satisfies EmbeddedTask);
      this.#pending.set(id, { resolve, reject });
      this.#worker.ref();
    });
  }

  /** Ends the worker after the pending statements. */
  close(): Promise<void> {
    this.#worker.postMessage('close' satisfies EmbeddedTask);
    this.#worker.ref();
    return this.#ended;
  }

  #settle(answer: EmbeddedAnswer): void {
    if (answer === 'ready' || 'problem' in answer) return;
    const { resolve, reject } = this.#pending.get(answer.id)!;
    this.#pending.delete(answer.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ('rows' in answer) resolve(answer.rows);
    else reject(Object.assign(new Error(answer.error.message), answer.error));
  }
}

function hasEnded(): DatabaseError {
  return new DatabaseError('The thread of the embedded database has ended. Restart the service.', 'unreachable');
}
