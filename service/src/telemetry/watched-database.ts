import type { Database, Queries } from '../store/database.js';

/**
 * Wraps a database to report each failed statement and each transaction that cannot begin or end. Results and errors
 * stay the same. Errors that the work of a transaction throws itself are not reported.
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
      /** Error that the work threw: already reported, or not an error of the database. */
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
    ...(database.backUp && { backUp: (folder: string) => database.backUp!(folder) }),
    close: () => database.close(),
  };
}
