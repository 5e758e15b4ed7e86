import type { PushedChunk } from '../connection/audio-input.js';
import type { InputWord, Utterance } from './utterance.js';

/** Seconds of audio that may be written ahead of what is heard. */
const MOST_SECONDS = 3600;

/** Calls that an input makes to its speaker. */
export interface InputCalls {
  addText(text: string): void;
  addWords(words: readonly InputWord[]): void;
  end(): void;
}

/** Audio that the page receives by itself, as `openInput()` makes it. Main thread. */
export class SpeechInput {
  /** The speech, as it is heard. It is over when `end()` was called and the last sample has been heard. */
  readonly utterance: Utterance;
  /** Sample rate in Hz. */
  readonly sampleRate: number;
  readonly #port: MessagePort;
  readonly #calls: InputCalls;
  #written = 0;
  #state: 'open' | 'ended' | 'over' = 'open';

  /** @internal */
  constructor(utterance: Utterance, sampleRate: number, port: MessagePort, calls: InputCalls) {
    this.utterance = utterance;
    this.sampleRate = sampleRate;
    this.#port = port;
    this.#calls = calls;
    void utterance.finished
      .catch(() => {})
      .then(() => {
        this.#state = 'over';
        port.close();
      });
  }

  /** Seconds of audio that were written and are not heard yet. */
  get bufferedSeconds(): number {
    return this.#state === 'over' ? 0 : Math.max(0, this.#written / this.sampleRate - this.utterance.heard.seconds);
  }

  /**
   * Adds samples, mono, at the rate of the input: as Int16Array, as Float32Array from -1 to 1, as an ArrayBuffer of
   * little-endian samples of 16 bits, or as base64 of these. A WAV file of that rate may take their place, or several. They leave for the
   * worker at once; an ArrayBuffer is transferred, and empty afterwards. Once the utterance is cancelled or has failed,
   * they are ignored.
   *
   * @throws {TypeError} If it is nothing of this.
   * @throws {DOMException} InvalidStateError after `end()`; QuotaExceededError if more than an hour waits to be heard.
   */
  write(samples: Int16Array | Float32Array | ArrayBuffer | string): void {
    this.#assertOpen('write');
    const [chunk, count] = chunkOf(samples);
    if (this.#state === 'over') return;
    if (this.bufferedSeconds > MOST_SECONDS) {
      throw new DOMException(
        'More than an hour of audio waits to be heard. Write less, or cancel().',
        'QuotaExceededError',
      );
    }
    this.#written += count;
    this.#port.postMessage(chunk, typeof chunk === 'string' ? [] : ['buffer' in chunk ? chunk.buffer : chunk]);
  }

  /**
   * Adds to the text of the utterance.
   *
   * @throws {DOMException} InvalidStateError after `end()`.
   */
  addText(text: string): void {
    this.#assertOpen('addText');
    this.#calls.addText(text);
  }

  /**
   * Tells when words of the text are spoken. Words that the text does not have yet wait for it; if no text was added, they
   * are the text.
   *
   * @throws {DOMException} InvalidStateError after `end()`.
   */
  addWords(words: readonly InputWord[]): void {
    this.#assertOpen('addWords');
    this.#calls.addWords(words);
  }

  /** Ends the input. What was written is still heard. Idempotent. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ended';
    this.#port.postMessage(null satisfies PushedChunk);
    this.#calls.end();
  }

  /** Silences the utterance at once. */
  cancel(): void {
    this.utterance.cancel();
  }

  #assertOpen(method: string): void {
    if (this.#state !== 'ended') return;
    throw new DOMException(`${method}() was called after end(). Open another input.`, 'InvalidStateError');
  }
}

/** Returns a chunk that can be transferred, and its number of samples. */
function chunkOf(samples: unknown): [Exclude<PushedChunk, null>, number] {
  if (typeof samples === 'string') return [samples, (samples.length * 3) / 8];
  // Samples of another frame are no instances of this page's classes.
  const kind = Object.prototype.toString.call(samples);
  if (kind === '[object ArrayBuffer]') return [samples as ArrayBuffer, (samples as ArrayBuffer).byteLength / 2];
  if (/(Int16|Float32)Array/.test(kind)) {
    // A view is copied: its buffer may have other content, which stays with the page.
    const view = samples as Int16Array | Float32Array;
    return [view.slice(), view.length];
  }
  throw new TypeError(`write() takes samples as Int16Array, Float32Array, ArrayBuffer or base64, not ${kind}.`);
}
