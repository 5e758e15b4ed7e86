/**
 * The protocol `svctts.v1`: session request and response, messages, frame header, close codes.
 *
 * Nothing here throws on what a peer sent: parsers return a {@link Parsed} value. The only platform needed is
 * ECMAScript with `URL`.
 *
 * @packageDocumentation
 */
export { ByteOrderDetector } from './byte-order.js';
export { CloseCode, describeCloseCode } from './close-code.js';
export { decodeFrameHeader, encodeFrame, FRAME_HEADER_BYTES, type ByteOrder, type FrameHeader } from './frame.js';
export {
  CONTEXT_ID_MAX,
  endMessage,
  oneShotMessages,
  synthesizeMessage,
  parseClientMessage,
  parseServiceMessage,
  type ClientMessage,
  type ContextDoneMessage,
  type EndMessage,
  type ErrorMessage,
  type ServiceMessage,
  type SynthesizeMessage,
} from './message.js';
export { describeFieldErrors, type FieldError, type Parsed } from './parsed.js';
export { SAMPLE_RATE_MAX, SAMPLE_RATE_MIN } from './sample-rate.js';
export { SequenceTracker } from './sequence.js';
export {
  CHUNK_SECONDS_MAX,
  parseSessionRequest,
  SESSION_DEFAULTS,
  type SessionRequest,
  type SessionRequestOptions,
} from './session-request.js';
export { parseSessionResponse, PROTOCOL, type SessionResponse } from './session-response.js';
export { sessionFromUrl, type UrlSession } from './session-url.js';
export type {
  JsonValue,
  MessageCondition,
  MessagePath,
  MessageTemplate,
  SpeechDialect,
  WordTimes,
} from './speech-dialect.js';
