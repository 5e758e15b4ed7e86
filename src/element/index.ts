/** `<svc-speaker>`: its attributes, properties, methods and events. Connects all rooms. */
export type { AudioSource } from '../launch/audio-input.js';
export type { SessionProvider } from '../sessions/session-source.js';
export type { TextStream } from '../text/read-text.js';
export {
  ContextDoneEvent,
  ResumeEvent,
  SocketCloseEvent,
  type SvcSpeakerEventMap,
  UnderrunEvent,
  UtteranceEvent,
  VisemeEvent,
  WordEvent,
} from './events.js';
export type { SpeakOptions } from './arguments.js';
export { SvcSpeakerElement } from './svc-speaker-element.js';
export type { Lexicon, MarkupMode } from '../speakable/marks.js';
