/** `<svc-speaker>`: its attributes, properties, methods and events. Connects all rooms. */
export type { AudioSource } from '../launch/audio-input.js';
export type { SessionProvider } from '../sessions/session-source.js';
export type { TextStream } from '../text/read-sentences.js';
export {
  ContextDoneEvent,
  SocketCloseEvent,
  type SvcSpeakerEventMap,
  UnderrunEvent,
  UtteranceEvent,
} from './events.js';
export { SvcSpeakerElement } from './svc-speaker-element.js';
