/**
 * Statistics (float64) of a ring. The consumer writes them; they decide nothing, since an engine without 64-bit stores
 * can show half of an update. Samples are counted at the rate of the speech. Names as in WebRTC's statistics. A module of
 * constants, as `slot.ts`.
 */

/** Samples that have left the jitter buffer: the playback position. */
export const emittedSamples = 0;
/** Context time in seconds at which `emittedSamples` was true. */
export const emittedAt = 1;
/** Sum over the emitted samples of the seconds each spent in the buffer. */
export const jitterBufferDelay = 2;
/** Sum over the emitted samples of the target delay in seconds. */
export const jitterBufferTargetDelay = 3;
/** Samples inserted because the ring had run dry inside an utterance: repeated speech and silence. */
export const concealedSamples = 4;
/** Number of times the ring ran dry inside an utterance. */
export const underruns = 5;
/** Samples skipped because their utterance was cancelled, or because they lie before a seek. */
export const discardedSamples = 6;
/** The silent ones of the concealed samples. */
export const silentConcealedSamples = 7;
/** Samples inserted to play slower, and removed to play faster, than the speech came. */
export const insertedSamples = 8;
export const removedSamples = 9;
/** Value of `emittedSamples` when the consumer took the latest seek. */
export const seekOrigin = 11;
/** Seconds of speech that are emitted per second of context time, at `emittedAt`; 0 while none are. */
export const pace = 10;
