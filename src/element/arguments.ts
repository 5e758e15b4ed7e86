/** Checks of what the page passes to methods and properties: what is wrong throws, and says what is right. */
import { objectOrNull } from '../base/object-or-null.js';
import type { AudioSource } from '../launch/audio-input.js';
import type { SpeakerMessages } from '../messages/speaker-messages.js';
import { isSampleRate } from '../protocol/sample-rate.js';
import type { Lexicon, SpokenAs } from '../speakable/marks.js';
import type { TextStream } from '../text/read-text.js';
import { between0And } from './reflect.js';

/** Longest context id of the protocol, in characters. */
const CONTEXT_ID_MAX = 256;
/** Longest pause after an utterance, in seconds. */
const PAUSE_MAX = 10;
/** Class names of the values that `speakAudio()` accepts. */
const AUDIO_CLASSES = /^\[object (String|URL|Request|Response|ReadableStream|Blob|File|ArrayBuffer)\]$/;

/** Options of `speak()`. */
export interface SpeakOptions extends Partial<SpokenAs> {
  /** Name of the context on the socket; by default `turn-1`, `turn-2` and so on. */
  readonly contextId?: string;
  /** Cancels the utterance when it aborts. */
  readonly signal?: AbortSignal;
  /** Silence at its end, in seconds from 0 to 10; 0 by default. For a reader, between paragraphs. */
  readonly pauseAfter?: number;
}

/** @throws {TypeError} If `text` is neither a string nor a stream of strings. */
export function checkText(text: string | TextStream): void {
  const isText = typeof text === 'string' || Symbol.asyncIterator in Object(text) || 'getReader' in Object(text);
  if (!isText) throw new TypeError(`speak() takes a string or a stream of strings, not ${typeof text}.`);
}

/** @throws {TypeError} If the id is too short or too long. */
export function checkContextId(id: string | undefined): void {
  if (id === undefined || (id.length > 0 && id.length <= CONTEXT_ID_MAX)) return;
  throw new TypeError(`contextId must be a string of 1 to ${CONTEXT_ID_MAX} characters, not ${id}.`);
}

/** @throws {RangeError} If the pause is not between 0 and 10 seconds. */
export function checkPause(seconds: number): void {
  between0And(PAUSE_MAX, seconds, 'pauseAfter');
}

/**
 * Returns the wishes of one call, with those of the element where the call has none.
 *
 * @throws {TypeError} If `markup` or `lexicon` has no such value.
 */
export function spokenAsOf(wishes: Partial<SpokenAs>, element: SpokenAs): SpokenAs {
  const { markup = element.markup, lexicon } = wishes;
  if (markup !== 'markdown' && markup !== 'plain') {
    throw new TypeError(`markup must be markdown or plain, not ${String(markup)}.`);
  }
  return { markup, lexicon: lexicon === undefined ? element.lexicon : lexiconOf(lexicon) };
}

/** @throws {TypeError} If the lexicon is no object, or has a value that is no string. */
export function lexiconOf(value: Lexicon | null | undefined): Lexicon | null {
  const lexicon = objectOrNull(value, 'lexicon');
  for (const [phrase, spoken] of Object.entries(lexicon ?? {})) {
    if (typeof spoken !== 'string') throw new TypeError(`lexicon must have a string for ${phrase}.`);
  }
  return lexicon;
}

/** @throws {TypeError} If the audio is of a class that `speakAudio()` does not take, or was read before. */
export function checkAudio(input: AudioSource): void {
  const { bodyUsed, locked, detached } = Object(input) as Partial<Response & ReadableStream & { detached: boolean }>;
  const kind = Object.prototype.toString.call(input);
  const isRead = bodyUsed || locked || detached;
  if (AUDIO_CLASSES.test(kind) && !isRead) return;
  throw new TypeError(`speakAudio() takes a URL or unread audio, not ${isRead ? 'read ' : ''}${kind}.`);
}

/** @throws {RangeError} If the rate of an input is none. */
export function checkSampleRate(sampleRate: number): void {
  if (isSampleRate(sampleRate)) return;
  throw new RangeError(`openInput() needs the sampleRate of the audio in Hz, from 8000 to 96000, not ${sampleRate}.`);
}

/** @throws {TypeError|RangeError} If a message is no string, or `lang` is no language by which numbers can be written. */
export function messagesOf(value: Partial<SpeakerMessages> | null | undefined): Partial<SpeakerMessages> | null {
  const messages = objectOrNull(value, 'messages');
  for (const [name, text] of Object.entries(messages ?? {})) {
    if (typeof text === 'string' || text === undefined) continue;
    throw new TypeError(`messages.${name} must be a string, not ${String(text)}.`);
  }
  Intl.getCanonicalLocales(messages?.lang);
  return messages;
}
