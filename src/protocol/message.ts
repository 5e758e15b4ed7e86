import { addError, isRecord, isString, readFields, type FieldRule, type FieldRules } from './fields.js';
import type { FieldError, Parsed } from './parsed.js';

/** Longest `context_id`, in UTF-16 code units. The vendor's limit is not shown; this one is ours. */
export const CONTEXT_ID_MAX = 256;

/** Text to speak on a context (interface-spec 2.3). Several of one context follow each other without a seam. */
export interface SynthesizeMessage {
  /** Tells it from the other messages. */
  readonly type: 'synthesize';
  /** Names the utterance; the client makes it up. */
  readonly context_id: string;
  /** What is to be spoken. */
  readonly text: string;
  /** Only `auto` is shown in the spec. */
  readonly segment_mode?: string;
}

/** No more text follows on a context (interface-spec 2.3). */
export interface EndMessage {
  /** Tells it from the other messages. */
  readonly type: 'end';
  /** As in the `synthesize` messages before. */
  readonly context_id: string;
}

/** What a client sends on the socket, as JSON text. */
export type ClientMessage = SynthesizeMessage | EndMessage;

/** A context is finished. The spec shows no field but the type, so the id may be missing. */
export interface ContextDoneMessage {
  /** Tells it from the other messages. */
  readonly type: 'context_done';
  /** The utterance that is done. */
  readonly context_id?: string;
}

/** Something failed on the service's side. The spec shows `message`; the id may be missing. */
export interface ErrorMessage {
  /** Tells it from the other messages. */
  readonly type: 'error';
  /** What failed, in words. */
  readonly message: string;
  /** The utterance that it ends. */
  readonly context_id?: string;
}

/** What the service sends on the socket as JSON text (interface-spec 2.4). */
export type ServiceMessage = ContextDoneMessage | ErrorMessage;

/** What a `context_id` may be, for requests and messages alike. */
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
 * Reads one client message that is already an object. Fields it does not know are kept: messages that the service wrote
 * beforehand go back to it as they are.
 *
 * @param path - Put in front of each field's name in errors, such as `messages[0].`.
 * @returns The message, which is only to be used if no error was added.
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
 * Reads the JSON text of a message from a client. Fields it does not know are kept.
 *
 * Never throws; any thread.
 */
export function parseClientMessage(json: string): Parsed<ClientMessage> {
  const errors: FieldError[] = [];
  const value = readClientMessage(readJson(json), '', errors);
  return errors.length ? { ok: false, errors } : { ok: true, value };
}

/**
 * Reads the JSON text of a message from the service. It is lenient where the spec is silent: a `context_id` that is not a
 * non-empty string counts as missing, and an error without a message still is an error.
 *
 * Never throws; any thread.
 *
 * @returns Null if it is no such message: then it is to be ignored and counted.
 */
export function readServiceMessage(json: string): ServiceMessage | null {
  return serviceMessageOf(readJson(json));
}

/** As {@link readServiceMessage}; says what is wrong with what it cannot read. Never throws; any thread. */
export function parseServiceMessage(json: string): Parsed<ServiceMessage> {
  const source = readJson(json);
  const value = serviceMessageOf(source);
  if (value !== null) return { ok: true, value };
  const error = isRecord(source)
    ? { field: 'type', problem: 'must be context_done or error' }
    : { field: '', problem: 'must be a JSON object' };
  return { ok: false, errors: [error] };
}

function serviceMessageOf(source: unknown): ServiceMessage | null {
  // What is no object, an array or null included, has none of these either.
  const { type, context_id, message } = Object(source) as Record<string, unknown>;
  const context = isString(context_id) && context_id !== '' ? { context_id } : {};
  if (type === 'context_done') return { type, ...context };
  if (type === 'error') return { type, message: isString(message) ? message : 'no reason given', ...context };
  return null;
}

/** Speaks `text` on a context, behind what was sent on it before. Pure; any thread. */
export function synthesizeMessage(text: string, contextId: string): SynthesizeMessage {
  return { type: 'synthesize', context_id: contextId, text, segment_mode: 'auto' };
}

/** Says that no more text follows on a context. Pure; any thread. */
export function endMessage(contextId: string): EndMessage {
  return { type: 'end', context_id: contextId };
}

/**
 * The messages that speak one text and nothing more, as the session call writes them for `input` (interface-spec 4.1).
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
    return undefined; // not JSON is reported like JSON that is no object: neither is a message
  }
}
