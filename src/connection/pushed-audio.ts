import type { PushedChunk, PushedInput, StreamFailure } from './audio-input.js';
import type { AudioStreamEvents } from './audio-stream.js';
import { beginsLikeFloats, fileNameOf } from '../formats/file-name.js';
import { plainWav } from '../formats/plain-audio.js';
import { isWave } from '../formats/signature.js';
import type { WavParser } from '../formats/wav-parser.js';
import { bytesOf } from './base64.js';
import { integersOf } from './float-bytes.js';
import { PcmAssembler } from './pcm-assembler.js';
import { isText, quoteOf, textIn } from './text-in.js';

/**
 * Audio that the page receives by itself and pushes through a port, without a wait on the main thread. Like
 * `AudioStream`, it reports samples only as fast as there is room. Worker thread.
 */
export class PushedAudio {
  readonly sampleRate: number;
  readonly #port: MessagePort;
  readonly #events: AudioStreamEvents;
  #waiting: Int16Array[] = [];
  readonly #pcm = new PcmAssembler();
  /** Reads the bytes since a WAV file began. Some services send each piece as a file of its own. */
  #wav: WavParser | null = null;
  /** Only the first bytes can tell another file: samples may look like one. */
  #hasBytes = false;
  #mayPlay = false;
  #isEnded = false;
  #isClosed = false;

  constructor({ port, sampleRate }: PushedInput, events: AudioStreamEvents) {
    this.#port = port;
    this.sampleRate = sampleRate;
    this.#events = events;
  }

  /** Begins to read. The caller then knows this input, which reports facts from now on. */
  open(): void {
    this.#events.onOpen(this.sampleRate);
    this.#port.onmessage = ({ data }: MessageEvent<PushedChunk>) => this.#take(data);
  }

  /** Reports samples from now on. */
  play(): void {
    this.#mayPlay = true;
    this.advance();
  }

  /** Continues if there is room. */
  advance(): void {
    while (this.#mayPlay && this.#waiting.length > 0 && this.#events.hasRoom()) {
      this.#events.onSamples(this.#waiting.shift()!);
    }
    if (this.#isEnded && this.#waiting.length === 0) this.#end(null);
  }

  /** Reads no more. Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#port.close();
  }

  #take(chunk: PushedChunk): void {
    if (this.#isClosed) return;
    this.#isEnded = chunk === null;
    const parts = chunk === null ? this.#read(new Uint8Array(0)) : this.#partsOf(chunk);
    if (typeof parts === 'string') return this.#end({ type: 'format', received: parts });
    for (const samples of parts) if (samples.length > 0) this.#waiting.push(samples);
    this.advance();
  }

  /** Returns the name of what cannot be played in place of samples. */
  #partsOf(chunk: Exclude<PushedChunk, null>): Int16Array[] | string {
    if (chunk instanceof Int16Array) return [this.#counted(chunk)];
    if (chunk instanceof Float32Array) {
      const integers = integersOf(this.#counted(chunk));
      return integers ? [integers] : 'floats far from -1 to 1';
    }
    const bytes = typeof chunk === 'string' ? bytesOf(chunk) : new Uint8Array(chunk);
    if (!bytes) return 'text that is not base64';
    const text = textIn(bytes);
    if (isText(text)) return `the text ${quoteOf(text)}`;
    if (isWave(bytes)) this.#wav ??= plainWav(this.sampleRate);
    else if (!this.#hasBytes) {
      const file = fileNameOf(bytes);
      if (file) return file;
      if (beginsLikeFloats(bytes)) return 'the bytes of a Float32Array';
    }
    // Some services send an empty piece or silence first.
    this.#hasBytes ||= bytes.some((byte) => byte !== 0);
    return this.#read(this.#counted(bytes));
  }

  #read(bytes: Uint8Array<ArrayBuffer>): Int16Array[] | string {
    if (!this.#wav) return [this.#pcm.push(bytes)];
    const parts = Array.from(this.#wav.push(bytes, this.#isEnded), ({ samples }) => samples);
    return this.#wav.rest ? `a WAV file without usual samples at ${this.sampleRate} Hz` : parts;
  }

  #counted<Part extends ArrayBufferView>(part: Part): Part {
    this.#events.onBytes(part.byteLength);
    return part;
  }

  #end(cause: StreamFailure | null): void {
    if (this.#isClosed) return;
    this.close();
    this.#events.onEnd(cause);
  }
}
