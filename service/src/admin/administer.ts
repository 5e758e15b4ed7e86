import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { openDatabase } from '../store/open-database.js';
import { transfer } from '../transfer/transfer.js';
import { AdminError, runAdminCommand, type AdminCommand } from './admin-command.js';
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
  if (command.command === 'data export' || command.command === 'data import') {
    yield await transfer(store, command);
    return;
  }
  const whole = (file === undefined ? command : { ...command, bundle: await readBundleFile(file) }) as AdminCommand;
  const { dataDir } = store;
  if (store.databaseUrl === undefined && dataDir !== undefined) {
    const rows = await askAdmin(dataDir, whole);
    if (rows) {
      yield* rows;
      return;
    }
    // A first key may be made before the first start. Anything else in a new folder is a folder mistaken for another.
    if (whole.command !== 'keys create' && !existsSync(dataDir)) {
      throw new AdminError(`There is no data in ${dataDir}: name the service's folder with --data.`);
    }
  }
  const database = await openDatabase(store);
  try {
    yield* runAdminCommand(database, whole, livekitKey);
  } finally {
    await database.close();
  }
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
