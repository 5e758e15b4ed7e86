import { addError, isRecord, isString, readFields, reasonIn, type FieldRule, type FieldRules } from './fields.js';
import type { FieldError, Parsed } from './parsed.js';

/** Longest `context_id`, in UTF-16 code units. The vendor's limit is not shown; this is the package's own. */
export const CONTEXT_ID_MAX = 256;

/** Text to speak on a context (interface-spec 2.3). Several messages of one context are spoken without a gap. */
export interface SynthesizeMessage {
  /** Distinguishes the message from the others. */
  readonly type: 'synthesize';
  /** Name of the utterance, chosen by the client. */
  readonly context_id: string;
  /** Text to speak. */
  readonly text: string;
  /** The spec shows only `auto`. */
  readonly segment_mode?: string;
}

/** Reports that no more text follows on a context (interface-spec 2.3). */
export interface EndMessage {
  /** Distinguishes the message from the others. */
  readonly type: 'end';
  /** The same as in the `synthesize` messages before. */
  readonly context_id: string;
}

/** A message from a client on the socket, as JSON text. */
export type ClientMessage = SynthesizeMessage | EndMessage;

/** Reports that a context is finished. The spec shows no field but the type, so the id may be missing. */
export interface ContextDoneMessage {
  /** Distinguishes the message from the others. */
  readonly type: 'context_done';
  /** The utterance that is finished. */
  readonly context_id?: string;
}

/** Reports a failure of the service. The spec shows `message`; the id may be missing. */
export interface ErrorMessage {
  /** Distinguishes the message from the others. */
  readonly type: 'error';
  /** Description of the failure, in words. */
  readonly message: string;
  /** The utterance that the failure ends. */
  readonly context_id?: string;
}

/** A word of a context, and when it is spoken. */
export interface WordTiming {
  /** UTF-16 offset of its first character in all text of the context, in the order of the messages. */
  readonly from: number;
  /** Offset after its last character. */
  readonly to: number;
  /** Begin, in seconds of the context's audio. */
  readonly start: number;
  /** End, likewise. */
  readonly end: number;
}

/** A sound of the speech, and when it is spoken. */
export interface PhoneTiming {
  /** Name in ARPAbet. */
  readonly phone: string;
  /** Begin, in seconds of the context's audio. */
  readonly start: number;
  /** End, likewise. */
  readonly end: number;
}

/**
 * Tells when words are spoken, for a session with `timings`. In order, each word once, soon after the audio in which it
 * ends. The spec has no such message; services that do not know it do not send it.
 */
export interface TimingsMessage {
  /** Distinguishes the message from the others. */
  readonly type: 'timings';
  /** The utterance; may be missing, as in {@link ContextDoneMessage}. */
  readonly context_id?: string;
  /** Words. Not checked when the message is read: the times come from another program. */
  readonly words: readonly WordTiming[];
  /** The sounds of these words, only if the session asked for `phones`. Not checked, either. */
  readonly phones?: readonly PhoneTiming[];
}

/** A message from the service on the socket, as JSON text (interface-spec 2.4). */
export type ServiceMessage = ContextDoneMessage | ErrorMessage | TimingsMessage;

/** Rule for a `context_id`, in requests and messages. */
export const contextIdRule: FieldRule = {
  test: (value) => isString(value) && value !== '' && value.length <= CONTEXT_ID_MAX,
  must: `be a string of 1 to ${CONTEXT_ID_MAX} characters`,
};

const messageRules: FieldRules = {
  type: {
    test: (value) => value === 'synthesize' || value === 'end',
    must: 'be synthesize or end',
  },
  context_id: contextIdRule,
};

const synthesizeRules: FieldRules = {
  text: { test: isString, must: 'be a string' },
  segment_mode: { test: isString, must: 'be a string' },
};

/**
 * Reads one client message that is already an object. Unknown fields are kept, so that messages that the service wrote
 * beforehand go back to it unchanged.
 *
 * @param path - Prefix of each field's name in errors, such as `messages[0].`.
 * @returns The message. Use it only if no error was added.
 */
export function readClientMessage(value: unknown, path: string, errors: FieldError[]): ClientMessage {
  if (!isRecord(value)) {
    addError(errors, path.replace(/\.$/, ''), 'must be an object');
  } else {
    readFields(value, messageRules, ['type', 'context_id'], path, errors);
    if (value.type === 'synthesize') readFields(value, synthesizeRules, ['text'], path, errors);
  }
  return { ...(value as ClientMessage) };
}

/**
 * Reads the JSON text of a message from a client. Unknown fields are kept.
 *
 * Never throws; any thread.
 */
export function parseClientMessage(json: string): Parsed<ClientMessage> {
  const errors: FieldError[] = [];
  const value = readClientMessage(readJson(json), '', errors);
  return errors.length ? { ok: false, errors } : { ok: true, value };
}

/**
 * Reads the JSON text of a message from the service. It is lenient where the spec is silent: a `context_id` that is not
 * a non-empty string counts as missing, and an error without a message is still an error.
 *
 * Never throws; any thread.
 */
export function parseServiceMessage(json: string): Parsed<ServiceMessage> {
  const source = readJson(json);
  const value = serviceMessageOf(source);
  if (value !== null) return { ok: true, value };
  const error = isRecord(source)
    ? { field: 'type', problem: 'must be context_done, error or timings' }
    : { field: '', problem: 'must be a JSON object' };
  return { ok: false, errors: [error] };
}

function serviceMessageOf(source: unknown): ServiceMessage | null {
  // A value that is not an object has none of these fields, nor do an array and null.
  const { type, context_id, message, words, phones } = Object(source) as Record<string, unknown>;
  const context = isString(context_id) && context_id !== '' ? { context_id } : {};
  if (type === 'context_done') return { type, ...context };
  if (type === 'timings') {
    const listed = Array.isArray(phones) ? { phones: phones as PhoneTiming[] } : {};
    return { type, words: Array.isArray(words) ? (words as WordTiming[]) : [], ...listed, ...context };
  }
  if (type === 'error') return { type, message: reasonIn(message), ...context };
  return null;
}

/** Makes a message that speaks `text` on a context, after the text that was sent on it before. Pure; any thread. */
export function synthesizeMessage(text: string, contextId: string): SynthesizeMessage {
  return { type: 'synthesize', context_id: contextId, text, segment_mode: 'auto' };
}

/** Makes a message that ends the text of a context. Pure; any thread. */
export function endMessage(contextId: string): EndMessage {
  return { type: 'end', context_id: contextId };
}

/**
 * Makes the messages that speak one text and nothing more, as the session call does for `input` (interface-spec 4.1).
 *
 * Pure; any thread.
 */
export function oneShotMessages(input: string, contextId: string): ClientMessage[] {
  return [synthesizeMessage(input, contextId), endMessage(contextId)];
}

function readJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined; // Text that is not JSON is reported like JSON that is not an object: neither is a message.
  }
}
