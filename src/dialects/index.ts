/**
 * How the streaming sockets of some speech services speak, as data for `session.dialect`, and the type to describe others.
 *
 * Written from the descriptions and client libraries that the vendors publish; the date and source of each are at its
 * definition. None was run against the live service.
 *
 * @packageDocumentation
 */
export { cartesia } from './cartesia.js';
export { deepgram, deepgramFlux } from './deepgram.js';
export { elevenLabs, elevenLabsStreamInput } from './eleven-labs.js';
export type {
  JsonValue,
  MessageCondition,
  MessagePath,
  MessageTemplate,
  SpeechDialect,
  WordTimes,
} from '../protocol/speech-dialect.js';
