/** Something in the environment or on the command line that cannot be used; the message says what would be right. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
