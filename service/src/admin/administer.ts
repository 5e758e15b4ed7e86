import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../store/database.js';
import { openDatabase, type StoreOptions } from '../store/open-database.js';
import { FolderInUseError } from '../store/store-error.js';
import { AdminError, runAdminCommand, type AdminCommand } from './admin-command.js';
import { askAdmin } from './ask-admin.js';
import type { AdminArguments } from './read-admin-arguments.js';
import { COMMAND_MAX_BYTES } from './start-admin.js';

/** Maximum wait for a service that holds the folder to accept commands, and delay between attempts, in milliseconds. */
const START_MS = 20_000;
const RETRY_MS = 100;

/**
 * Carries out a command of the command line: through the service that runs on the data folder, otherwise on the data
 * itself.
 *
 * A service locks the folder before it accepts commands, so this waits for a service that is starting.
 *
 * @param startMs - Maximum time to wait for it, in milliseconds.
 * @returns The objects to print, one per line.
 * @throws {AdminError} If the command cannot be carried out.
 * @throws {Error} If the database cannot be opened; the message gives the reason.
 */
export async function* administer(
  { store, command, file, livekitKey }: AdminArguments,
  startMs = START_MS,
): AsyncGenerator<object> {
  const data = reachData(store, livekitKey, startMs);
  try {
    if (file === undefined) yield* data.run(command as AdminCommand);
    else yield* data.run({ ...command, bundle: await readBundleFile(file) } as AdminCommand);
  } finally {
    await data.close();
  }
}

/** Access to the data. Commands run one after the other. */
interface ReachableData {
  run(command: AdminCommand): AsyncGenerator<object>;
  close(): Promise<void>;
}

/** Uses the service that runs on the data folder; opens the data itself if there is none. */
function reachData(store: StoreOptions, livekitKey: string | undefined, startMs: number): ReachableData {
  const { databaseUrl, dataDir } = store;
  const folder = databaseUrl === undefined ? dataDir : undefined;
  let database: Database | undefined;
  return {
    async *run(command: AdminCommand) {
      const limit = performance.now() + startMs;
      while (!database) {
        const rows = folder === undefined ? null : await askAdmin(folder, command);
        if (rows) {
          yield* rows;
          return;
        }
        // A first key may be made before the first start. For other commands, a missing folder is a mistake.
        if (folder !== undefined && command.command !== 'keys create' && !existsSync(folder)) {
          throw new AdminError(`There is no data in ${folder}: name the service's folder with --data.`);
        }
        try {
          database = await openDatabase(store);
        } catch (error) {
          if (!(error instanceof FolderInUseError) || performance.now() > limit) throw error;
          await wait(RETRY_MS);
        }
      }
      yield* runAdminCommand(database, command, livekitKey);
    },
    close: async () => database?.close(),
  };
}

async function readBundleFile(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new AdminError(`${file} cannot be read: ${(error as Error).message}`);
  }
  // Serialized again, the JSON may be twice as long, because characters are escaped.
  if (Buffer.byteLength(text) > COMMAND_MAX_BYTES / 2) {
    throw new AdminError(`${file} is too large: a bundle has at most ${COMMAND_MAX_BYTES / 2} bytes.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new AdminError(`${file} is not JSON: see the avatar bundles of svc-service.`);
  }
}
