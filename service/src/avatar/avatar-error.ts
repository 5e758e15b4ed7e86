/** Error for an avatar that cannot be added or changed. The message gives the fault and how to fix it. */
export class AvatarError extends Error {
  override readonly name = 'AvatarError';
  /** True if the avatar does not exist. */
  readonly isMissing: boolean;

  constructor(message: string, { isMissing = false }: { readonly isMissing?: boolean } = {}) {
    super(message);
    this.isMissing = isMissing;
  }
}
