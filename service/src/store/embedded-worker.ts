import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { syncTree } from './sync-to-disk.js';
import { SyncedFolder } from './synced-folder.js';
import { readTemplate, unpackTemplate, type TemplateEntry } from './template.js';

/** Options of this thread. */
export interface EmbeddedWorkerData {
  /** Folder of the database; in memory without one. */
  readonly folder?: string;
  /** True if the folder is empty. */
  readonly isNew: boolean;
}

/** Whole messages of a client in PostgreSQL's protocol, or the request to close the database. */
export type EmbeddedTask = Uint8Array | 'close';

/** Messages of this thread: first `ready`, or a problem after which the thread ends; then what the server sends. */
export type EmbeddedAnswer = 'ready' | { readonly problem: string } | Uint8Array;

/** PostgreSQL's buffer pool. Its default, 128 MB, would become fully resident; the service's tables are far smaller. */
const SHARED_BUFFERS = '8MB';

/**
 * Amount of execution after which V8 optimizes a WebAssembly function: `database` for PostgreSQL, `rest` for modules
 * compiled later, such as the voice. `rest` is the default of Node 20. With that value for PostgreSQL, half of the CPU
 * time of a start was spent optimizing functions that were hardly used again.
 */
const TIERING_BUDGET = { database: 100_000_000, rest: 1_800_000 } as const;

const port = parentPort!;

async function open({ folder, isNew }: EmbeddedWorkerData): Promise<PGlite> {
  const template = folder === undefined || isNew ? readTemplate() : null;
  if (folder === undefined) return start(template ? new TemplateInMemory(template) : new MemoryFS());
  if (template) unpackTemplate(template, folder);
  const engine = await start(new SyncedFolder(folder), DURABLE);
  if (isNew) await syncTree(folder); // the template's files, and those that PostgreSQL has made without a sync
  return engine;
}

/** Settings for a folder. PGlite ignores `fdatasync`, the default method. */
const DURABLE = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'];

function start(fs: MemoryFS | SyncedFolder, settings: readonly string[] = []): Promise<PGlite> {
  return PGlite.create({
    fs,
    initDbStartParams: ['--wal-segsize=1'], // used only without a template
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`, ...settings],
  });
}

async function answer(engine: PGlite, task: EmbeddedTask): Promise<void> {
  if (task === 'close') {
    await engine.close();
    return port.close();
  }
  // An exception ends this thread: PostgreSQL's own errors are answers, and after any other its state is unknown.
  const bytes = engine.execProtocolRawSync(task).slice(); // at the start of a connection, it is a view of its buffer
  if (bytes.length > 0) port.postMessage(bytes satisfies EmbeddedAnswer, [bytes.buffer]);
}

/** A file system in memory that initially contains the files of a template. */
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

try {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET.database}`);
  const engine = await open(workerData as EmbeddedWorkerData);
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET.rest}`);
  port.on('message', (task: EmbeddedTask) => void answer(engine, task));
  port.postMessage('ready' satisfies EmbeddedAnswer);
} catch (error) {
  port.postMessage({ problem: error instanceof Error ? error.message : String(error) } satisfies EmbeddedAnswer);
  port.close();
}
