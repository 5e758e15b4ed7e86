import { sayInteger, sayOrdinal } from './number-words.js';
import { UNITS } from './unit-words.js';

/** Denominators of fractions that are read as such: one half, two thirds. Others are probably not fractions. */
const DENOMINATORS = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64, 100]);

/** True for a fraction such as 3/4, and false for what is probably a ratio, a date or a name: 4/3, 5/17. */
export function isFraction(part: string, of: string): boolean {
  return /^[1-9]\d*$/.test(part) && Number(part) < Number(of) && DENOMINATORS.has(Number(of));
}

/**
 * Writes out a fraction: "two and a half", "three quarters of a mile".
 *
 * @param unit - Abbreviation of a unit, or an ending such as "th", after which any number is a fraction of one: 1/250 s.
 */
export function sayFraction(found: string, whole: string | undefined, part: string, of: string, unit = ''): string {
  const isSure =
    Number(of) > Number(part) && (/^(?:st|nd|rd|th)/.test(unit) || (part === '1' && /^s(?:ecs?)?$/.test(unit)));
  if (!isSure && !isFraction(part, of)) return found;
  const [above, below] = [Number(part), Number(of)];
  const name = { 2: 'half', 4: 'quarter' }[below] ?? sayOrdinal(of);
  const parts = above === 1 ? name : `${name}s`;
  const before = whole ? `${sayInteger(whole)} and ` : '';
  const article = below === 8 ? 'an' : 'a';
  const fraction = `${before}${whole && above === 1 ? article : sayInteger(String(above))} ${parts}`;
  if (!UNITS[unit]) return fraction;
  const [one, several] = UNITS[unit];
  return `${fraction} ${whole ? several : `of ${/^(?:[aeiou]|hour)/.test(one) ? 'an' : 'a'} ${one}`}`;
}
