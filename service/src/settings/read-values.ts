import { SettingsError } from './settings-error.js';

/** Variables of the environment. An empty one counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a whole number; `undefined` for one that is absent.
 *
 * @throws {SettingsError} If it is none, or not from `least` to `most`.
 */
export function readInteger(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (!text) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new SettingsError(`${name} must be a whole number from ${least} to ${most}, not ${text}.`);
}

/**
 * Reads the address of a web server; `undefined` for one that is absent.
 *
 * @throws {SettingsError} If it is not `http:` or `https:`; without what it is if it may hold a password.
 */
export function readUrl(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new SettingsError(`${name} must be an http: or https: address${text.includes('@') ? '' : `, not ${text}`}.`);
}

/**
 * Reads one of some words; `undefined` for one that is absent.
 *
 * @throws {SettingsError} If it is another one.
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

/** Leaves out what is undefined, which is not the same as absent. */
export function defined<Members extends object>(members: {
  [Name in keyof Members]: Members[Name] | undefined;
}): Members {
  return Object.fromEntries(Object.entries(members).filter((entry) => entry[1] !== undefined)) as Members;
}
