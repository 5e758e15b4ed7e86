import { DatabaseError } from './database.js';
import type { PostgresConnection } from './postgres-connection.js';
import { codeOf, isUnreachable, translatePostgres } from './postgres-errors.js';
import type { PostgresServerUrl, PostgresUrl } from './postgres-url.js';

const STATE = `select current_setting('transaction_read_only') = 'on' as "isReadOnly", pg_is_in_recovery() as "isStandby"`;

interface ServerState {
  readonly isReadOnly: boolean;
  readonly isStandby: boolean;
}

/**
 * Creates a function that connects to the first usable server. It starts with the server used last, so that after a
 * failover a lost server does not delay every connection.
 *
 * The driver also accepts several hosts, but retries unreachable ones endlessly and without a pause (porsager/postgres
 * #815, in 3.4.9).
 *
 * @param connect - Creates a connection to a server, which opens with its first statement.
 * @returns A function that throws `DatabaseError` if no server is usable, or one refuses the user.
 */
export function createServerChooser(
  { servers, target, where }: PostgresUrl,
  connect: (server: PostgresServerUrl) => PostgresConnection,
): () => Promise<PostgresConnection> {
  let first = 0;
  return async () => {
    if (servers.length === 1 && target === 'any') return connect(servers[0]!);
    const failures: string[] = [];
    for (const index of servers.keys()) {
      const place = (first + index) % servers.length;
      const server = servers[place]!;
      const connection = connect(server);
      try {
        const [state] = (await connection.ask(STATE)) as [ServerState];
        const isUsable = target === 'any' || !(target === 'primary' ? state.isStandby : state.isReadOnly);
        if (isUsable) {
          first = place;
          return connection;
        }
        failures.push(`${server.where} is ${state.isStandby ? 'a standby' : 'read-only'}`);
      } catch (error) {
        void connection.end();
        if (!isUnreachable(error)) throw translatePostgres(error, server.where);
        failures.push(`${server.where} cannot be reached (${codeOf(error)})`);
      }
      void connection.end();
    }
    throw new DatabaseError(
      `PostgreSQL at ${where} has no server for ${target}: ${failures.join(', ')}.`,
      'unreachable',
    );
  };
}
