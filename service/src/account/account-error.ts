/** What was asked for cannot be done, and the message says why in one line; nothing was changed. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
}
