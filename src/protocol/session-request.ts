import { isRecord, isString, readFields, refuseUnknown, type FieldRule, type FieldRules } from './fields.js';
import { contextIdRule } from './message.js';
import type { FieldError, Parsed } from './parsed.js';
import { sampleRateRule } from './sample-rate.js';

/** Largest `chunk_seconds`. The vendor's bounds are not shown; this one is the package's own, and generous. */
export const CHUNK_SECONDS_MAX = 3600;

/** Body of the session call (interface-spec 2.1). Every field is optional. */
export interface SessionRequest {
  /** The voice. */
  readonly voice_id?: string;
  /** Audio encoding. The spec shows only `pcm_s16le`. */
  readonly format?: string;
  /** Sample rate in Hz, an integer from {@link SAMPLE_RATE_MIN} to {@link SAMPLE_RATE_MAX}. */
  readonly sample_rate?: number;
  /** True to write out numbers, amounts and abbreviations before they are spoken. */
  readonly normalize_text?: boolean;
  /** Number above 0, at most {@link CHUNK_SECONDS_MAX}. */
  readonly chunk_seconds?: number;
  /** The spec shows no member; each service has its own. */
  readonly sampling?: Readonly<Record<string, unknown>>;
  /** Asks for messages that tell when each word, or also each sound, is spoken. The spec does not have it. */
  readonly timings?: 'words' | 'phones';
  /** Text to speak in one shot. The response then carries ready-made `messages`. */
  readonly input?: string;
  /** Context on which `input` is spoken; 1 to {@link CONTEXT_ID_MAX} UTF-16 code units. */
  readonly context_id?: string;
  /**
   * Why the player asks: `resume` for the rest of an utterance whose socket has died. The spec does not have it, so a
   * backend need not pass it on.
   */
  readonly reason?: 'resume';
}

/** Defaults of the service for fields that are left out (interface-spec 2.1). */
export const SESSION_DEFAULTS = {
  format: 'pcm_s16le',
  sample_rate: 24000,
  normalize_text: true,
  chunk_seconds: 15,
  context_id: 'turn-1',
} as const;

/** Values that a particular service knows. A list that is left out allows any value of the right type. */
export interface SessionRequestOptions {
  /** Members of `sampling`. Another member is reported as `sampling.<member>`. */
  readonly sampling?: readonly string[];
  /** Values of `format`. */
  readonly formats?: readonly string[];
  /** Values of `voice_id`. */
  readonly voices?: readonly string[];
  /** False if the service cannot tell when words are spoken, so that asking for `timings` is an error. */
  readonly timings?: boolean;
}

/**
 * Validates the body of a session call. An unknown field is an error that names it; `null` is the same as absent.
 * Defaults are not filled in (spread {@link SESSION_DEFAULTS} first).
 *
 * Never throws on JSON input; any thread.
 */
export function parseSessionRequest(value: unknown, options: SessionRequestOptions = {}): Parsed<SessionRequest> {
  if (!isRecord(value)) return { ok: false, errors: [{ field: '', problem: 'must be an object' }] };
  const errors: FieldError[] = [];
  const rules = requestRules(options);
  const request = readFields(value, rules, [], '', errors);
  refuseUnknown(value, Object.keys(rules), '', errors);
  if (options.sampling && isRecord(value.sampling)) {
    refuseUnknown(value.sampling, options.sampling, 'sampling.', errors);
  }
  return errors.length ? { ok: false, errors } : { ok: true, value: request };
}

function requestRules({ formats, timings = true, voices }: SessionRequestOptions): FieldRules {
  return {
    voice_id: oneOf(voices),
    format: oneOf(formats),
    sample_rate: sampleRateRule,
    normalize_text: { test: (value) => typeof value === 'boolean', must: 'be true or false' },
    chunk_seconds: {
      test: (value) => typeof value === 'number' && value > 0 && value <= CHUNK_SECONDS_MAX,
      must: `be a number above 0, at most ${CHUNK_SECONDS_MAX}`,
    },
    sampling: { test: isRecord, must: 'be an object' },
    timings: {
      test: (value) => timings && (value === 'words' || value === 'phones'),
      must: timings ? 'be words or phones' : 'be left out: this voice does not tell when words are spoken',
    },
    input: { test: isString, must: 'be a string' },
    context_id: contextIdRule,
    reason: { test: (value) => value === 'resume', must: 'be resume' },
  };
}

function oneOf(allowed: readonly string[] | undefined): FieldRule {
  return allowed
    ? { test: (value) => isString(value) && allowed.includes(value), must: `be one of ${allowed.join(', ')}` }
    : { test: (value) => isString(value) && value !== '', must: 'be a non-empty string' };
}
