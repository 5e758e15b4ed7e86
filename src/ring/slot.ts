/**
 * Header slots (int32) of a ring, grouped by the thread that writes them, and by cache line. A module of constants rather
 * than an object of them, so that bundlers put the numbers where `Slot.write` is read.
 */

/** Int32 slots in 128 bytes: two cache lines, so that neighbours the prefetcher couples do not share one either. */
export const LINE = 32;

/** Set once, before any thread gets the buffer. */
export const capacity = 0;
export const sampleRate = 1;
/** Producer: next sample position to write, next mark to write. */
export const write = LINE;
export const markWrite = LINE + 1;
/** Consumer: samples before `read` are free again, marks before `markRead` too. */
export const read = 2 * LINE;
export const markRead = 2 * LINE + 1;
/** Consumer: what it is doing, a `PlayoutState`. */
export const state = 2 * LINE + 2;
/** Consumer: the sample that is heard next, and the utterance that is being heard or 0: where another consumer goes on. */
export const heard = 2 * LINE + 3;
export const heardSerial = 2 * LINE + 4;
/** Main thread: number of its last request; an even one asks to play, an odd one to pause. */
export const request = 3 * LINE;
/** Main thread: milliseconds of speech to hold before playback starts. */
export const targetDelayMs = 3 * LINE + 1;
/** Main thread: number of the processor that is to play; any other one falls silent and ends. */
export const owner = 3 * LINE + 2;
/** Main thread: 1 lets delay and pace follow the network, 0 keeps to `targetDelayMs` and the playback rate. */
export const adaptive = 3 * LINE + 3;
/** Main thread: the playback rate, pitch kept, in units of `1 / RATE_UNIT`. */
export const playbackRate = 3 * LINE + 4;
