import type { Database, Queries } from '../store/database.js';

/**
 * A database that tells about each statement of it that fails, and about transactions that cannot begin or end. It
 * answers and throws as before. What the work of a transaction throws of its own is none of its business.
 *
 * @param failed - Called once for each failure. Must not throw.
 */
export function watchDatabase(database: Database, failed: (error: unknown) => void): Database {
  const watch = (queries: Queries): Queries => ({
    async query(text, values) {
      try {
        return await queries.query(text, values);
      } catch (error) {
        failed(error);
        throw error;
      }
    },
  });
  return {
    ...watch(database),
    async transaction(work) {
      /** What came out of the work: told about already, or not the database's. */
      let thrown: unknown;
      try {
        return await database.transaction(async (queries) => {
          try {
            return await work(watch(queries));
          } catch (error) {
            thrown = error;
            throw error;
          }
        });
      } catch (error) {
        if (error !== thrown) failed(error);
        throw error;
      }
    },
    close: () => database.close(),
  };
}
