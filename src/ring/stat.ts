/**
 * Statistics (float64) of a ring. The consumer writes them. No decision depends on them, because an engine without
 * 64-bit stores can show half of an update. Samples are counted at the rate of the speech. Names as in WebRTC's
 * statistics. A module of constants, like `slot.ts`.
 */

/** Samples that have left the jitter buffer. */
export const emittedSamples = 0;
/** Context time in seconds to which `emittedSamples` applies. */
export const emittedAt = 1;
/** Sum over the emitted samples of the time that each spent in the buffer, in seconds. */
export const jitterBufferDelay = 2;
/** Sum over the emitted samples of the target delay at that time, in seconds. */
export const jitterBufferTargetDelay = 3;
/** Samples inserted because the ring ran empty within an utterance: repeated speech and silence. */
export const concealedSamples = 4;
/** Number of times the ring ran empty within an utterance. */
export const underruns = 5;
/** Samples skipped because their utterance was cancelled, or because they lie before a seek. */
export const discardedSamples = 6;
/** Concealed samples that are silent. */
export const silentConcealedSamples = 7;
/** Samples inserted to play slower than the speech came, and removed to play faster. */
export const insertedSamples = 8;
export const removedSamples = 9;
/** Value of `emittedSamples` when the consumer took the latest seek. */
export const seekOrigin = 11;
/** Seconds of speech emitted per second of context time, at `emittedAt`; 0 while none are. */
export const pace = 10;
