import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two texts in a time that does not depend on where they differ. Their lengths may differ. */
export function isSameSecret(given: string, right: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(right));
}
