/**
 * Attribute reflection as HTML defines it: at once, and coerced. (Lit reflects in its next update and does not coerce.)
 */

/** Content attributes whose property is a boolean: present or not. */
export function setBoolean(element: Element, attribute: string, value: unknown): void {
  element.toggleAttribute(attribute, Boolean(value));
}

/** An attribute limited to known values; anything else is the default. */
export function keyword<T extends string>(value: string | null, known: readonly T[], fallback: T): T {
  const lower = value?.toLowerCase();
  return known.find((one) => one === lower) ?? fallback;
}

/** A number in an attribute, within bounds; what is no number is the default. */
export function clampedNumber(value: string | null, min: number, max: number, fallback: number): number {
  const number = value === null || value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : fallback;
}

/**
 * A property that is a `double` in WebIDL.
 *
 * @throws {TypeError} If it is not finite.
 */
export function double(value: unknown, name: string): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new TypeError(`${name} must be a finite number, not ${String(value)}`);
  return number;
}
