import { msToCredits } from '../account/credits.js';
import type { Queries } from '../store/database.js';

/** A socket that is open on some node. */
export interface OpenSocket {
  readonly session: string;
  readonly user: string;
  /** Id of the key with which the session was created. */
  readonly key: string;
  readonly node: string;
  /** True if it counts against the ceiling of its account. */
  readonly holds_slot: boolean;
  readonly opened_at: Date;
  /** Credits charged up to the last heartbeat. */
  readonly credits: number;
}

/** Open sockets of all nodes. */
export interface OpenSockets {
  readonly total: number;
  /** Number of them that hold a slot. */
  readonly slots: number;
  /** The newest ones. */
  readonly sockets: readonly OpenSocket[];
}

/** Reads the sockets with a valid lease, newest first; of one user, or of all users. */
export async function readOpenSockets(queries: Queries, limit: number, user?: string): Promise<OpenSockets> {
  const [count] = await queries.query<{ total: number; slots: number }>(
    `select count(*)::integer as total, count(*) filter (where holds_slot)::integer as slots from lease
      where expires_at > svc_now() and ($1::text is null or account_id = $1)`,
    [user ?? null],
  );
  const rows = await queries.query<Omit<OpenSocket, 'credits'> & { ms: number }>(
    `select lease.session_id as session, lease.account_id as user, lease.key_id as key, lease.node, lease.holds_slot,
            ledger.created_at as opened_at, -ledger.amount_ms as ms
       from lease join ledger on ledger.session_id = lease.session_id
      where lease.expires_at > svc_now() and ($1::text is null or lease.account_id = $1)
      order by ledger.id desc limit $2`,
    [user ?? null, limit],
  );
  return { ...count!, sockets: rows.map(({ ms, ...row }) => ({ ...row, credits: msToCredits(ms) })) };
}
