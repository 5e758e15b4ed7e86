/**
 * Returns the value of an object property: null for undefined, as frameworks pass it.
 *
 * @throws {TypeError} If it is neither an object nor null.
 */
export function objectOrNull<T extends object>(value: T | null | undefined, name: string): T | null {
  value ??= null;
  if (typeof value !== 'object') {
    throw new TypeError(`${name} must be an object or null, not the ${typeof value} ${String(value)}.`);
  }
  return value;
}
