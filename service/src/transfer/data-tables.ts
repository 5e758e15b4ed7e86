/**
 * Tables in an export, each after the tables that it refers to, with the number of rows to process at a time. An avatar
 * may have megabytes; other rows have a few hundred bytes.
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
  idempotency_key: 500,
};

/** Tables whose rows are useless once the service has stopped: logins, open sockets, calls of the last minute. */
export const LEFT_OUT: readonly string[] = ['admin_session', 'lease', 'rate_window'];
