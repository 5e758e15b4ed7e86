import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Database } from '../store/database.js';
import { openDatabase, type StoreOptions } from '../store/open-database.js';
import { AdminError, runAdminCommand, type AdminCommand } from './admin-command.js';
import { archiveLedger } from './archive-ledger.js';
import { askAdmin } from './ask-admin.js';
import type { AdminArguments } from './read-admin-arguments.js';
import { COMMAND_MAX_BYTES } from './start-admin.js';

/**
 * Carries out a command of the command line: through the service that runs on the data folder, else on the data itself.
 *
 * @returns What there is to print, an object per line.
 * @throws {AdminError} If it cannot be done; {Error} if the database cannot be opened, saying why.
 */
export async function* administer({ store, command, file, livekitKey }: AdminArguments): AsyncGenerator<object> {
  const data = reachData(store, livekitKey);
  try {
    if (command.command === 'ledger archive') yield await archiveLedger(data.run, command);
    else if (file === undefined) yield* data.run(command as AdminCommand);
    else yield* data.run({ ...command, bundle: await readBundleFile(file) } as AdminCommand);
  } finally {
    await data.close();
  }
}

/** Data that commands are carried out on, one after the other. */
interface ReachableData {
  run(command: AdminCommand): AsyncGenerator<object>;
  close(): Promise<void>;
}

/** Asks the service that runs on the data folder; opens the data if there is none. */
function reachData(store: StoreOptions, livekitKey: string | undefined): ReachableData {
  let database: Database | undefined;
  return {
    async *run(command: AdminCommand) {
      const { dataDir } = store;
      if (!database && store.databaseUrl === undefined && dataDir !== undefined) {
        const rows = await askAdmin(dataDir, command);
        if (rows) {
          yield* rows;
          return;
        }
        // A first key may be made before the first start. Anything else in a new folder is a folder mistaken for another.
        if (command.command !== 'keys create' && !existsSync(dataDir)) {
          throw new AdminError(`There is no data in ${dataDir}: name the service's folder with --data.`);
        }
      }
      database ??= await openDatabase(store);
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
  // JSON of the same may be twice as long, where characters are escaped.
  if (Buffer.byteLength(text) > COMMAND_MAX_BYTES / 2) {
    throw new AdminError(`${file} is too large: a bundle has at most ${COMMAND_MAX_BYTES / 2} bytes.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new AdminError(`${file} is not JSON: see the avatar bundles of svc-service.`);
  }
}
