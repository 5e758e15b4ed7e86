import {
  describeFieldErrors,
  parseSessionRequest,
  SESSION_DEFAULTS,
  type FieldError,
  type Parsed,
  type SessionRequest,
} from '../../../src/protocol/index.js';
import type { Limits } from '../limits.js';
import type { SpeechEngine } from '../speech/speech-engine.js';

/** Minimum `chunk_seconds`, in seconds: enough for one word. */
export const CHUNK_SECONDS_MIN = 1;

/** Parameters that are fixed for the life of a socket (interface-spec 2.1), including defaults. */
export interface StreamSession {
  readonly voice_id: string;
  readonly format: string;
  /** In Hz. */
  readonly sample_rate: number;
  readonly normalize_text: boolean;
  /** Maximum length of speech synthesized at a time, in seconds. */
  readonly chunk_seconds: number;
  /** Parameters that the engine supports, each within its range. */
  readonly sampling: Readonly<Record<string, number>>;
  /** Context on which `input` is spoken. */
  readonly context_id: string;
  /** Kind of times to report; absent for none. */
  readonly timings?: 'words' | 'phones';
}

/** Content of a session call. */
export interface SessionOrder {
  readonly session: StreamSession;
  /** Text to speak in one shot. */
  readonly input: string | undefined;
}

/**
 * Checks the body of a session call against the engine's capabilities, and fills in the defaults. Never throws.
 *
 * @param body - Parsed JSON; `undefined` if there was no body, which means all defaults.
 */
export function readSessionOrder(body: unknown, engine: SpeechEngine, limits: Limits): Parsed<SessionOrder> {
  const parsed = parseSessionRequest(body === undefined ? {} : body, {
    sampling: Object.keys(engine.sampling),
    formats: [SESSION_DEFAULTS.format],
    voices: engine.voices.map((voice) => voice.id),
    timings: engine.timings ?? false,
  });
  if (!parsed.ok) return parsed;
  const errors = [...findErrors(parsed.value, engine, limits)];
  if (errors.length) return { ok: false, errors };
  const { input, sampling, reason: _, ...given } = parsed.value;
  const session: StreamSession = {
    ...SESSION_DEFAULTS,
    voice_id: engine.voices[0]!.id,
    ...given,
    sampling: Object.fromEntries(Object.entries(sampling ?? {}).filter((member) => member[1] !== null)) as Record<
      string,
      number
    >,
  };
  return { ok: true, value: { session, input } };
}

function* findErrors(request: SessionRequest, engine: SpeechEngine, limits: Limits): Generator<FieldError> {
  const { chunk_seconds: chunkSeconds, context_id: contextId, input, sampling } = request;
  if (contextId !== undefined && /\p{Surrogate}/u.test(contextId)) {
    yield { field: 'context_id', problem: 'must not have half a character in it' }; // a URL cannot contain it
  }
  if (chunkSeconds !== undefined && chunkSeconds < CHUNK_SECONDS_MIN) {
    yield { field: 'chunk_seconds', problem: `must be at least ${CHUNK_SECONDS_MIN}` };
  }
  if (input !== undefined && input.length > limits.textLength) {
    yield { field: 'input', problem: `must be at most ${limits.textLength} characters long` };
  }
  for (const [name, { least, most }] of Object.entries(engine.sampling)) {
    const value = sampling?.[name] ?? null;
    if (value !== null && !(typeof value === 'number' && value >= least && value <= most)) {
      yield { field: `sampling.${name}`, problem: `must be a number from ${least} to ${most}` };
    }
  }
}

/** Returns the body of a 422: a sentence for people, and the invalid fields. */
export function describeRefusal(errors: readonly FieldError[]): { detail: string; errors: readonly FieldError[] } {
  return { detail: describeFieldErrors(errors), errors };
}

/** Returns the session as query parameters, so that it can be read from the URL (interface-spec 2.1, 2.2). */
export function sessionQuery(session: StreamSession): Map<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of Object.entries(session)) {
    if (name === 'sampling') {
      if (Object.keys(session.sampling).length) query.set(name, JSON.stringify(value));
    } else query.set(name, String(value));
  }
  return query;
}

/** Returns true if a query has exactly the parameters of `sessionQuery`: none different, missing or repeated. */
export function queryMatches(query: URLSearchParams, session: StreamSession): boolean {
  const signed = sessionQuery(session);
  return [...Object.keys(session), 'timings'].every((name) => {
    const values = query.getAll(name);
    return values.length === Number(signed.has(name)) && values[0] === signed.get(name);
  });
}
