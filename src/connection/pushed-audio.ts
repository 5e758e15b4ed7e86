import type { PushedChunk, PushedInput, StreamFailure } from './audio-input.js';
import type { AudioStreamEvents } from './audio-stream.js';
import { bytesOf } from './base64.js';
import { integersOf } from './float-bytes.js';
import { PcmAssembler } from './pcm-assembler.js';

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
    if (chunk === null) {
      this.#isEnded = true;
    } else {
      const samples = this.#samplesOf(chunk);
      if (samples === null) return this.#end({ type: 'format', received: 'text that is not base64' });
      if (samples.length > 0) this.#waiting.push(samples);
    }
    this.advance();
  }

  /** Returns null for text that is not base64. */
  #samplesOf(chunk: Exclude<PushedChunk, null>): Int16Array | null {
    if (chunk instanceof Int16Array) return this.#counted(chunk);
    if (chunk instanceof Float32Array) return integersOf(this.#counted(chunk));
    const bytes = typeof chunk === 'string' ? bytesOf(chunk) : new Uint8Array(chunk);
    return bytes && this.#pcm.push(this.#counted(bytes));
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
