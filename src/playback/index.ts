/** Media semantics without a DOM element: a state machine, the loop around it, and what the page calls. */
export { SpeakerError, type SpeakerErrorDetails, type SpeakerErrorReason } from '../base/speaker-error.js';
export { Playback } from './playback.js';
export type { PageAudio } from './opening.js';
export type * from './ports.js';
export type { SpeechInput } from './speech-input.js';
export type { SpeakerState } from './state.js';
export type { SpeakerStats } from './stats.js';
export { SingleTimeRange } from './time-ranges.js';
export { type CueOptions, type Heard, type InputWord, type SpokenWord, Utterance } from './utterance.js';
export type { Viseme } from './visemes.js';
