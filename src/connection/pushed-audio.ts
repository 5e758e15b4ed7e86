import type { PushedChunk, PushedInput, StreamFailure } from './audio-input.js';
import type { AudioStreamEvents } from './audio-stream.js';
import { isWave, textAt } from '../formats/signature.js';
import { bytesOf } from './base64.js';
import { fileNameOf } from './file-name.js';
import { integersOf } from './float-bytes.js';
import { PcmAssembler } from './pcm-assembler.js';

/** Bytes of a frame, and bits of a sample, as a WAV file's format has them. */
const MONO_16 = 2 + 16 * 2 ** 16;

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
    if (chunk === null) {
      this.#isEnded = true;
    } else {
      const samples = this.#samplesOf(chunk);
      if (typeof samples === 'string') return this.#end({ type: 'format', received: samples });
      if (samples.length > 0) this.#waiting.push(samples);
    }
    this.advance();
  }

  /** Returns the name of what cannot be played in place of samples. */
  #samplesOf(chunk: Exclude<PushedChunk, null>): Int16Array | string {
    if (chunk instanceof Int16Array) return this.#counted(chunk);
    if (chunk instanceof Float32Array) return integersOf(this.#counted(chunk));
    const bytes = typeof chunk === 'string' ? bytesOf(chunk) : new Uint8Array(chunk);
    if (!bytes) return 'text that is not base64';
    // Some services send each piece as a file of its own.
    const samples = isWave(bytes) ? waveSamples(bytes, this.sampleRate) : bytes;
    if (!samples) return `a WAV file that is not mono of 16 bits at ${this.sampleRate} Hz`;
    const file = !this.#hasBytes && samples === bytes && fileNameOf(bytes);
    this.#hasBytes = true;
    this.#counted(bytes);
    return file || this.#pcm.push(samples);
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

/** Returns the bytes of the samples of a WAV file, which may go on in later chunks; null if they have another format. */
function waveSamples(bytes: Uint8Array<ArrayBuffer>, sampleRate: number): Uint8Array<ArrayBuffer> | null {
  const view = new DataView(bytes.buffer);
  let isRight = false;
  for (let at = 12, length = 0; at + 8 <= bytes.length; at += 8 + length) {
    const name = textAt(bytes, at, 4);
    length = view.getUint32(at + 4, true);
    // A stream's header may have a length of 0, or the greatest one.
    if (name === 'data') return isRight ? bytes.subarray(at + 8, at + 8 + (length || Infinity)) : null;
    if (name === 'fmt ' && at + 24 <= bytes.length) {
      isRight = view.getUint32(at + 12, true) === sampleRate && view.getUint32(at + 20, true) === MONO_16;
    }
  }
  return null;
}
