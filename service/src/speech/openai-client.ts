import type { Clock } from '../clock.js';
import { readCaptioned } from './captioned-speech.js';
import type { SpokenToken } from './flite-words.js';
import type { SpeechPart } from './speak-pieces.js';
import type { SpeechRequest, Voice } from './speech-engine.js';
import { SpeechError } from './speech-error.js';
import { readVoice } from './voice-stream.js';

/** Delays before each retry of a request, in ms, unless the server asks for a longer one. */
const RETRY_MS = [250, 1000] as const;

/** Maximum delay that a server may ask for, in ms; beyond it, the text fails at once. */
const RETRY_AFTER_MAX_MS = 5000;

/** Most voices that are taken from a server's list. */
const VOICES_MAX = 1000;

/** Failure that the text did not cause. */
class ServerFailure extends SpeechError {
  /** Minimum delay before a retry, in milliseconds; `null` if a retry would not help. */
  readonly retryAfterMs: number | null;
  /** True if the server is faulty, false if it is only overloaded. */
  readonly isDown: boolean;

  constructor(message: string, retryAfterMs: number | null, isDown: boolean) {
    super('engine-failed', message);
    this.retryAfterMs = retryAfterMs;
    this.isDown = isDown;
  }
}

/** Settings of a server. */
export interface OpenAiServer {
  readonly url: string;
  readonly key?: string;
  readonly model?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Client for `POST /v1/audio/speech`. Its error messages contain neither key nor text. Main thread. */
export class OpenAiClient {
  readonly #server: OpenAiServer;
  readonly #address: string;
  readonly #rawRate: number;
  readonly #clock: Clock;

  /**
   * @param rawRate - Rate of raw PCM, in Hz, if the server does not send it.
   * @throws {RangeError} If the address is invalid.
   */
  constructor(server: OpenAiServer, rawRate: number, clock: Clock) {
    this.#server = server;
    this.#address = findAddress(server.url);
    this.#rawRate = rawRate;
    this.#clock = clock;
  }

  /**
   * Speaks a piece. Before the first audio, makes up to three attempts if a retry may help.
   *
   * @param note - Called once with the state of the server: `null` if it works, else a description of the failure. Not
   *   called for a failure that the server did not cause.
   * @throws {SpeechError} While iterating.
   */
  async *speak(
    piece: string,
    request: SpeechRequest,
    signal: AbortSignal,
    note: (failure: string | null) => void,
  ): AsyncGenerator<SpeechPart, void, void> {
    for (let attempt = 0; ; attempt++) {
      let begun = false;
      const { sampling, onWords, normalizeText } = request;
      const captions = onWords ? { normalize: !normalizeText } : null;
      try {
        for await (const part of this.#request(piece, request, sampling.rate, signal, captions)) {
          begun ||= part instanceof Int16Array;
          yield part;
        }
        return note(null);
      } catch (error) {
        if (!(error instanceof ServerFailure)) {
          // The time limit aborts the signal. A server that exceeds it is faulty.
          const cause: unknown = signal.reason;
          if (cause instanceof SpeechError && cause.reason === 'took-too-long') note('It took too long.');
          throw error;
        }
        const waitMs = begun || attempt >= RETRY_MS.length ? null : error.retryAfterMs;
        if (waitMs === null) {
          if (error.isDown) note(error.message);
          throw error;
        }
        await this.#wait(Math.max(waitMs, RETRY_MS[attempt]!), signal);
      }
    }
  }

  /** Returns true if the server speaks a test word. Never rejects. */
  async works(voice: Voice, signal: AbortSignal): Promise<boolean> {
    try {
      const request = { voice, sampleRate: voice.sampleRate };
      for await (const samples of this.#request('Hello.', request, undefined, signal, null))
        if (samples.length) return true;
    } catch {
      // For any error, the server does not work.
    }
    return false;
  }

  /**
   * Asks for the list of models, which costs nothing. Many servers have none, so most answers tell only that the server is
   * there. Never rejects.
   *
   * @returns Description of the failure; `null` if the server answers and does not refuse the key.
   */
  async problem(signal: AbortSignal): Promise<string | null> {
    const { key } = this.#server;
    try {
      const { status, body } = await fetch(this.#address.replace(/audio\/speech$/, 'models'), {
        headers: key ? { authorization: `Bearer ${key}` } : {},
        redirect: 'manual', // following it would send the key to another server
        signal,
      });
      await body?.cancel().catch(() => {});
      if (status === 401 || status === 403) return `The speech server refuses the key (${status}).`;
      return status >= 500 && status !== 501 ? `The speech server failed (${status}).` : null;
    } catch {
      return 'The speech server cannot be reached.';
    }
  }

  /**
   * Asks for the list of voices, which servers such as Kokoro-FastAPI and Speaches have, and OpenAI has not. Never rejects.
   *
   * @returns Ids, each once; `null` if there is no list.
   */
  async voices(signal: AbortSignal): Promise<string[] | null> {
    const { key } = this.#server;
    try {
      const response = await fetch(this.#address.replace(/speech$/, 'voices'), {
        headers: key ? { authorization: `Bearer ${key}` } : {},
        redirect: 'error', // a redirect would send the key to another server
        signal,
      });
      const { voices } = (await response.json()) as { voices?: unknown };
      if (!response.ok || !Array.isArray(voices)) return null;
      const ids = voices.slice(0, VOICES_MAX).map((voice: unknown) => {
        const { id, name } = Object(voice) as { id?: unknown; name?: unknown };
        return typeof voice === 'string' ? voice : (id ?? name);
      });
      const usable = ids.filter((id): id is string => typeof id === 'string' && /^[\w.+-]{1,100}$/.test(id));
      return usable.length > 0 ? [...new Set(usable)] : null;
    } catch {
      return null;
    }
  }

  /** @param captions - Asks for the times of words too, and whether the server may write out numbers by itself. */
  async *#request(
    input: string,
    { voice, sampleRate }: Pick<SpeechRequest, 'voice' | 'sampleRate'>,
    rate: number | undefined,
    signal: AbortSignal,
    captions: { normalize: boolean } | null,
  ): AsyncGenerator<SpeechPart, void, void> {
    const response = await this.#send(input, voice, rate, signal, captions);
    const type = response.headers.get('content-type') ?? '';
    const body = response.body;
    const isText = /^(?:text\/|application\/problem)/i.test(type) || (!captions && /^application\/json/i.test(type));
    if (!response.ok || !body || isText) {
      await body?.cancel().catch(() => {});
      throw toSpeechError(response, type);
    }
    const sentRate = Number(/;\s{0,9}rate="?(\d{4,6})/i.exec(type)?.[1] ?? NaN);
    const rawRate = sentRate >= 4000 && sentRate <= 384_000 ? sentRate : this.#rawRate;
    let hasAudio = false;
    const tokens: (readonly SpokenToken[])[] = [];
    const bytes = body as AsyncIterable<Uint8Array>;
    const audio = captions ? readCaptioned(bytes, (found) => tokens.push(found)) : bytes;
    try {
      for await (const samples of readVoice(audio, rawRate, sampleRate)) {
        yield* tokens.splice(0);
        hasAudio = true;
        yield samples;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SpeechError) throw new ServerFailure(error.message, null, true);
      throw new ServerFailure('The speech server closed the connection before the end of its audio.', 0, true);
    }
    if (!hasAudio) throw new ServerFailure('The speech server answered with no audio.', null, true);
  }

  async #send(
    input: string,
    voice: Voice,
    rate: number | undefined,
    signal: AbortSignal,
    captions: { normalize: boolean } | null,
  ): Promise<Response> {
    const { key, model = 'tts-1', extra } = this.#server;
    const body = {
      ...extra,
      model,
      voice: voice.id,
      input,
      response_format: 'pcm',
      ...(rate === undefined ? {} : { speed: rate }),
      ...(captions && { stream: true, return_timestamps: true, normalization_options: captions }),
    };
    try {
      const address = captions ? this.#address.replace(/v1\/audio\/speech$/, 'dev/captioned_speech') : this.#address;
      return await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
        body: JSON.stringify(body),
        redirect: 'error', // a redirect would send the key to another server
        signal,
      });
    } catch {
      signal.throwIfAborted();
      throw new ServerFailure('The speech server cannot be reached.', 0, true);
    }
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel();
        reject(signal.reason as Error);
      };
      const cancel = this.#clock.after(ms, () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }
}

/** Returns the error for a response that is not audio. Leaves out its body, which may contain the text. */
function toSpeechError({ ok, status, headers }: Response, type: string): SpeechError {
  if (ok)
    return new ServerFailure(`The speech server answered with ${type.split(';')[0]}, not with audio.`, null, true);
  if (status === 400 || status === 413 || status === 422) {
    return new SpeechError('engine-failed', `The speech server refused this text (${status}).`);
  }
  const message = `The speech server failed (${status}).`;
  if (status !== 429 && status !== 408 && (status < 500 || status === 501))
    return new ServerFailure(message, null, true);
  const askedMs = Number(headers.get('retry-after') ?? 0) * 1000;
  const waitMs = Number.isFinite(askedMs) && askedMs >= 0 ? askedMs : 0;
  return new ServerFailure(message, waitMs > RETRY_AFTER_MAX_MS ? null : waitMs, status !== 429);
}

/** Returns the address of the endpoint. Appends `/v1/audio/speech`, or the part of it that `url` lacks. */
function findAddress(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new RangeError('The address of the speech server must be an http: or https: address (SVC_SPEECH_URL).');
  }
  const address = new URL(url);
  if (address.username || address.password) {
    throw new RangeError('The address of the speech server must hold no password: use a key (SVC_SPEECH_KEY).');
  }
  const path = address.pathname.replace(/\/{1,99}$/, '');
  if (!path.endsWith('/audio/speech')) address.pathname = `${path.endsWith('/v1') ? path : `${path}/v1`}/audio/speech`;
  return address.href;
}
