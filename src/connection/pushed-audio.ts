import type { PushedChunk, PushedInput, StreamFailure } from './audio-input.js';
import type { AudioStreamEvents } from './audio-stream.js';

/**
 * Audio that the page receives by itself and pushes through a port, without a wait on the main thread. Like
 * `AudioStream`, it reports samples only as fast as there is room. Worker thread.
 */
export class PushedAudio {
  readonly sampleRate: number;
  readonly #port: MessagePort;
  readonly #events: AudioStreamEvents;
  #waiting: Int16Array[] = [];
  /** First byte of a sample whose second one has not arrived; -1 if there is none. */
  #half = -1;
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
    if (chunk instanceof Float32Array) return Int16Array.from(this.#counted(chunk), toInt16);
    const bytes = typeof chunk === 'string' ? bytesOf(chunk) : new Uint8Array(chunk);
    return bytes && this.#join(this.#counted(bytes));
  }

  #counted<Part extends ArrayBufferView>(part: Part): Part {
    this.#events.onBytes(part.byteLength);
    return part;
  }

  /** Makes samples of bytes, and keeps half a sample for the next ones. */
  #join(bytes: Uint8Array): Int16Array {
    const before = this.#half < 0 ? 0 : 1;
    const all = new Uint8Array((before + bytes.length) & ~1);
    if (before) all[0] = this.#half;
    all.set(bytes.subarray(0, all.length - before), before);
    this.#half = before + bytes.length > all.length ? bytes.at(-1)! : -1;
    const view = new DataView(all.buffer);
    return Int16Array.from({ length: all.length / 2 }, (_, index) => view.getInt16(2 * index, true));
  }

  #end(cause: StreamFailure | null): void {
    if (this.#isClosed) return;
    this.close();
    this.#events.onEnd(cause);
  }
}

/** NaN becomes 0. */
function toInt16(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
}

/** Decodes base64, also that of URLs, without padding, or in lines. Returns null for anything else. */
function bytesOf(base64: string): Uint8Array | null {
  try {
    const text = atob(
      base64
        .replace(/-/g, '+')
        .replace(/_/g, '/')
        .replace(/=+\s*$/, ''),
    );
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
