/** How the pace is set, with a view to what is held: a module of constants, which bundlers put in. */

/** At the playback rate. */
export const even = 0;
/** Slower than real time: little is held. */
export const slow = 1;
/** Pauses alone are drawn out, or nothing is played faster than it comes: more would be better. */
export const careful = 2;
/** Too much is held: pauses are cut short, or speech is faster, too. */
export const shortPauses = 3;
export const fast = 4;

export type Any = typeof even | typeof slow | typeof careful | typeof shortPauses | typeof fast;
