/**
 * The element's class, its events and its errors. Importing this does nothing else, in a browser or in Node; the tag is
 * registered by `svc-speaker/define.js`.
 *
 * @packageDocumentation
 */
export {
  type AudioSource,
  ContextDoneEvent,
  type SessionProvider,
  SocketCloseEvent,
  SvcSpeakerElement,
  type TextStream,
  type SvcSpeakerEventMap,
  UnderrunEvent,
  UtteranceEvent,
} from './element/index.js';
export {
  type Heard,
  SpeakerError,
  type SpeakerErrorReason,
  type SpeakerState,
  type SpeakerStats,
  Utterance,
} from './playback/index.js';
export type { ClientMessage, SessionRequest, SessionResponse } from './protocol/index.js';
