import { existsSync } from 'node:fs';
import { AdminError } from '../admin/admin-command.js';
import type { TransferCommand } from '../admin/read-admin-arguments.js';
import { migrate, SCHEMA_VERSION } from '../store/migrations.js';
import { connectDatabase, PATIENT, type StoreOptions } from '../store/open-database.js';
import { exportData } from './export-data.js';
import { importData, requireImportable } from './import-data.js';

/**
 * Runs an export or an import.
 *
 * @returns Summary to print.
 * @throws {AdminError} If it cannot be carried out.
 * @throws {StoreError} If the database cannot be opened, for example because it is in use.
 */
export async function transfer(store: StoreOptions, { command, path }: TransferCommand): Promise<object> {
  if (command === 'data import') await requireImportable(path); // before the data folder is created
  else if (!store.databaseUrl && store.dataDir !== undefined && !existsSync(store.dataDir)) {
    throw new AdminError(`There is no data in ${store.dataDir}: name the service's folder with --data.`);
  }
  const database = await connectDatabase(store, PATIENT);
  try {
    if (command === 'data import') return { imported: path, ...(await importData(database, path)) };
    const version = await migrate(database);
    if (version > SCHEMA_VERSION) {
      throw new AdminError(
        `The database is of a newer svc-service (schema ${version}, this one knows ${SCHEMA_VERSION}), and may have data ` +
          'that this one does not know. Export with the newer one.',
      );
    }
    return { exported: path, ...(await exportData(database, path)) };
  } finally {
    await database.close();
  }
}
