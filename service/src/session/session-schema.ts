import {
  CHUNK_SECONDS_MAX,
  CONTEXT_ID_MAX,
  PROTOCOL,
  SAMPLE_RATE_MAX,
  SAMPLE_RATE_MIN,
  SESSION_DEFAULTS,
} from '../../../src/protocol/index.js';
import { fieldRefusalSchema, refusalSchema } from '../api/refusal-schema.js';
import type { Limits } from '../limits.js';
import type { SpeechEngine } from '../speech/speech-engine.js';
import { CHUNK_SECONDS_MIN } from './stream-session.js';

type Voices = Pick<SpeechEngine, 'voices' | 'sampling' | 'timings'>;

/**
 * Returns the JSON schema of a session request (interface-spec 2.1) for this engine. It accepts the same requests as
 * `readSessionOrder`, except that a schema cannot count lengths in UTF-16 code units, of which an emoji has two.
 */
export function sessionRequestSchema(
  { voices, sampling, timings }: Voices,
  { textLength }: Pick<Limits, 'textLength'>,
) {
  const premium = voices.filter((voice) => voice.premium).map(({ id }) => id);
  const foreign = voices.flatMap(({ id, language }) => (language === undefined ? [] : `${id} (${language})`));
  const fields = {
    voice_id: {
      type: 'string',
      enum: voices.map(({ id }) => id),
      default: voices[0]!.id,
      description: [
        'The voice.',
        ...(premium.length > 0 ? [`Of plan pro only: ${premium.join(', ')}.`] : []),
        ...(foreign.length > 0 ? [`Not English: ${foreign.join(', ')}.`] : []),
      ].join(' '),
    },
    format: {
      type: 'string',
      enum: [SESSION_DEFAULTS.format],
      default: SESSION_DEFAULTS.format,
      description: 'Encoding of the audio.',
    },
    sample_rate: {
      type: 'integer',
      minimum: SAMPLE_RATE_MIN,
      maximum: SAMPLE_RATE_MAX,
      default: SESSION_DEFAULTS.sample_rate,
      description: 'Sample rate of the audio, in Hz.',
    },
    normalize_text: {
      type: 'boolean',
      default: SESSION_DEFAULTS.normalize_text,
      description:
        'Whether numbers, signs and abbreviations are written out in words first, if the voice speaks English.',
    },
    chunk_seconds: {
      type: 'number',
      minimum: CHUNK_SECONDS_MIN,
      maximum: CHUNK_SECONDS_MAX,
      default: SESSION_DEFAULTS.chunk_seconds,
      description: 'About the longest stretch of speech made in one go, in seconds.',
    },
    sampling: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(sampling).map(([name, { least, most }]) => [
          name,
          orNull({ type: 'number', minimum: least, maximum: most }),
        ]),
      ),
      description: 'How it is spoken. Another member is refused by its name.',
    },
    ...(timings && {
      timings: {
        type: 'string',
        enum: ['words', 'phones'],
        description: 'Asks for messages that tell when each word, or also each sound, is spoken.',
      },
    }),
    input: {
      type: 'string',
      maxLength: textLength,
      description: 'Text to speak in one shot: `messages` of the answer are then to be sent on the socket.',
    },
    context_id: {
      type: 'string',
      minLength: 1,
      maxLength: CONTEXT_ID_MAX,
      default: SESSION_DEFAULTS.context_id,
      description: 'Context on which `input` is spoken.',
    },
    reason: {
      type: 'string',
      enum: ['resume'],
      description: 'Why a player asks: for the rest of a text whose socket has died. It changes nothing here.',
    },
  };
  return {
    type: 'object',
    additionalProperties: false,
    description: 'Every field may be left out, and `null` is the same as left out.',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, orNull(field)])),
  };
}

/** Members of a schema that {@link orNull} reads; it copies the others. */
interface TypedSchema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** Returns a schema that also accepts `null`. */
function orNull(schema: TypedSchema): object {
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
  };
}

/** JSON schema of a session response (interface-spec 2.2). It lists every field, because Fastify sends no others. */
export const sessionResponseSchema = {
  description: 'A session: open `url` within `expires_in_seconds`, and send `messages`.',
  type: 'object',
  required: [
    'url',
    'expires_in_seconds',
    'expires_at',
    'max_concurrent_sessions',
    'gateway',
    'protocol',
    'voice_id',
    'format',
    'sample_rate',
    'messages',
  ],
  properties: {
    url: { type: 'string', description: 'Address of the WebSocket, with a token that opens it once.' },
    expires_in_seconds: { type: 'integer', description: 'Lifetime of the token.' },
    expires_at: { type: 'string', description: 'When the token expires: ISO 8601, UTC.' },
    max_concurrent_sessions: {
      type: 'integer',
      description: 'Slots of the account: sockets that may speak at a time.',
    },
    gateway: { type: 'string', description: 'Name of the gateway that serves the socket.' },
    protocol: { type: 'string', description: `The message protocol spoken on the socket: ${PROTOCOL}.` },
    voice_id: { type: 'string', description: 'Effective voice.' },
    format: { type: 'string', description: 'Effective encoding.' },
    sample_rate: { type: 'integer', description: 'Effective sample rate, in Hz.' },
    timings: { type: 'string', description: 'As in the request; only if it was given.' },
    messages: {
      type: 'array',
      description: 'What to send on the socket, in order; empty unless `input` was given.',
      items: {
        type: 'object',
        required: ['type', 'context_id'],
        properties: {
          type: { type: 'string', enum: ['synthesize', 'end'] },
          context_id: { type: 'string' },
          text: { type: 'string', description: 'Only in `synthesize`.' },
          segment_mode: { type: 'string', description: 'Only in `synthesize`: `auto`.' },
        },
      },
    },
  },
} as const;

/**
 * Returns the options of the session route (interface-spec 4.1, 7.1): `app.post(path, sessionRouteOptions(engine,
 * limits), handler)`.
 *
 * The schema serves as documentation only, so its validator accepts everything. `readSessionOrder` checks the request
 * and names every invalid field.
 */
export function sessionRouteOptions(engine: Voices, limits: Pick<Limits, 'textLength'>) {
  return {
    schema: {
      operationId: 'createStreamSession',
      summary: 'Get the address of a WebSocket that speaks',
      description:
        'Whether the account may have another socket open, and may use the voice, is decided at the socket: it is closed with a code of its own if not.',
      tags: ['speech'],
      body: sessionRequestSchema(engine, limits),
      response: {
        200: sessionResponseSchema,
        400: refusalSchema('The body is not JSON.'),
        402: refusalSchema('The account has no API plan, or is out of credits.'),
        413: refusalSchema('The body is too large.'),
        415: refusalSchema('The body is not `application/json`.'),
        422: fieldRefusalSchema('A field is wrong, or not known; the body names it.'),
        503: refusalSchema('The service cannot speak, or not at the moment: try again later.'),
      },
    },
    validatorCompiler: () => () => true,
  };
}
