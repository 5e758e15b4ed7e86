/** What the audio thread is doing, in `Slot.state`. Constants as in `slot.ts`. */

/** Everything there was has been played. */
export const idle = 0;
/** Holds speech back until there is enough. */
export const priming = 1;
/** In a run of speech, be it paused. */
export const playing = 2;
/** In a run of speech that has run dry; silent. */
export const stalled = 3;

/** Any state. */
export type Any = typeof idle | typeof priming | typeof playing | typeof stalled;
