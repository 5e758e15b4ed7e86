/**
 * Statistics (float64) of a ring, written by the consumer alone and never used to decide anything: on an engine without
 * 64-bit stores a reader could see half of an update. Samples are counted at the source rate. Names as in WebRTC's
 * statistics. A module of constants, as `slot.ts`.
 */

/** Source samples that have left the jitter buffer, fractional: the playback position. */
export const emittedSamples = 0;
/** Context time in seconds at which `emittedSamples` was true. */
export const emittedAt = 1;
/** Sum over emitted samples of the seconds each spent in the buffer. */
export const jitterBufferDelay = 2;
/** Sum over emitted samples of the target delay in seconds. */
export const jitterBufferTargetDelay = 3;
/** Samples put in because the buffer had run dry inside an utterance: made up from what was heard before, or silent. */
export const concealedSamples = 4;
/** How often the buffer ran dry inside an utterance. */
export const underruns = 5;
/** Samples skipped because their utterance was cancelled. */
export const discardedSamples = 6;
/** Of the concealed samples, the silent ones. */
export const silentConcealedSamples = 7;
/** Samples put in to play slower, and taken out to play faster, than the speech came. */
export const insertedSamples = 8;
export const removedSamples = 9;
/** Source seconds that leave per second of context time, at `emittedAt`. */
export const pace = 10;
