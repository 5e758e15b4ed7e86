/** What was asked for cannot be done, and the message says why in one line; nothing was changed. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  /** True if the request names a user or a key that does not exist. */
  readonly isMissing: boolean;

  constructor(message: string, { isMissing = false }: { readonly isMissing?: boolean } = {}) {
    super(message);
    this.isMissing = isMissing;
  }
}
