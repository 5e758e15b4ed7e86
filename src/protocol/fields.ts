import type { FieldError } from './parsed.js';

/**
 * Maximum number of errors reported for one value, so that hostile input cannot produce a response larger than itself.
 */
const ERRORS_MAX = 20;

/** Maximum number of characters of an unknown field's name that an error repeats. */
const NAME_MAX = 64;

/** Rule for one field of an object. */
export interface FieldRule {
  /** Returns true if a value that is present is allowed. Must not throw. */
  readonly test: (value: unknown) => boolean;
  /** Description of what is allowed, to follow the word "must", such as `be a string`. */
  readonly must: string;
}

/** Rules by field name. Free of calls and spreads, so that a bundler can drop unused ones. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

/** Returns true if a value is an object with fields: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true if a value is a string. */
export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns the reason that a service gives in a field, whatever its form. */
export function reasonIn(value: unknown): string {
  if (isString(value)) return value;
  return value ? JSON.stringify(value) : 'no reason given';
}

/** Adds an error, unless the maximum is reached. */
export function addError(errors: FieldError[], field: string, problem: string): void {
  if (errors.length < ERRORS_MAX) errors.push({ field, problem });
}

/**
 * Copies the fields that have a rule and are present, and adds an error for each that breaks its rule. Absent,
 * `undefined` and `null` mean the same.
 *
 * @param required - Names of the fields that must be present.
 * @param path - Prefix of each field's name, such as `messages[0].`.
 */
export function readFields(
  source: Record<string, unknown>,
  rules: FieldRules,
  required: readonly string[],
  path: string,
  errors: FieldError[],
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, { test, must }] of Object.entries(rules)) {
    const value = source[name] ?? null;
    if (value === null ? required.includes(name) : !test(value)) addError(errors, path + name, `must ${must}`);
    else if (value !== null) read[name] = value;
  }
  return read;
}

/**
 * Adds an error for each field whose name is not in `known`.
 *
 * @param path - Prefix of each field's name, such as `sampling.`.
 */
export function refuseUnknown(
  source: Record<string, unknown>,
  known: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  for (const name of Object.keys(source)) {
    if (known.includes(name)) continue;
    addError(errors, path + name.slice(0, NAME_MAX), `is not known; known are ${known.join(', ') || 'none'}`);
  }
}
