import { AvatarError } from './avatar-error.js';

/**
 * Returns the value as an object.
 *
 * @throws {AvatarError} If it is not an object.
 */
export function asRecord(where: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new AvatarError(`${where}: must be an object`);
}

/**
 * Checks the names of an object's members.
 *
 * @throws {AvatarError} If a required member is missing, or a member is unknown.
 */
export function checkMembers(
  where: string,
  record: Record<string, unknown>,
  required: readonly string[],
  optional: readonly string[] = [],
): void {
  for (const name of required) {
    if (!Object.hasOwn(record, name)) throw new AvatarError(`${where}: ${name} is missing`);
  }
  for (const name of Object.keys(record)) {
    if (required.includes(name) || optional.includes(name)) continue;
    throw new AvatarError(`${where}: ${name.slice(0, 64)} is not known`);
  }
}

/**
 * Returns the value as a number.
 *
 * @throws {AvatarError} If it is not a number, or out of range.
 */
export function readNumber(where: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new AvatarError(`${where}: must be a number from ${least} to ${most}`);
}

/**
 * Returns the value as an integer.
 *
 * @throws {AvatarError} If it is not an integer, or out of range.
 */
export function readInteger(where: string, value: unknown, least: number, most: number): number {
  if (Number.isInteger(value)) return readNumber(where, value, least, most);
  throw new AvatarError(`${where}: must be a whole number from ${least} to ${most}`);
}

/** Characters that neither XML nor the database can hold: NUL and other controls, lone surrogates, U+FFFE, U+FFFF. */
const NO_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * Returns the value as a text.
 *
 * @throws {AvatarError} If it is not a string, is empty or too long, or contains a character that XML does not allow.
 */
export function readText(where: string, value: unknown, longest: number): string {
  if (typeof value !== 'string' || value === '' || value.length > longest) {
    throw new AvatarError(`${where}: must be a string of 1 to ${longest} characters`);
  }
  const at = value.search(NO_CHARACTER);
  if (at === -1) return value;
  const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  throw new AvatarError(`${where}: U+${code} (character ${at}) is not allowed: a control, or half a character`);
}
