/** One thing that is wrong with what a peer sent: which field, and what would be right. */
export interface FieldError {
  /** Path of the field, such as `sampling.rate` or `messages[0].type`; empty for the value as a whole. */
  readonly field: string;
  /** What is allowed there; reads on from the field's name, such as `must be a string`. */
  readonly problem: string;
}

/** What a parser gives back instead of throwing: the value, or every field that is wrong (never an empty list). */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: FieldError[] };

/**
 * Puts errors into one line for people, such as `sample_rate must be an integer from 8000 to 96000; foo is not known`.
 *
 * Pure; any thread.
 */
export function describeFieldErrors(errors: readonly FieldError[]): string {
  return errors.map(({ field, problem }) => `${field || 'the value'} ${problem}`).join('; ');
}
