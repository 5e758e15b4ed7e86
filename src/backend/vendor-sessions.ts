import { cartesia, deepgram, deepgramFlux, elevenLabs } from '../dialects/index.js';
import { isRecord, isString } from '../protocol/fields.js';
import type { Parsed, SessionResponse, SpeechDialect } from '../protocol/index.js';
import { ApiCaller, missingOption, type SvcClientOptions } from './api-caller.js';
import type { OwnSessionOptions } from './speech-backend.js';
import { SvcApiError } from './svc-api-error.js';

/** Sample rate unless the page asks for another one, in Hz. */
const SAMPLE_RATE = 24_000;
/** Largest answer with a token, in bytes. */
const TOKEN_MAX_BYTES = 64 * 1024;
/** Seconds for which a token can open a socket: what ElevenLabs documents, and what the others are asked for. */
const TOKEN_SECONDS = { elevenLabs: 15 * 60, cartesia: 60, deepgram: 30 } as const;
/** Version of Cartesia's API, whose messages its dialect speaks. */
const CARTESIA_VERSION = '2026-03-01';

/** Options for the sessions of another vendor. */
export interface VendorSessionOptions extends Omit<SvcClientOptions, 'baseUrl' | 'apiKey'> {
  /** Key of the account. It is sent only in a header to `baseUrl`. While it is missing, sessions are answered with 503. */
  readonly apiKey: string | undefined;
  /** Id of the voice, unless the page asks for another one with `voice_id` (see `allow`). */
  readonly voice: string;
  /** Name of the model. */
  readonly model?: string;
  /** Address of the vendor, such as that of another region; `https:`. The socket has the same host. */
  readonly baseUrl?: string;
}

/** Options for the sessions of ElevenLabs. */
export interface ElevenLabsSessionOptions extends VendorSessionOptions {
  /** The vendor's `voice_settings`, such as `{ stability: 0.5 }`. */
  readonly settings?: Readonly<Record<string, number | boolean>>;
  /** Language as ISO 639-1, for models that take it. */
  readonly language?: string;
}

/** Options for the sessions of Cartesia. */
export interface CartesiaSessionOptions extends VendorSessionOptions {
  /** Language as ISO 639-1; `en` by default. */
  readonly language?: string;
}

/** Options for the sessions of Deepgram, whose voices are models. */
export type DeepgramSessionOptions = Omit<VendorSessionOptions, 'model'>;

type MakeSession = OwnSessionOptions['session'];

/**
 * Gives sessions of ElevenLabs: `createSpeechBackend({ session: elevenLabsSession({ apiKey, voice }) })`. Each has a token
 * that opens one socket. `model` is `eleven_flash_v2_5` by default.
 *
 * Not run against the live service: see {@link elevenLabs}.
 */
export function elevenLabsSession(options: ElevenLabsSessionOptions): MakeSession {
  const { model = 'eleven_flash_v2_5', language, settings = {} } = options;
  const vendor = new Vendor(options, 'https://api.elevenlabs.io', (key) => ({ 'xi-api-key': key }));
  return vendor.sessions(TOKEN_SECONDS.elevenLabs, async ({ voice, rate }, signal) => {
    const token = await vendor.token('/v1/single-use-token/tts_websocket', undefined, 'token', signal);
    const path = `/v1/text-to-speech/${encodeURIComponent(voice)}/multi-stream-input`;
    const query = {
      model_id: model,
      ...(language && { language_code: language }),
      output_format: `pcm_${rate}`,
      sync_alignment: 'true',
      single_use_token: token,
    };
    return { url: vendor.socketUrl(path, query), dialect: { ...elevenLabs, values: { settings } } };
  });
}

/**
 * Gives sessions of Cartesia: `createSpeechBackend({ session: cartesiaSession({ apiKey, voice }) })`. Each has a token that
 * is valid for a minute. `model` is `sonic-3` by default.
 *
 * Not run against the live service: see {@link cartesia}.
 */
export function cartesiaSession(options: CartesiaSessionOptions): MakeSession {
  const { model, language } = options;
  const vendor = new Vendor(options, 'https://api.cartesia.ai', (key) => ({
    Authorization: `Bearer ${key}`,
    'Cartesia-Version': CARTESIA_VERSION,
  }));
  return vendor.sessions(TOKEN_SECONDS.cartesia, async (_, signal) => {
    const content = { grants: { tts: true }, expires_in: TOKEN_SECONDS.cartesia };
    const token = await vendor.token('/access-token', content, 'token', signal);
    const query = { cartesia_version: CARTESIA_VERSION, access_token: token };
    const values = { ...cartesia.values, ...(model && { model }), ...(language && { language }) };
    return { url: vendor.socketUrl('/tts/websocket', query), dialect: { ...cartesia, values } };
  });
}

/**
 * Gives sessions of Deepgram: `createSpeechBackend({ session: deepgramSession({ apiKey, voice }) })`. Each has a token that
 * is valid for 30 seconds. A voice is the name of a model, such as `aura-2-thalia-en`, or `flux-haley-en` for turns of a
 * conversation.
 *
 * Not run against the live service: see {@link deepgram} and {@link deepgramFlux}.
 */
export function deepgramSession(options: DeepgramSessionOptions): MakeSession {
  const vendor = new Vendor(options, 'https://api.deepgram.com', (key) => ({ Authorization: `Token ${key}` }));
  return vendor.sessions(TOKEN_SECONDS.deepgram, async ({ voice, rate }, signal) => {
    const content = { ttl_seconds: TOKEN_SECONDS.deepgram };
    const token = await vendor.token('/v1/auth/grant', content, 'access_token', signal);
    const query = { model: voice, encoding: 'linear16', sample_rate: String(rate) };
    const [path, dialect] = voice.startsWith('flux-') ? ['/v2/speak', deepgramFlux] : ['/v1/speak', deepgram];
    return { url: vendor.socketUrl(path, query), dialect: { ...dialect, subprotocols: ['bearer', token] } };
  });
}

/** The account at a vendor. */
class Vendor {
  readonly #options: VendorSessionOptions;
  readonly #baseUrl: string;
  readonly #headersOf: (key: string) => Record<string, string>;
  #caller: ApiCaller | null = null;

  constructor(options: VendorSessionOptions, baseUrl: string, headersOf: (key: string) => Record<string, string>) {
    this.#options = options;
    this.#baseUrl = options.baseUrl ?? baseUrl;
    this.#headersOf = headersOf;
  }

  /**
   * @param seconds - Seconds for which a token can open a socket.
   * @param make - Makes the URL and the dialect of a session.
   */
  sessions(
    seconds: number,
    make: (
      wanted: { voice: string; rate: number },
      signal: AbortSignal,
    ) => Promise<{ url: string; dialect: SpeechDialect }>,
  ): MakeSession {
    return async (request, { signal }) => {
      if (request.input !== undefined) {
        throw new SvcApiError(422, 'invalid-request', 'input is not supported: call speak() in the page');
      }
      const { voice_id: voice = this.#options.voice, sample_rate: rate = SAMPLE_RATE } = request;
      const { url, dialect } = await make({ voice, rate }, signal);
      const session: SessionResponse = {
        url,
        expires_in_seconds: seconds,
        gateway: new URL(url).host,
        protocol: dialect.name,
        dialect,
        voice_id: voice,
        format: 'pcm_s16le',
        sample_rate: rate,
        messages: [],
      };
      return session;
    };
  }

  /**
   * Requests a token.
   *
   * @param field - The field of the answer that has it.
   * @throws {SvcApiError} If the vendor refuses, or cannot be reached.
   */
  async token(path: string, content: object | undefined, field: string, signal: AbortSignal): Promise<string> {
    const { apiKey } = this.#options;
    if (!apiKey) throw new SvcApiError(503, 'unavailable', missingOption('apiKey'));
    this.#caller ??= new ApiCaller({ ...this.#options, apiKey, baseUrl: this.#baseUrl }, this.#headersOf);
    const parse = (answer: unknown): Parsed<string> => {
      const token = isRecord(answer) ? answer[field] : undefined;
      if (isString(token) && token !== '') return { ok: true, value: token };
      return { ok: false, errors: [{ field, problem: 'must be a string' }] };
    };
    return this.#caller.call({ method: 'POST', path, content, maxBytes: TOKEN_MAX_BYTES, parse, signal });
  }

  /** Returns the address of a socket. Call after `token`, which checks the vendor's address. */
  socketUrl(path: string, query: Readonly<Record<string, string>>): string {
    return `${this.#caller!.baseUrl.replace(/^http/, 'ws')}${path}?${new URLSearchParams(query).toString()}`;
  }
}
