import type { Account } from './account.js';

/** Leave to have a socket open. */
export interface SocketLease {
  /** Gives it back. More than once is harmless. */
  release(): void;
}

/** Counts the open sockets of each account against its ceiling: here in memory, later over all nodes. */
export interface SocketLeases {
  /** A lease, or `null` if the account has as many sockets open as it may. */
  acquire(account: Account): Promise<SocketLease | null>;
}

/** Leases of this process. */
export function createSocketLeases(): SocketLeases {
  const open = new Map<string, number>();
  return {
    async acquire({ id, maxConcurrentSessions }) {
      const count = open.get(id) ?? 0;
      if (count >= maxConcurrentSessions) return null;
      open.set(id, count + 1);
      let held = true;
      return {
        release() {
          if (!held) return;
          held = false;
          const left = open.get(id)! - 1;
          if (left > 0) open.set(id, left);
          else open.delete(id);
        },
      };
    },
  };
}
