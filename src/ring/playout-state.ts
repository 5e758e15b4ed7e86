/** States of the playout, in `Slot.state`. `Playout` defines the transitions. Constants as in `slot.ts`. */

/** There is nothing to play. */
export const idle = 0;
/** Speech is held back until there is enough to begin. */
export const priming = 1;
/** In a run of speech, even if it is paused. */
export const playing = 2;
/** In a run of speech that has run empty and is silent. */
export const stalled = 3;

/** Any state. */
export type Any = typeof idle | typeof priming | typeof playing | typeof stalled;
