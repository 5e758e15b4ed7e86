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
 * Makes what connects to the first server that may be used. It begins with the one that it used last, so that a server
 * that is gone does not delay every connection after a failover.
 *
 * The driver takes several hosts, too, but tries those that are away for ever and without a pause
 * (porsager/postgres #815, in 3.4.9).
 *
 * @param connect - Makes a connection to a server, which is not open before it is first asked.
 * @returns Throws `DatabaseError` if no server may be used, or one refuses the user.
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
