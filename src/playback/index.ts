/** Media semantics without a DOM element: what is spoken, what is heard, and in which order the page is told. */
export type { Clock } from './heard-queue.js';
export { NetworkState, ReadyState } from './media-state.js';
export { type MediaAttributes, Playback } from './playback.js';
export type * from './ports.js';
export { SpeakerError, type SpeakerErrorReason } from './speaker-error.js';
export type { SpeakerStats } from './stats.js';
export { SingleTimeRange } from './time-ranges.js';
export { Utterance } from './utterance.js';
