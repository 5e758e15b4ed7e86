import { createHash, timingSafeEqual } from 'node:crypto';

/** Who pays for a session. */
export interface Account {
  readonly id: string;
  /** Sockets it may have open at a time. */
  readonly maxConcurrentSessions: number;
}

/** Where accounts are kept: here one from the environment, later a database. Main thread; must not reject for a wrong key. */
export interface Accounts {
  /** The account an API key belongs to; `null` if the key is wrong or revoked. */
  authenticate(apiKey: string): Promise<Account | null>;
  /** The account of this id; `null` if there is none any more. */
  find(id: string): Promise<Account | null>;
}

/**
 * One account with one API key. Only the key's hash is kept, and hashes are compared in constant time.
 *
 * @param apiKey - Not empty.
 */
export function singleAccount(account: Account, apiKey: string): Accounts {
  const hash = hashKey(apiKey);
  return {
    authenticate: async (key) => (timingSafeEqual(hashKey(key), hash) ? account : null),
    find: async (id) => (id === account.id ? account : null),
  };
}

function hashKey(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}
