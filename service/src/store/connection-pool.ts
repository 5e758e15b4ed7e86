import type { PostgresConnection } from './postgres-connection.js';

/** Lends connections, each to one borrower at a time. */
export interface ConnectionPool {
  /** Calls `use` with a connection; waits for one if all are lent, in the order of the calls. */
  borrow<Result>(use: (connection: PostgresConnection) => Promise<Result>): Promise<Result>;
  /** Ends all connections. To be called when nothing is lent, and nobody borrows any more. */
  end(): Promise<void>;
}

/**
 * Makes connections when they are needed and keeps them, except those that are broken.
 *
 * @param most - How many there may be at a time.
 */
export function createConnectionPool(most: number, connect: () => PostgresConnection): ConnectionPool {
  let idle: PostgresConnection[] = [];
  let lent = 0;
  const waiting: (() => void)[] = [];

  const take = async (): Promise<PostgresConnection> => {
    if (lent < most) lent++;
    else await new Promise<void>((resolve) => waiting.push(resolve)); // whoever gives back hands over the place
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (!connection.isBroken) return connection;
      void connection.end();
    }
    return connect();
  };
  const giveBack = (connection: PostgresConnection): void => {
    if (connection.isBroken) void connection.end();
    else idle.push(connection);
    const next = waiting.shift();
    if (next) next();
    else lent--;
  };
  return {
    async borrow(use) {
      const connection = await take();
      try {
        return await use(connection);
      } finally {
        giveBack(connection);
      }
    },
    async end() {
      const ending = idle;
      idle = [];
      await Promise.all(ending.map((connection) => connection.end()));
    },
  };
}
