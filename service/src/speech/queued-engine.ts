import type { Clock } from '../clock.js';
import { MappedText } from './mapped-text.js';
import { normalizeText } from './normalize-text.js';
import { SampleQueue } from './sample-queue.js';
import { groupSentences } from './sentence-groups.js';
import { speakPieces, type SpeechPart } from './speak-pieces.js';
import type { SamplingRange, SpeechEngine, SpeechRequest, Voice } from './speech-engine.js';
import { SpeechError } from './speech-error.js';
import { Turnstile } from './turnstile.js';

/** Maximum estimated length of a piece, in seconds, even if `chunk_seconds` is longer. Limits the audio in memory. */
const PIECE_SECONDS_MAX = 15;

/** Maximum speech accepted for one piece, in seconds. Text of 15 s needs less, but a broken engine may send more. */
const SPEECH_SECONDS_MAX = 180;

/** Options of {@link QueuedEngine}. */
export interface QueuedEngineOptions {
  readonly voices: readonly Voice[];
  readonly sampling: Readonly<Record<string, SamplingRange>>;
  readonly clock: Clock;
  /** Maximum number of pieces made at a time, from 1. */
  readonly concurrency: number;
  /** Maximum length of a piece, in characters. */
  readonly pieceLength: number;
  /** Maximum time until the first samples of a piece, and between samples, in ms. */
  readonly stallMs: number;
  /** Time limit for one piece, in ms. */
  readonly timeLimitMs: number;
  /** True if pieces are made with the times of their words, if the request wants them. */
  readonly timings?: boolean;
  /** Synthesizes one piece of text at the session's rate. Must end soon after its signal is aborted. */
  readonly make: (piece: string, request: SpeechRequest, signal: AbortSignal) => AsyncIterable<SpeechPart>;
  /** Returns true if the engine can speak now; not called after closing. */
  readonly isAvailable: () => boolean;
}

/**
 * An engine whose pieces are made elsewhere, several at a time: by a server or by programs. Clients take turns, piece
 * by piece. A piece is buffered as fast as it is made, so a slow reader does not block others. The next piece starts
 * once the reader has read from the one before it. Main thread.
 */
export class QueuedEngine implements SpeechEngine {
  readonly resamples = true;
  readonly voices: readonly Voice[];
  readonly sampling: Readonly<Record<string, SamplingRange>>;
  readonly timings?: true;
  readonly #options: QueuedEngineOptions;
  readonly #turnstile: Turnstile;
  readonly #closed = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(options: QueuedEngineOptions) {
    this.voices = options.voices;
    this.sampling = options.sampling;
    if (options.timings) this.timings = true;
    this.#options = options;
    this.#turnstile = new Turnstile(options.concurrency, () => options.clock.elapsed());
  }

  get available(): boolean {
    return !this.#closed.signal.aborted && this.#options.isAvailable();
  }

  speak(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<Int16Array, void, void> {
    const { pieceLength: maxLength } = this.#options;
    const { rate = 1 } = request.sampling;
    // Only English can be written out.
    const isWrittenOut = request.normalizeText && request.voice.language === undefined;
    const source = MappedText.of(request.text);
    const plain = isWrittenOut ? normalizeText(source) : source;
    const maxSeconds = Math.min(request.chunkSeconds, PIECE_SECONDS_MAX) * rate;
    return speakPieces({
      plain,
      pieces: groupSentences(plain.text, { maxSeconds, maxLength, quickStart: request.quickStart }),
      sampleRate: request.sampleRate,
      request,
      signal: AbortSignal.any([signal, this.#closed.signal]),
      begin: (piece, wanted) => this.#begin(piece, request, wanted),
    });
  }

  async close(): Promise<void> {
    this.#closed.abort(new SpeechError('unavailable', 'The speech engine is shutting down.'));
    await Promise.all(this.#running);
  }

  #begin(piece: string | undefined, request: SpeechRequest, signal: AbortSignal): SampleQueue<SpeechPart> {
    const queue = new SampleQueue<SpeechPart>();
    if (piece === undefined) return queue;
    const stop = (): void => queue.fail(signal.reason, true);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const running = this.#fill(queue, piece, request, signal).finally(() => {
      signal.removeEventListener('abort', stop);
      this.#running.delete(running);
    });
    this.#running.add(running);
    return queue;
  }

  /** Makes a piece. Errors go to the reader of the queue. */
  async #fill(
    queue: SampleQueue<SpeechPart>,
    piece: string,
    request: SpeechRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, make, stallMs, timeLimitMs } = this.#options;
    let leave = (): void => {};
    const limit = new AbortController();
    const giveUp = (): void =>
      limit.abort(new SpeechError('took-too-long', 'The text took too long to speak. The service may be overloaded.'));
    let cancelStall = (): void => {};
    let cancelLimit = (): void => {};
    try {
      leave = await this.#turnstile.enter(request, signal);
      cancelLimit = clock.after(timeLimitMs, giveUp);
      cancelStall = clock.after(stallMs, giveUp);
      let left = request.sampleRate * SPEECH_SECONDS_MAX;
      for await (const part of make(piece, request, AbortSignal.any([signal, limit.signal]))) {
        cancelStall();
        cancelStall = clock.after(stallMs, giveUp);
        if (part instanceof Int16Array) {
          left -= part.length;
          if (left < 0)
            throw new SpeechError('engine-failed', 'The speech engine made more speech than the text holds.');
          this.#turnstile.made(request.client, (part.length / request.sampleRate) * 1000);
        }
        queue.push(part);
      }
      limit.signal.throwIfAborted();
      queue.end();
    } catch (error) {
      queue.fail(limit.signal.aborted ? limit.signal.reason : asSpeechError(error));
    } finally {
      cancelLimit();
      cancelStall();
      leave();
    }
  }
}

function asSpeechError(error: unknown): SpeechError {
  return error instanceof SpeechError ? error : new SpeechError('engine-failed', 'The speech engine failed.');
}
