import { isRecord, isString, readFields, type FieldRule, type FieldRules } from './fields.js';
import { readClientMessage, type ClientMessage } from './message.js';
import type { FieldError, Parsed } from './parsed.js';
import { sampleRateRule } from './sample-rate.js';
import { sessionUrlRule } from './session-url.js';
import type { SpeechDialect } from './speech-dialect.js';

/** The message protocol spoken on the socket (interface-spec 9). */
export const PROTOCOL = 'svctts.v1';

/** Response to the session call (interface-spec 2.2). */
export interface SessionResponse {
  /** Address of the socket, ready to open; contains a token that is valid for about thirty seconds. */
  readonly url: string;
  /** Lifetime of the token, in seconds. */
  readonly expires_in_seconds?: number;
  /** Time at which the token expires: ISO 8601, UTC. The spec does not say whether it is always present. */
  readonly expires_at?: string;
  /** Maximum number of sockets that the account may have open at a time. */
  readonly max_concurrent_sessions?: number;
  /** Name of the gateway that serves the socket. */
  readonly gateway: string;
  /** {@link PROTOCOL}, unless the service speaks another one. Parsing leaves that check to the opener of the socket. */
  readonly protocol: string;
  /** Effective voice. */
  readonly voice_id: string;
  /** Effective format. Parsing allows any, because only the player knows which formats it can play. */
  readonly format: string;
  /** Effective rate, in Hz; {@link SAMPLE_RATE_MIN} to {@link SAMPLE_RATE_MAX}. */
  readonly sample_rate: number;
  /**
   * How the socket speaks, if it is that of another service. Then only `url` and `sample_rate` are required as well.
   * Parsing leaves the check to the opener of the socket.
   */
  readonly dialect?: SpeechDialect;
  /** Kind of times that the socket reports, as in the request. */
  readonly timings?: 'words' | 'phones';
  /** Messages to send in order after the socket opens; empty unless `input` was given. */
  readonly messages: readonly ClientMessage[];
}

const text: FieldRule = { test: isString, must: 'be a string' };
const count: FieldRule = { test: (value) => typeof value === 'number' && value >= 0, must: 'be a number, 0 or more' };

const rules: FieldRules = {
  url: sessionUrlRule,
  expires_in_seconds: count,
  expires_at: text,
  max_concurrent_sessions: count,
  gateway: text,
  protocol: text,
  voice_id: text,
  format: text,
  sample_rate: sampleRateRule,
  dialect: { test: isRecord, must: 'be an object' },
  timings: text,
  messages: { test: Array.isArray, must: 'be an array' },
};

const requiredOfAll = ['url', 'sample_rate'];
const required = [...requiredOfAll, 'gateway', 'protocol', 'voice_id', 'format', 'messages'];

const nameOf = (dialect: unknown): string => String((dialect as SpeechDialect | undefined)?.name);

/**
 * Validates the response to a session call. Unknown fields are tolerated and left out of the value; `null` in an
 * optional field is the same as absent.
 *
 * Never throws on JSON input; any thread.
 */
export function parseSessionResponse(value: unknown): Parsed<SessionResponse> {
  if (!isRecord(value)) return { ok: false, errors: [{ field: '', problem: 'must be an object' }] };
  const errors: FieldError[] = [];
  const read = readFields(value, rules, value.dialect ? requiredOfAll : required, '', errors);
  const messages = Array.isArray(read.messages)
    ? read.messages.map((message, index) => readClientMessage(message, `messages[${index}].`, errors))
    : [];
  if (errors.length) return { ok: false, errors };
  const defaults = { gateway: '', protocol: nameOf(read.dialect), voice_id: '', format: 'pcm_s16le' };
  return { ok: true, value: { ...defaults, ...(read as unknown as SessionResponse), messages } };
}
