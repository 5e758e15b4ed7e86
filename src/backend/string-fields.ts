import { isRecord, isString, readFields, type FieldRule } from '../protocol/fields.js';
import type { FieldError, Parsed } from '../protocol/index.js';

const filled: FieldRule = { test: (value) => isString(value) && value !== '', must: 'be a non-empty string' };

/**
 * Checks that a value has the named fields, each a non-empty string. Other fields are tolerated and left out.
 *
 * Pure, never throws on JSON input.
 */
export function parseStringFields<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Parsed<Readonly<Record<Name, string>>> {
  if (!isRecord(value)) return { ok: false, errors: [{ field: '', problem: 'must be an object' }] };
  const errors: FieldError[] = [];
  const rules = Object.fromEntries(names.map((name) => [name, filled]));
  const read = readFields(value, rules, names, '', errors);
  return errors.length ? { ok: false, errors } : { ok: true, value: read as Record<Name, string> };
}
