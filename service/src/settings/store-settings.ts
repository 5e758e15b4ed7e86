import { resolve } from 'node:path';
import type { StoreOptions } from '../store/open-database.js';
import { readPostgresUrl } from '../store/postgres-url.js';
import { StoreError } from '../store/store-error.js';
import { SettingsError } from './settings-error.js';
import type { Environment } from './read-values.js';

/** Options of commands that need the database. */
export const STORE_OPTION_KINDS = { data: 'string', 'database-url': 'string' } as const;

/** Default data folder, in the current directory. */
const DEFAULT_FOLDER = 'svc-service-data';

/**
 * Reads the location of the data. The command line takes precedence over the environment, and PostgreSQL over a folder.
 *
 * @param values - Values of `--data` and `--database-url`.
 * @returns Options of the store; empty if the data is in memory.
 * @throws {SettingsError} If both options are given, or one is invalid. The message omits the address, which has a
 *   password.
 */
export function readStore(values: Readonly<Record<string, string>>, environment: Environment): StoreOptions {
  const { data, 'database-url': url } = values;
  if (data !== undefined && url !== undefined) {
    throw new SettingsError('--data and --database-url exclude each other: give one of them.');
  }
  if (url !== undefined) return { databaseUrl: checkDatabaseUrl('--database-url', url) };
  if (data === '') throw new SettingsError('--data must be a folder, or memory.');
  if (data === undefined && environment.SVC_DATABASE_URL) {
    return { databaseUrl: checkDatabaseUrl('SVC_DATABASE_URL', environment.SVC_DATABASE_URL) };
  }
  const folder = data ?? (environment.SVC_DATA_DIR || DEFAULT_FOLDER);
  return folder === 'memory' ? {} : { dataDir: resolve(folder) };
}

function checkDatabaseUrl(name: string, url: string): string {
  try {
    readPostgresUrl(url, name);
    return url;
  } catch (error) {
    throw error instanceof StoreError ? new SettingsError(error.message) : error;
  }
}
