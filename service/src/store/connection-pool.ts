import type { PostgresConnection } from './postgres-connection.js';

/** Lends connections, each to one borrower at a time. */
export interface ConnectionPool {
  /** Calls `use` with a connection; waits for one if all are lent, in the order of the calls. */
  borrow<Result>(use: (connection: PostgresConnection) => Promise<Result>): Promise<Result>;
  /** Ends all connections. To be called when nothing is lent, and nobody borrows any more. */
  end(): Promise<void>;
}

/**
 * Makes connections when they are needed and keeps them, until one breaks: then others that are idle end, too.
 *
 * @param most - How many there may be at a time.
 */
export function createConnectionPool(most: number, connect: () => Promise<PostgresConnection>): ConnectionPool {
  const idle: PostgresConnection[] = [];
  let lent = 0;
  const waiting: (() => void)[] = [];

  const takePlace = async (): Promise<void> => {
    if (lent < most) lent++;
    else await new Promise<void>((resolve) => waiting.push(resolve)); // the one that ends hands over its place
  };
  const take = async (): Promise<PostgresConnection> => {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (!connection.isBroken) return connection;
      void connection.end();
    }
    return await connect();
  };
  const endIdle = async (): Promise<void> => {
    await Promise.all(idle.splice(0).map((connection) => connection.end()));
  };
  const giveBack = (connection: PostgresConnection): void => {
    if (!connection.isBroken) return void idle.push(connection);
    void connection.end();
    void endIdle(); // of the same server, most likely
  };
  const leavePlace = (): void => {
    const next = waiting.shift();
    if (next) next();
    else lent--;
  };
  return {
    async borrow(use) {
      await takePlace();
      try {
        const connection = await take();
        try {
          return await use(connection);
        } finally {
          giveBack(connection);
        }
      } finally {
        leavePlace();
      }
    },
    end: endIdle,
  };
}
