import { PGlite, types } from '@electric-sql/pglite';
import { retryTransaction, type Database, type Queries } from './database.js';

/** Where {@link openEmbeddedDatabase} keeps its data. */
export interface EmbeddedDatabaseOptions {
  /** Folder of the data; in memory without one. */
  readonly folder?: string;
}

/** Opens PostgreSQL compiled to WebAssembly, in this process and for this process alone. */
export async function openEmbeddedDatabase({ folder }: EmbeddedDatabaseOptions = {}): Promise<Database> {
  const engine = await PGlite.create(folder ?? 'memory://', { parsers: { [types.INT8]: Number } });
  let closing: Promise<void> | undefined;
  const ask = async <Row>(asker: Pick<PGlite, 'query'>, text: string, values: readonly unknown[] = []) =>
    (await asker.query<Row>(text, [...values])).rows;
  return {
    query: (text, values) => ask(engine, text, values),
    transaction: (work) =>
      retryTransaction(() =>
        engine.transaction((transaction) => {
          const queries: Queries = { query: (text, values) => ask(transaction, text, values) };
          return work(queries);
        }),
      ),
    close: () => (closing ??= engine.close()),
  };
}
