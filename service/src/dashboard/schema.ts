import { fieldRefusalSchema } from '../api/refusal-schema.js';

/** Maximum number of rows in one answer. */
export const ROWS_MAX = 1000;

/** Schema of a text. */
export const text = (description: string) => ({ type: 'string', description }) as const;

/** Schema of a count. */
export const count = (description: string) => ({ type: 'integer', description }) as const;

/** Schema of an amount of credits. */
export const credits = (description: string) => ({ type: 'number', description }) as const;

/** Schema of a time. */
export const time = (description: string) =>
  ({ type: 'string', description: `${description}: ISO 8601, UTC.` }) as const;

/** Schema of a successful answer. All members are required. */
export function answer(description: string, properties: Record<string, object>) {
  return { description, type: 'object', required: Object.keys(properties), properties } as const;
}

/** Schema of an answer with a list of rows and other members. */
export function rows(
  description: string,
  name: string,
  row: Record<string, object>,
  others: Record<string, object> = {},
) {
  const items = { type: 'object', required: Object.keys(row), properties: row };
  return answer(description, { ...others, [name]: { type: 'array', items } });
}

/** Schema of query parameters; none is required. */
export function query(properties: Record<string, object>) {
  return { type: 'object', additionalProperties: false, properties } as const;
}

/** Schema of a request's body; by default all members are required. */
export function body(properties: Record<string, object>, required = Object.keys(properties)) {
  return { type: 'object', required, additionalProperties: false, properties } as const;
}

/** Schema of the answer to a request with a wrong parameter. */
export const wrong = fieldRefusalSchema('A parameter is missing, wrong or not known; the body names it.');

/** Schema of the query parameter `limit`. */
export const limit = {
  type: 'integer',
  minimum: 1,
  maximum: ROWS_MAX,
  default: 100,
  description: 'Rows at most.',
} as const;

/** Schema of the query parameter `user`. */
export const userFilter = { type: 'string', maxLength: 128, description: 'Only what belongs to this user.' } as const;

/** Schema of a query parameter that continues a list after a numbered row. */
export const beforeNumber = {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Continues the list after the row with this `id`.',
} as const;

/** Schema of the path parameter `name`. */
export function path(name: string, description: string) {
  return { type: 'object', required: [name], properties: { [name]: text(description) } } as const;
}
