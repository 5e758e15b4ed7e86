import { existsSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Queries } from './database.js';
import { SCHEMA_VERSION, schemaStatements } from './migrations.js';
import { openDatabase, type StoreOptions } from './open-database.js';
import { StoreError } from './store-error.js';
import { syncFolder } from './sync-to-disk.js';

/** All tables, each after those that it refers to. `migration` is missing: creating the tables fills it. */
export const TABLES = [
  'account',
  'api_key',
  'ledger',
  'lease',
  'used_token',
  'rate_window',
  'secret',
  'avatar',
  'room',
  'admin_session',
  'audit',
  'idempotency_key',
] as const;

/** Number of rows per statement. An avatar may have megabytes; other rows have a few hundred bytes. */
const rowsPerStatement = (table: string): number => (table === 'avatar' ? 1 : 500);

/** First lines of a file: `psql` stops at the first error, and then changes nothing. */
const HEAD = `-- Data of svc-service, with the secrets that sign tokens. Load it into an empty database: psql --file FILE URL
\\set ON_ERROR_STOP on
\\set QUIET on
set client_encoding = 'UTF8';
set standard_conforming_strings = on;
begin;
`;

/**
 * Writes a data folder as SQL, tables included, into a new file that only this user can read. `psql` loads it into an
 * empty database. Keeps only a few rows in memory.
 *
 * @returns The path of the file, and the number of rows of each table.
 * @throws {StoreError} If there is no such folder, it is in use, or the file cannot be written. An incomplete file is
 *   deleted.
 */
export async function exportSql({ databaseUrl, dataDir }: StoreOptions, path: string): Promise<object> {
  if (databaseUrl !== undefined || dataDir === undefined) {
    throw new StoreError('data export reads a data folder (--data). Copy PostgreSQL with pg_dump.');
  }
  if (!existsSync(dataDir)) {
    throw new StoreError(`There is no data in ${dataDir}: name the service's folder with --data.`);
  }
  const database = await openDatabase({ dataDir });
  try {
    const file = await createFile(path);
    try {
      const rows = await database.transaction((queries) => write(queries, file));
      await file.sync();
      await syncFolder(dirname(path));
      return { exported: path, rows };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  } finally {
    await database.close();
  }
}

async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'ax', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StoreError(`${path} exists already, and is left as it is. Name a new file.`);
    throw new StoreError(`${path} cannot be created: ${message}. Name a file in a folder that you can write to.`);
  }
}

async function write(queries: Queries, file: FileHandle): Promise<Record<string, number>> {
  await requireKnownSchema(queries);
  await file.truncate(); // removes what an earlier attempt of the transaction wrote
  await file.appendFile(HEAD);
  for (const statement of schemaStatements()) await file.appendFile(`${statement};\n`);
  const rows: Record<string, number> = {};
  for (const table of TABLES) {
    rows[table] = 0;
    for await (const page of readPages(queries, table)) {
      rows[table] += page.length;
      const json = `[${page.join(',')}]`.replaceAll("'", "''");
      await file.appendFile(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, '${json}');\n`,
      );
    }
  }
  for (const statement of await sequenceStatements(queries)) await file.appendFile(`${statement};\n`);
  await file.appendFile('commit;\n');
  return rows;
}

/** Refuses tables that a newer service has extended, since this one knows only a part of their data. */
async function requireKnownSchema(queries: Queries): Promise<void> {
  const [newest] = await queries.query<{ version: number }>('select max(version) as version from migration');
  if (newest!.version <= SCHEMA_VERSION) return;
  throw new StoreError(
    `The data is of a newer svc-service (schema ${newest!.version}, this one knows ${SCHEMA_VERSION}). Export with that one.`,
  );
}

/** Yields the rows of a table as JSON. */
async function* readPages(queries: Queries, table: string): AsyncGenerator<string[]> {
  await queries.query(
    `declare of_${table} no scroll cursor for select row_to_json(item)::text as row from ${table} item`,
  );
  for (;;) {
    const page = await queries.query<{ row: string }>(`fetch ${rowsPerStatement(table)} from of_${table}`);
    if (page.length === 0) return;
    yield page.map(({ row }) => row);
  }
}

/** Returns statements after which new rows get numbers above those of the exported ones. */
async function sequenceStatements(queries: Queries): Promise<string[]> {
  const columns = await queries.query<{ table: string; name: string }>(
    `select table_name::text as table, column_name::text as name from information_schema.columns
      where table_schema = current_schema() and is_identity = 'YES'`,
  );
  const statements: string[] = [];
  for (const { table, name } of columns) {
    const [last] = await queries.query<{ next: number }>(`select coalesce(max(${name}), 0) + 1 as next from ${table}`);
    statements.push(`alter table ${table} alter column ${name} restart with ${last!.next}`);
  }
  return statements;
}
