import { MemoryFS, PGlite, types } from '@electric-sql/pglite';
import { createQueries, DatabaseError, retryTransaction, workOn, type Database } from './database.js';
import { openDataFolder, type DataFolder } from './data-folder.js';
import { StoreError } from './store-error.js';
import { readTemplate, unpackTemplate, type TemplateEntry } from './template.js';

/** PostgreSQL's major version in this version of PGlite. */
export const EMBEDDED_POSTGRES = '18';

/** Pages that PostgreSQL keeps; 128 MB by default, all of which would come to be resident. Our tables are far smaller. */
const SHARED_BUFFERS = '8MB';

/** How often is cleaned up what PostgreSQL's helpers would clean up, which are not embedded. */
const HOUSEKEEPING_MS = 300_000;

/** Where {@link openEmbeddedDatabase} keeps its data. */
export interface EmbeddedDatabaseOptions {
  /** Folder of the data, made if it does not exist; in memory without one. */
  readonly folder?: string;
}

/** What is embedded in this process. */
export interface EmbeddedDatabase extends Database {
  /**
   * Frees rows that are gone and ends the log that would otherwise grow for ever. It is done now and then anyway; other
   * questions come in between.
   */
  housekeep(): Promise<void>;
}

/**
 * Opens PostgreSQL compiled to WebAssembly, in this process and for this process alone. What was committed survives the
 * end of the process, however it ends; nobody waits for the disk, though, so a power cut may lose the last seconds.
 *
 * @throws {StoreError} If the folder cannot be used; says why.
 */
export async function openEmbeddedDatabase({ folder }: EmbeddedDatabaseOptions = {}): Promise<EmbeddedDatabase> {
  if (folder === undefined) return wrap(await startInMemory(), null);
  const data = await openDataFolder(folder, EMBEDDED_POSTGRES);
  try {
    return wrap(await startInFolder(data, folder), data);
  } catch (error) {
    await data.release();
    throw error;
  }
}

/** @param place - A file system or a folder. */
function start(place: { fs: MemoryFS } | { dataDir: string }): Promise<PGlite> {
  return PGlite.create({
    ...place,
    initDbStartParams: ['--wal-segsize=1'], // without a template
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
    parsers: { [types.INT8]: Number },
  });
}

async function startInMemory(): Promise<PGlite> {
  const template = readTemplate();
  return start({ fs: template ? new TemplateInMemory(template) : new MemoryFS() });
}

async function startInFolder(data: DataFolder, folder: string): Promise<PGlite> {
  if (data.isNew) {
    const template = readTemplate();
    if (template) unpackTemplate(template, data.database);
  }
  let engine: PGlite;
  try {
    engine = await start({ dataDir: data.database });
  } catch (error) {
    throw new StoreError(
      `The database in the data folder ${folder} does not start. Bring the folder back from a backup, or take another ` +
        `one (--data). ${error instanceof Error ? error.message : ''}`.trimEnd(),
    );
  }
  if (data.isNew) data.markReady();
  return engine;
}

function wrap(engine: PGlite, data: DataFolder | null): EmbeddedDatabase {
  let closing: Promise<void> | undefined;
  const queriesOf = (asker: Pick<PGlite, 'query'>) =>
    createQueries(async (text, values) => (await asker.query<object>(text, values)).rows, translate);
  const queries = queriesOf(engine);
  const refuseIfClosed = (): void => {
    if (closing) throw new DatabaseError('The database is closed.', 'closed');
  };
  const housekeep = async (): Promise<void> => {
    const tables = await queries.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) await queries.query(`vacuum (analyze) ${name}`);
    await queries.query('checkpoint');
  };
  // What it cannot do now, such as when the disk is full, it does the next time; who asks then gets the error.
  const housekeeping = setInterval(() => void housekeep().catch(() => {}), HOUSEKEEPING_MS).unref();
  const close = async (): Promise<void> => {
    clearInterval(housekeeping);
    await engine.close();
    await data?.release();
  };
  return {
    async query(text, values) {
      refuseIfClosed();
      return queries.query(text, values);
    },
    async transaction(work) {
      refuseIfClosed();
      return retryTransaction(() => engine.transaction((transaction) => workOn(queriesOf(transaction), work)));
    },
    housekeep,
    close: () => (closing ??= close()),
  };
}

function translate(error: unknown): unknown {
  const { code, constraint, message } = error as Partial<DatabaseError>;
  return typeof code === 'string' && message !== undefined
    ? new DatabaseError(message, code, constraint ?? null)
    : error;
}

/** Begins with the files of a template; nothing of it ever reaches a disk. */
class TemplateInMemory extends MemoryFS {
  readonly #template: readonly TemplateEntry[];

  constructor(template: readonly TemplateEntry[]) {
    super();
    this.#template = template;
  }

  override async initialSyncFs(): Promise<void> {
    const { FS } = this.pg!.Module;
    const root = PGlite.paths.PGDATA;
    FS.mkdirTree(root, 0o700);
    for (const { path, contents } of this.#template) {
      if (contents) FS.writeFile(`${root}/${path}`, contents);
      else FS.mkdir(`${root}/${path}`, 0o700);
    }
  }
}
