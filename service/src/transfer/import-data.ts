import { AdminError } from '../admin/admin-command.js';
import type { Database, Queries } from '../store/database.js';
import { migrateWithin, SCHEMA_VERSION } from '../store/migrations.js';
import { damaged, readDataFile, readHeader, type DataHeader, type DataRow, type DataTrailer } from './data-file.js';
import { DATA_TABLES } from './data-tables.js';
import { requireBalances, sumOfLedger } from './verify-data.js';

/** Approximate size of the rows sent to the database at a time, in bytes. */
const BATCH_BYTES = 1_000_000;

/** Settings of the transaction: no time limits. */
const SETTINGS = ['set local statement_timeout = 0', 'set local idle_in_transaction_session_timeout = 0'];

/**
 * Reads the header of an export that this service can import.
 *
 * @throws {AdminError} If the file is not an export, or is from a newer service.
 */
export async function requireImportable(file: string): Promise<DataHeader> {
  const header = await readHeader(file);
  if (header.schema <= SCHEMA_VERSION) return header;
  throw new AdminError(
    `${file} is of a newer svc-service (schema ${header.schema}, this one knows ${SCHEMA_VERSION}). Update svc-service.`,
  );
}

/**
 * Imports an export into an empty database, in one transaction. Creates the tables in the version of the export, then
 * migrates them. Keeps only a few rows in memory.
 *
 * @returns The last line of the export; its figures match the imported rows.
 * @throws {AdminError} If the file is damaged or incomplete, or the database is not empty.
 */
export async function importData(database: Database, file: string): Promise<DataTrailer> {
  const { schema } = await requireImportable(file);
  return database.transaction(async (queries) => {
    for (const setting of SETTINGS) await queries.query(setting);
    const tables = await prepareTables(queries, file, schema);
    const { trailer, rows } = await insertAll(queries, file, tables);
    await continueIdentities(queries, tables);
    await verify(queries, file, tables, rows, trailer);
    await migrateWithin(queries, SCHEMA_VERSION);
    return trailer;
  });
}

/**
 * Creates the tables.
 *
 * @returns The tables of this schema that an export may contain.
 */
async function prepareTables(queries: Queries, file: string, schema: number): Promise<string[]> {
  const found = await migrateWithin(queries, schema);
  const present = await queries.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema()',
  );
  const names = new Set(present.map(({ name }) => name));
  const tables = Object.keys(DATA_TABLES).filter((table) => names.has(table));
  for (const table of tables) {
    const rows = await queries.query(`select from ${table} limit 1`);
    if (rows.length > 0) {
      throw new AdminError(
        `The database is not empty: the table ${table} has rows. Nothing was imported. Use a new database or folder.`,
      );
    }
  }
  if (found !== schema) {
    throw new AdminError(
      `The database has tables of schema ${found}, and ${file} is of schema ${schema}. Nothing was imported. ` +
        'Take a database without tables, or a new folder: they are made as the file needs them.',
    );
  }
  return tables;
}

async function insertAll(queries: Queries, file: string, tables: readonly string[]) {
  const rows = Object.fromEntries(tables.map((table) => [table, 0]));
  let batch: string[] = [];
  let batchTable = '';
  let batchBytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) {
      await queries.query(
        `insert into ${batchTable} overriding system value
         select * from json_populate_recordset(null::${batchTable}, $1::text::json)`,
        [`[${batch.join(',')}]`],
      );
    }
    batch = [];
    batchBytes = 0;
  };
  let trailer: DataTrailer | undefined;
  for await (const line of readDataFile(file)) {
    if (isTrailer(line)) {
      trailer = line;
      continue;
    }
    const { table, row } = line;
    if (!tables.includes(table)) throw damaged(file, `it has rows of a table ${JSON.stringify(table.slice(0, 40))}`);
    if (table !== batchTable || batch.length >= DATA_TABLES[table]! || batchBytes >= BATCH_BYTES) await flush();
    batchTable = table;
    const text = JSON.stringify(row);
    batch.push(text);
    batchBytes += text.length;
    rows[table]!++;
  }
  await flush();
  return { trailer: trailer!, rows };
}

function isTrailer(line: DataRow | DataTrailer): line is DataTrailer {
  return 'sha256' in line;
}

/** Sets the sequences of the tables, so that new rows get numbers above the imported ones. */
async function continueIdentities(queries: Queries, tables: readonly string[]): Promise<void> {
  const columns = await queries.query<{ table: string; name: string }>(
    `select table_name::text as table, column_name::text as name from information_schema.columns
      where table_schema = current_schema() and is_identity = 'YES' and table_name = any($1::text[])`,
    [tables],
  );
  for (const { table, name } of columns) {
    await queries.query(
      `select setval(pg_get_serial_sequence($1, $2), (select coalesce(max(${name}), 0) + 1 from ${table}), false)`,
      [table, name],
    );
  }
}

/** Compares the rows in the database with the figures in the export. */
async function verify(
  queries: Queries,
  file: string,
  tables: readonly string[],
  rows: Readonly<Record<string, number>>,
  trailer: DataTrailer,
): Promise<void> {
  for (const table of tables) {
    const [stored] = await queries.query<{ count: number }>(`select count(*)::bigint as count from ${table}`);
    const expected = trailer.rows[table] ?? 0;
    if (stored!.count !== expected || rows[table] !== expected) {
      throw damaged(file, `of ${expected} rows of ${table}, ${rows[table]} are in it and ${stored!.count} were stored`);
    }
  }
  const ledgerMs = await sumOfLedger(queries);
  if (ledgerMs !== trailer.ledger_ms) {
    throw damaged(file, `its ledger adds up to ${ledgerMs} ms instead of ${trailer.ledger_ms} ms`);
  }
  await requireBalances(queries);
}
