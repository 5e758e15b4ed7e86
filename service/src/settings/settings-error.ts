/** Error for an invalid environment variable or argument. The message says what is valid. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
