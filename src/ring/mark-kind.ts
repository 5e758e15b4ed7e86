/**
 * Kinds of marks. A mark stands between two samples: before the first sample of an utterance, after its last sample, or
 * where the speech after a seek begins. Constants as in `slot.ts`.
 */

export const start = 1;
export const end = 2;
/** Its `serial` is the number of the seek. */
export const seek = 3;

/** Any kind of mark. */
export type Any = typeof start | typeof end | typeof seek;
