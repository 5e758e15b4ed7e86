/** An attribute limited to known values; anything else is the default. */
export function keyword<T extends string>(value: string | null, known: readonly T[], fallback: T): T {
  const lower = value?.toLowerCase();
  return known.find((one) => one === lower) ?? fallback;
}

/** A number in an attribute, within bounds; what is no number is the default. */
export function clampedNumber(value: string | null, min: number, max: number, fallback: number): number {
  const number = Number.parseFloat(value ?? '');
  return Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : fallback;
}

/**
 * A property that is a `double` in WebIDL.
 *
 * @throws {TypeError} If it is not finite.
 */
export function double(value: unknown, name: string): number {
  const number = +(value as number); // not Number(), which takes a BigInt
  if (!Number.isFinite(number)) throw new TypeError(`${name} must be a finite number, not ${String(value)}`);
  return number;
}

/**
 * Hands properties that were set before the element was defined to the setters they were meant for.
 *
 * A setter that refuses its value is reported, as an event handler's error is, and does not stop the others.
 */
export function upgradeProperties(element: HTMLElement, ...prototypes: object[]): void {
  for (const [name, value] of Object.entries(element)) {
    if (!prototypes.some((prototype) => Object.getOwnPropertyDescriptor(prototype, name)?.set)) continue;
    Reflect.deleteProperty(element, name);
    try {
      Reflect.set(element, name, value);
    } catch (error) {
      reportError(error);
    }
  }
}
