/**
 * Tables that an export holds, each after those that it refers to, with the number of rows that are handled at a time.
 * An avatar has megabytes, other rows have some hundred bytes.
 */
export const DATA_TABLES: Readonly<Record<string, number>> = {
  account: 500,
  api_key: 500,
  ledger: 500,
  used_token: 500,
  secret: 500,
  avatar: 1,
  room: 500,
  audit: 500,
};

/** Tables whose rows mean nothing once the service has stopped: logins, open sockets, calls of the last minute. */
export const LEFT_OUT: readonly string[] = ['admin_session', 'lease', 'rate_window'];
