import { wavHeader } from '../base/wav-header.js';
import { type CodecConfig, type Container, type Demuxer, demuxerFor, UnsupportedFormat } from '../formats/index.js';

/** Maximum length of the decoder's queue at which another packet is added. */
const QUEUED_PACKETS = 16;
/** Step between packet timestamps, in microseconds. Decoders expect them to increase; their values have no effect. */
const PACKET_TIME = 20_000;

/**
 * Decodes a stream of compressed audio with WebCodecs as it arrives, and only as fast as the result is read.
 *
 * Main thread; the browser decodes on another one.
 *
 * @returns A WAV file of unknown length with 16 bits. Samples that the encoder has added are removed if the file gives
 *   their number. An error of `encoded` or of the decoder follows the audio that was decoded before it. The error is
 *   `UnsupportedFormat` if the content has another format, or the browser has no decoder for it.
 */
export function decodeAudio(container: Container, encoded: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoding = new Decoding(demuxerFor(container), encoded.getReader());
  return new ReadableStream(decoding, { highWaterMark: 0 });
}

class Decoding implements UnderlyingDefaultSource<Uint8Array> {
  readonly #demuxer: Demuxer;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #bytes = 0;
  #isReading = false;
  /** True once nothing more is read from the source. */
  #hasEnded = false;
  /** Packets that the decoder does not have yet, and the number of packets that it has received. */
  readonly #packets: Uint8Array<ArrayBuffer>[] = [];
  #given = 0;
  #decoder: AudioDecoder | undefined;
  /** Sample rate and channels of the decoder's output. */
  #sampleRate = 0;
  #channels = 0;
  /** Number of samples per channel that the decoder has returned. */
  #decoded = 0;
  /** Parts of the WAV file that have not been read yet. */
  readonly #made: Uint8Array[] = [];
  /** True once nothing more is added to `#made`. */
  #isOver = false;
  #failure: { error: unknown } | undefined;
  /** Ends the wait of `pull`. */
  #wake = (): void => {};

  constructor(demuxer: Demuxer, reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#demuxer = demuxer;
    this.#reader = reader;
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const next = this.#made.shift();
      if (next) return controller.enqueue(next);
      if (this.#isOver) break;
      await this.#advance();
    }
    this.#end();
    if (this.#failure) throw this.#failure.error;
    controller.close();
  }

  cancel(): void {
    this.#end();
  }

  /** Passes a packet to the decoder, or waits for a change. */
  async #advance(): Promise<void> {
    const decoder = this.#decoder;
    if (decoder && this.#packets.length > 0 && decoder.decodeQueueSize <= QUEUED_PACKETS) {
      const data = this.#packets.shift()!;
      decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: this.#given++ * PACKET_TIME, data }));
    } else if (this.#packets.length > 0 || !this.#hasEnded) {
      if (this.#packets.length === 0 && !this.#isReading) void this.#read();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    } else {
      // Rejects if the decoder is closed in the meantime, by an error or by `cancel`.
      await decoder?.flush().catch(() => {});
      this.#isOver = true;
    }
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      const { done, value } = await this.#reader.read();
      if (done) {
        this.#hasEnded = true;
        if (this.#bytes > 0 && !this.#demuxer.config) {
          throw new UnsupportedFormat('something else than its Content-Type says');
        }
      } else {
        this.#bytes += value.length;
        // Packets before a refused one are kept.
        for (const packet of this.#demuxer.push(value)) this.#packets.push(packet);
      }
    } catch (error) {
      this.#hasEnded = true;
      this.#failure ??= { error };
    }
    try {
      if (this.#demuxer.config) this.#decoder ??= await this.#open(this.#demuxer.config);
    } catch (error) {
      this.#fail(error);
    }
    this.#isReading = false;
    this.#wake();
  }

  /** @throws {UnsupportedFormat} */
  async #open(config: CodecConfig): Promise<AudioDecoder | undefined> {
    const refusal = `${config.codec}, for which this browser has no decoder (AudioDecoder of WebCodecs)`;
    if (!('AudioDecoder' in globalThis) || !(await AudioDecoder.isConfigSupported(config)).supported) {
      throw new UnsupportedFormat(refusal);
    }
    if (this.#isOver) return undefined;
    const decoder = new AudioDecoder({
      output: (data) => {
        try {
          this.#take(data);
        } catch (error) {
          this.#fail(error);
        } finally {
          data.close();
        }
      },
      error: (error) => this.#fail(error.name === 'NotSupportedError' ? new UnsupportedFormat(refusal) : error),
    });
    decoder.addEventListener('dequeue', () => this.#wake());
    decoder.configure(config);
    return decoder;
  }

  #take(data: AudioData): void {
    const { numberOfFrames, numberOfChannels, sampleRate } = data;
    if (this.#decoded === 0) {
      this.#sampleRate = sampleRate;
      this.#channels = numberOfChannels;
      this.#made.push(wavHeader(sampleRate, numberOfChannels, 16, null));
    } else if (sampleRate !== this.#sampleRate || numberOfChannels !== this.#channels) {
      throw new UnsupportedFormat('a stream whose rate or channels change');
    }
    const { gain, skip, samples } = this.#demuxer;
    const from = Math.min(numberOfFrames, Math.max(0, skip - this.#decoded));
    const to = Math.min(numberOfFrames, skip + samples - this.#decoded);
    this.#decoded += numberOfFrames;
    if (to > from) {
      const kept = samplesOf(data).slice(from * numberOfChannels, to * numberOfChannels);
      if (gain !== 1) for (let i = 0; i < kept.length; i++) kept[i] = toInt16(kept[i]! * gain);
      this.#made.push(new Uint8Array(kept.buffer));
    }
    this.#wake();
  }

  /** Ends with an error, which follows what is in `#made`. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end();
  }

  /** Cancels the source and closes the decoder. Idempotent. */
  #end(): void {
    this.#isOver = true;
    this.#reader.cancel().catch(() => {});
    if (this.#decoder?.state !== 'closed') this.#decoder?.close();
    this.#wake();
  }
}

/** Returns the samples of all channels, interleaved. */
function samplesOf(data: AudioData): Int16Array<ArrayBuffer> {
  const { numberOfFrames, numberOfChannels } = data;
  const samples = new Int16Array(numberOfFrames * numberOfChannels);
  try {
    // Quirk `webkitgtk-copy-crash`: with floats or an offset, WebKitGTK 2.50 crashes the page, so the quirk has no
    // test.
    data.copyTo(samples, { format: 's16', planeIndex: 0 });
  } catch {
    // Quirk `chromium-copy-format`: Chromium before 126 converts to this format only. No test has an engine this old.
    const plane = new Float32Array(numberOfFrames);
    for (let channel = 0; channel < numberOfChannels; channel++) {
      data.copyTo(plane, { format: 'f32-planar', planeIndex: channel });
      for (let i = 0; i < numberOfFrames; i++) {
        samples[i * numberOfChannels + channel] = toInt16(plane[i]! * 32768);
      }
    }
  }
  return samples;
}

/** Rounds and clamps a sample. */
function toInt16(sample: number): number {
  return Math.max(-32768, Math.min(32767, Math.round(sample)));
}
