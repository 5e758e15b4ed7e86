/**
 * The element's class, its events and its errors. The import has no side effects, in a browser or in Node;
 * `svc-speaker/define.js` registers the tag.
 *
 * @packageDocumentation
 */
export {
  type AudioSource,
  ContextDoneEvent,
  type Lexicon,
  type MarkupMode,
  type SessionProvider,
  type SpeakOptions,
  ResumeEvent,
  SocketCloseEvent,
  SvcSpeakerElement,
  type TextStream,
  type SvcSpeakerEventMap,
  UnderrunEvent,
  UtteranceEvent,
  VisemeEvent,
  WordEvent,
} from './element/index.js';
export {
  type Heard,
  SpeakerError,
  type SpeakerErrorReason,
  type SpeakerState,
  type SpeakerStats,
  type InputWord,
  type SpeechInput,
  type CueOptions,
  type SpokenWord,
  Utterance,
  type Viseme,
} from './playback/index.js';
export type { SpeakerMessages } from './messages/speaker-messages.js';
export type { ClientMessage, SessionRequest, SessionResponse } from './protocol/index.js';
