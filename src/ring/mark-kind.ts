/**
 * Kinds of marks. A mark stands between two samples: before the first sample of an utterance, or after its last.
 * Constants as in `slot.ts`.
 */

export const start = 1;
export const end = 2;

/** Any kind of mark. */
export type Any = typeof start | typeof end;
