/**
 * Header slots (int32) of a ring, grouped by the thread that writes them and by cache line. A module of constants
 * rather than an object, so that bundlers replace `Slot.write` with its number.
 */

/** Int32 slots in 128 bytes: two cache lines, because the prefetcher of some processors loads lines in pairs. */
export const LINE = 32;

/** Set once, before any thread gets the buffer. */
export const capacity = 0;
export const sampleRate = 1;
/** Producer: position of the next sample to write, and number of the next mark to write. */
export const write = LINE;
export const markWrite = LINE + 1;
/** Consumer: samples before `read` and marks before `markRead` may be overwritten. */
export const read = 2 * LINE;
export const markRead = 2 * LINE + 1;
/** Consumer: a `PlayoutState`. */
export const state = 2 * LINE + 2;
/** Consumer: the sample that plays next, and the utterance that is playing or 0. The next consumer continues there. */
export const heard = 2 * LINE + 3;
export const heardSerial = 2 * LINE + 4;
/** Consumer: number of the seek after which it plays; 0 before the first. */
export const heardSeek = 2 * LINE + 5;
/** Main thread: number of its latest request. Even numbers ask to play, odd numbers to pause. */
export const request = 3 * LINE;
/** Main thread: milliseconds of speech to hold before playback starts. */
export const targetDelayMs = 3 * LINE + 1;
/** Main thread: number of the processor that plays. Every other processor fades out and ends. */
export const owner = 3 * LINE + 2;
/** Main thread: 1 lets delay and pace follow the network; 0 keeps them at `targetDelayMs` and the playback rate. */
export const adaptive = 3 * LINE + 3;
/** Main thread: the playback rate, at unchanged pitch, in units of `1 / RATE_UNIT`. */
export const playbackRate = 3 * LINE + 4;
/** Main thread: number of the latest seek. The consumer skips everything before the mark of that seek. */
export const seek = 3 * LINE + 5;
/** Main thread: milliseconds of inaudible signal before speech, if the output was idle. */
export const leadInMs = 3 * LINE + 6;
