import { SettingsError } from './settings-error.js';

/** Environment variables. An empty one counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a whole number; `undefined` if absent.
 *
 * @throws {SettingsError} If it is not a whole number from `least` to `most`.
 */
export function readInteger(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (!text) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new SettingsError(`${name} must be a whole number from ${least} to ${most}, not ${text}.`);
}

/**
 * Reads the address of a web server; `undefined` if absent.
 *
 * @throws {SettingsError} If it is not `http:` or `https:`. The message leaves out an address that may contain a
 *   password.
 */
export function readUrl(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new SettingsError(`${name} must be an http: or https: address${text.includes('@') ? '' : `, not ${text}`}.`);
}

/**
 * Reads one of several words; `undefined` if absent.
 *
 * @throws {SettingsError} If it is not one of them.
 */
export function readChoice<Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (!text) return undefined;
  const word = words.find((candidate) => candidate === text);
  if (word) return word;
  throw new SettingsError(`${name} must be one of ${words.join(', ')}, not ${text}.`);
}

/** Removes the members that are undefined. */
export function defined<Members extends object>(members: {
  [Name in keyof Members]: Members[Name] | undefined;
}): Members {
  return Object.fromEntries(Object.entries(members).filter((entry) => entry[1] !== undefined)) as Members;
}
