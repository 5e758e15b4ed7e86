/** An avatar that cannot be added; the message says what is wrong with it, and what would be right. */
export class AvatarError extends Error {
  override readonly name = 'AvatarError';
}
