/**
 * Returns true if a value can be the id of an avatar, which becomes part of the path of a call that carries the key.
 *
 * The spec defines no format, so any text is valid that stays one segment of a path. It must not be empty or contain a
 * lone surrogate, nor `.` or `..` between slashes: a URL parser resolves these as path steps even as `%2e`, and so does
 * a proxy that decodes `%2F`.
 */
export function isAvatarId(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || /\p{Surrogate}/u.test(value)) return false;
  return !value.split(/[/\\]/).some((step) => step === '.' || step === '..');
}

/** @throws {TypeError} If the value cannot be the id of an avatar. */
export function checkAvatarId(value: unknown): string {
  if (isAvatarId(value)) return value;
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 64)) : typeof value;
  throw new TypeError(`an avatar id must be a string, not empty and without steps of a path such as '..': ${shown}`);
}
