import type { PostgresConnection } from './postgres-connection.js';

/** Pool of connections. Each is lent to one borrower at a time. */
export interface ConnectionPool {
  /** Calls `use` with a connection. If all are lent, calls wait in order. */
  borrow<Result>(use: (connection: PostgresConnection) => Promise<Result>): Promise<Result>;
  /** Ends all connections. Call it only when no connection is lent and none will be borrowed. */
  end(): Promise<void>;
}

/**
 * Creates a pool that opens connections on demand and keeps them. When one breaks, idle ones are closed too.
 *
 * @param most - Maximum number of connections.
 */
export function createConnectionPool(most: number, connect: () => Promise<PostgresConnection>): ConnectionPool {
  const idle: PostgresConnection[] = [];
  let lent = 0;
  const waiting: (() => void)[] = [];

  const takePlace = async (): Promise<void> => {
    if (lent < most) lent++;
    else await new Promise<void>((resolve) => waiting.push(resolve)); // `leavePlace` hands its place over
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
    void endIdle(); // they probably lead to the same server
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
