import { wavHeader } from '../base/wav-header.js';
import { type CodecConfig, type Container, type Demuxer, demuxerFor, UnsupportedFormat } from '../formats/index.js';

/** Packets that the decoder may have in hand. Beyond, it is not given more until it has taken some. */
const QUEUED_PACKETS = 16;
/** Of a packet, in microseconds. Decoders want times that grow; nothing depends on them. */
const PACKET_TIME = 20_000;

/**
 * Decodes a stream of compressed audio with WebCodecs, as it arrives, and only as fast as the result is read.
 *
 * Main thread; the browser decodes on another one.
 *
 * @returns A WAV file of unknown length: 16 bits, without what the encoder says that it added. After an error of
 *   `encoded`, what came before it is decoded first. Errors with `UnsupportedFormat` if the content is something else, or the
 *   browser has no decoder for it.
 */
export function decodeAudio(container: Container, encoded: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoding = new Decoding(demuxerFor(container), encoded.getReader());
  return new ReadableStream(decoding, { highWaterMark: 0 });
}

class Decoding implements UnderlyingDefaultSource<Uint8Array> {
  readonly #demuxer: Demuxer;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #decoder: AudioDecoder | undefined;
  #packets = 0;
  /** Samples of each channel that the decoder has made. */
  #decoded = 0;
  #hasEnded = false;
  #wake = (): void => {};

  constructor(demuxer: Demuxer, reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#demuxer = demuxer;
    this.#reader = reader;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
  }

  /** Feeds the decoder until it has made samples, or the stream is over. */
  async pull(): Promise<void> {
    const before = this.#decoded;
    try {
      while (this.#decoded === before && !this.#hasEnded) await this.#feed();
    } catch (error) {
      this.#fail(error);
    }
  }

  cancel(): void {
    this.#end();
  }

  async #feed(): Promise<void> {
    let chunk: ReadableStreamReadResult<Uint8Array>;
    try {
      chunk = await this.#reader.read();
    } catch (error) {
      await this.#decoder?.flush();
      throw error;
    }
    if (this.#hasEnded) return;
    if (chunk.done) {
      await this.#decoder?.flush();
      if (this.#hasEnded) return;
      this.#controller.close();
      this.#end();
      return;
    }
    const packets = this.#demuxer.push(chunk.value);
    if (this.#demuxer.config) this.#decoder ??= await this.#open(this.#demuxer.config);
    for (const data of packets) {
      if (this.#hasEnded) return;
      this.#decoder!.decode(new EncodedAudioChunk({ type: 'key', timestamp: this.#packets++ * PACKET_TIME, data }));
      while (!this.#hasEnded && this.#decoder!.decodeQueueSize > QUEUED_PACKETS) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  /** @throws {UnsupportedFormat} */
  async #open(config: CodecConfig): Promise<AudioDecoder> {
    if (!('AudioDecoder' in globalThis) || !(await AudioDecoder.isConfigSupported(config)).supported) {
      throw new UnsupportedFormat(`${config.codec}, for which this browser has no decoder (AudioDecoder of WebCodecs)`);
    }
    const decoder = new AudioDecoder({ output: (data) => this.#take(data), error: (error) => this.#fail(error) });
    decoder.addEventListener('dequeue', () => this.#wake());
    decoder.configure(config);
    if (this.#hasEnded) decoder.close();
    return decoder;
  }

  #take(data: AudioData): void {
    const { numberOfFrames, numberOfChannels, sampleRate } = data;
    const { skip, samples } = this.#demuxer;
    const from = Math.min(numberOfFrames, Math.max(0, skip - this.#decoded));
    const to = Math.min(numberOfFrames, skip + samples - this.#decoded);
    if (this.#decoded === 0) this.#controller.enqueue(wavHeader(sampleRate, numberOfChannels, 16, null));
    this.#decoded += numberOfFrames;
    if (to > from) {
      const interleaved = new Int16Array(numberOfFrames * numberOfChannels);
      // Quirk `webkitgtk-copy-crash`: with floats, or with an offset, WebKitGTK 2.50 crashes the page. So it has no test.
      data.copyTo(interleaved, { format: 's16', planeIndex: 0 });
      const kept = interleaved.slice(from * numberOfChannels, to * numberOfChannels);
      this.#controller.enqueue(new Uint8Array(kept.buffer));
    }
    data.close();
  }

  #fail(error: unknown): void {
    if (this.#hasEnded) return;
    this.#controller.error(error);
    this.#end();
  }

  /** Cancels the source and closes the decoder. Idempotent. */
  #end(): void {
    this.#hasEnded = true;
    this.#reader.cancel().catch(() => {});
    if (this.#decoder?.state !== 'closed') this.#decoder?.close();
    this.#wake();
  }
}
