/**
 * Tells whether a value can be the id of an avatar, which stands in the path of a call that carries the key.
 *
 * The spec shows no format, so any text will do that stays one segment of a path: not empty, no lone surrogate, and no
 * `.` or `..` between slashes, which a URL parser takes for steps even as `%2e`, and a proxy that decodes `%2F` as well.
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
