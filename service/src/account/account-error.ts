/** Error for a request that cannot be carried out. The message is one line with the reason; no data has changed. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  /** True if the request names a user or a key that does not exist. */
  readonly isMissing: boolean;
  /** True if the request was carried out before. */
  readonly isConflict: boolean;

  constructor(
    message: string,
    { isMissing = false, isConflict = false }: { readonly isMissing?: boolean; readonly isConflict?: boolean } = {},
  ) {
    super(message);
    this.isMissing = isMissing;
    this.isConflict = isConflict;
  }
}
