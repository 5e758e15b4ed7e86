import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time, whatever their lengths. */
export function isSameSecret(given: string, right: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(right));
}
