import { PlainAudio } from '../formats/plain-audio.js';
import { UnsupportedFormat } from '../formats/unsupported-format.js';
import { isSampleRate } from '../protocol/sample-rate.js';
import { type BodyReader, serve, streamOf } from './audio-body.js';
import { type AudioInput, factsOf, type StreamFailure, type UnknownAudio } from './audio-input.js';
import { resumedBody } from './resumed-body.js';

/** Minimum seconds of a stream that are read ahead. When they are full, reading stops until some of it has played. */
export const READ_AHEAD_SECONDS = 60;

/** Callbacks for the facts that an audio stream reports to its owner. None is called after `close`. */
export interface AudioStreamEvents {
  /** The sample rate is known, in Hz. No samples are reported before `play`. */
  onOpen(sampleRate: number): void;
  onBytes(count: number): void;
  onSamples(samples: Int16Array): void;
  /** True if there is room for more. Otherwise nothing is read; call `advance` when that may have changed. */
  hasRoom(): boolean;
  /** The stream is over. Called once. `cause` is null if the stream was complete. */
  onEnd(cause: StreamFailure | null): void;
}

/**
 * Fetches one audio stream, or takes over its bytes, and parses them as they arrive, only as fast as there is room.
 * Worker thread.
 */
export class AudioStream {
  /** Sample rate in Hz; 0 until it is known. */
  sampleRate = 0;
  readonly #events: AudioStreamEvents;
  readonly #abort = new AbortController();
  readonly #input: AudioInput;
  #reader: BodyReader | undefined;
  #bytes = 0;
  #mayPlay = false;
  /** Samples that were read before `play`. They are stored, because a stream that fails drops everything not read. */
  #held: Int16Array[] = [];
  #heldSeconds = 0;
  #wake = (): void => {};

  constructor(input: AudioInput, events: AudioStreamEvents) {
    this.#events = events;
    this.#input = input;
  }

  /** Begins to read. The caller then knows this stream, which reports facts from now on. */
  async open(): Promise<void> {
    let cause: StreamFailure | null;
    try {
      cause = await this.#read(this.#input);
    } catch (error) {
      const { message = String(error) } = Object(error) as Partial<Error>;
      if (error instanceof UnsupportedFormat) cause = { type: 'format', received: message };
      else cause = { type: 'stream-ended', bytes: this.#bytes, expected: null, message };
    }
    await this.#until(() => this.#held.length === 0);
    if (this.#isClosed) return;
    this.close();
    this.#events.onEnd(cause);
  }

  /** Reports samples from now on. */
  play(): void {
    this.#mayPlay = true;
    for (const samples of this.#held.splice(0)) this.#events.onSamples(samples);
    this.#wake();
  }

  /** Continues if there is room. */
  advance(): void {
    this.#wake();
  }

  /** Aborts the request and cancels the body. Idempotent. */
  close(): void {
    this.#abort.abort();
    this.#reader?.cancel().catch(() => {});
    this.#input.decoder.close();
    this.#wake();
  }

  get #isClosed(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Reads the whole stream. Returns the cause if it ended early, or null. */
  async #read(input: AudioInput): Promise<StreamFailure | null> {
    const opened = input.type === 'body' ? input : await this.#fetch(input);
    if (opened.type === 'request-failed') return opened;
    const { status, contentType, length, body } = opened;
    const hasAudio = status >= 200 && status <= 299;
    this.#reader = streamOf(body ?? new ArrayBuffer(0)).getReader();
    if (this.#isClosed) this.close();
    if (!hasAudio) return { type: 'http-status', url: 'url' in input ? input.url : null, status };
    let parser = new PlainAudio(contentType, input.sampleRate);
    let isDecoded = false;
    let hasSamples = false;
    for (let isEnd = false; !isEnd;) {
      const { done, value }: ReadableStreamReadResult<Uint8Array> = await this.#reader.read();
      if (this.#isClosed) return null;
      isEnd = done;
      if (!isDecoded) this.#count(value);
      const pieces = parser.push(value ?? new Uint8Array(0), done);
      this.#noteRate(parser.sampleRate);
      for (const samples of pieces) {
        if (samples.length === 0) continue;
        hasSamples = true;
        await this.#until(() => (this.#mayPlay ? this.#events.hasRoom() : this.#heldSeconds < READ_AHEAD_SECONDS));
        if (this.#isClosed) return null;
        this.#take(samples, parser.sampleRate);
      }
      if (!parser.rest) continue;
      this.#reader = this.#decode(parser.rest, this.#reader, contentType).getReader();
      parser = new PlainAudio('', undefined, true);
      isDecoded = true;
      isEnd = false;
    }
    const expected = length ?? (parser.missing > 0 ? this.#bytes + parser.missing : null);
    if (!hasSamples || this.#bytes < (expected ?? 0)) {
      return { type: 'stream-ended', bytes: this.#bytes, expected, message: '' };
    }
    return null;
  }

  async #fetch({ url, init, body }: Extract<AudioInput, { type: 'request' }>) {
    try {
      const sent = body === null ? null : await new Response(streamOf(body)).arrayBuffer();
      const { signal } = this.#abort;
      const response = await fetch(url, { ...init, body: sent, signal });
      const facts = factsOf(response);
      const again = (headers: [string, string][]): Promise<Response> =>
        fetch(url, { ...init, headers: [...new Headers(init.headers), ...headers], signal });
      return {
        type: 'body',
        ...facts,
        body: sent ? response.body : resumedBody(response, facts.length, again),
      } as const;
    } catch (error) {
      const isCrossOrigin = new URL(url).origin !== globalThis.origin;
      return { type: 'request-failed', url, isCrossOrigin, message: String(error) } as const;
    }
  }

  /**
   * Lets the page parse and decode the stream from `rest` on, because bundlers load rarely needed code only in pages.
   * Returns a WAV file.
   */
  #decode(rest: Uint8Array, reader: BodyReader, contentType: string): ReadableStream<Uint8Array> {
    let first: Uint8Array | null = rest;
    const read = async (): ReturnType<BodyReader['read']> => {
      const next = first ? { done: false as const, value: first } : await reader.read();
      if (!first) this.#count(next.value);
      first = null;
      return next;
    };
    const { port1, port2 } = new MessageChannel();
    serve({ read, cancel: () => reader.cancel() }, port1);
    const { sampleRate, decoder } = this.#input;
    const audio: UnknownAudio = { contentType, sampleRate, outputRate: this.sampleRate, bytes: port2 };
    decoder.postMessage(audio, [port2]);
    return streamOf(decoder);
  }

  /** @param chunk - Undefined at the end. */
  #count(chunk: unknown): void {
    if (chunk instanceof Uint8Array) {
      this.#bytes += chunk.length;
      this.#events.onBytes(chunk.length);
    } else if (chunk !== undefined) {
      throw new TypeError(`a chunk is not a Uint8Array but ${chunk as string}`);
    }
  }

  #noteRate(sampleRate: number): void {
    if (this.sampleRate > 0 || sampleRate === 0) return;
    if (!isSampleRate(sampleRate)) throw new UnsupportedFormat(`audio of ${sampleRate} Hz`);
    this.sampleRate = sampleRate;
    this.#events.onOpen(sampleRate);
  }

  #take(samples: Int16Array, sampleRate: number): void {
    if (this.#mayPlay) return this.#events.onSamples(samples);
    this.#held.push(samples);
    this.#heldSeconds += samples.length / sampleRate;
  }

  /** Waits for a condition that `play` or `advance` may make true, or for `close`. */
  async #until(condition: () => boolean): Promise<void> {
    while (!this.#isClosed && !condition()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}
