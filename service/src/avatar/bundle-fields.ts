import { AvatarError } from './avatar-error.js';

/** @throws {AvatarError} If it is not an object. */
export function asRecord(where: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new AvatarError(`${where}: must be an object`);
}

/** @throws {AvatarError} If a member is missing, or one is there that is not known. */
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

/** @throws {AvatarError} If it is not a number, or not in the range. */
export function readNumber(where: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new AvatarError(`${where}: must be a number from ${least} to ${most}`);
}

/** @throws {AvatarError} If it is not a string, is empty or too long, or has a NUL, which a database does not take. */
export function readText(where: string, value: unknown, longest: number): string {
  if (typeof value === 'string' && value !== '' && value.length <= longest && !value.includes('\0')) return value;
  throw new AvatarError(`${where}: must be a string of 1 to ${longest} characters`);
}
