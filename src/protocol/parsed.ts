/** One fault in a value that a peer sent: the field, and what is allowed there. */
export interface FieldError {
  /** Path of the field, such as `sampling.rate` or `messages[0].type`; empty for the whole value. */
  readonly field: string;
  /** Description of what is allowed there, to follow the field's name, such as `must be a string`. */
  readonly problem: string;
}

/** Result of a parser, which never throws: the value, or every field that is wrong (never an empty list). */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: FieldError[] };

/**
 * Formats errors as one line for people, such as `sample_rate must be an integer from 8000 to 96000; foo is not known`.
 *
 * Pure; any thread.
 */
export function describeFieldErrors(errors: readonly FieldError[]): string {
  return errors.map(({ field, problem }) => `${field || 'the value'} ${problem}`).join('; ');
}
