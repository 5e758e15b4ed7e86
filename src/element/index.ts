/** `<svc-speaker>`: attributes to playback, events, controls; where all rooms are put together. */
export {
  ContextDoneEvent,
  SocketCloseEvent,
  type SvcSpeakerEventMap,
  UnderrunEvent,
  UtteranceEvent,
} from './events.js';
export type { TextStream } from './read-sentences.js';
export type { SessionProvider } from './session-sources.js';
export { SvcSpeakerElement } from './svc-speaker-element.js';
