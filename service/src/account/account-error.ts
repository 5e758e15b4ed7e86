/** Error for a request that cannot be carried out. The message is one line with the reason; no data has changed. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  /** True if the request names a user or a key that does not exist. */
  readonly isMissing: boolean;

  constructor(message: string, { isMissing = false }: { readonly isMissing?: boolean } = {}) {
    super(message);
    this.isMissing = isMissing;
  }
}
