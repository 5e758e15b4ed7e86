/** Error for an avatar that cannot be added. The message gives the fault and how to fix it. */
export class AvatarError extends Error {
  override readonly name = 'AvatarError';
}
