import type { UnknownAudio } from '../connection/audio-input.js';
import type { Track } from '../formats/audio-parser.js';
import { PacketDecoder, requireDecoder } from './packet-decoder.js';
import { StreamParts } from './stream-parts.js';
import { WavOutput } from './wav-output.js';

/**
 * Decodes an audio stream as it arrives, and only as fast as the result is read. WebCodecs decodes compressed audio.
 *
 * Main thread; the browser decodes on another one.
 *
 * @returns A WAV file of unknown length with mono samples of 16 bits, at the sample rate of the beginning. Samples that the
 *   encoder has added are removed if the file gives their number. An error of `bytes` or of the decoder follows the audio
 *   before it. The error is `UnsupportedFormat` if there is audio that cannot be decoded, or something else.
 */
export function decodeAudio(
  audio: Omit<UnknownAudio, 'bytes'>,
  bytes: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream(new Decoding(audio, bytes.getReader()), { highWaterMark: 0 });
}

class Decoding implements UnderlyingDefaultSource<Uint8Array> {
  readonly #parts: StreamParts;
  readonly #decoder: PacketDecoder;
  readonly #output: WavOutput;
  /** True once nothing more is added to the output. */
  #isOver = false;
  #failure: { error: unknown } | undefined;
  /** Ends the wait of `pull`. */
  #wake = (): void => {};

  constructor(audio: Omit<UnknownAudio, 'bytes'>, reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#parts = new StreamParts(audio, reader);
    this.#output = new WavOutput(audio.outputRate);
    this.#decoder = new PacketDecoder({
      samples: (samples, sampleRate) => this.#make(samples, sampleRate),
      failed: (error) => this.#fail(error),
      changed: () => this.#wake(),
    });
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const next = this.#output.made.shift();
      if (next) return controller.enqueue(next);
      if (this.#isOver) break;
      try {
        await this.#advance();
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#end();
    if (this.#failure) throw this.#failure.error;
    controller.close();
  }

  cancel(): void {
    this.#end();
  }

  /** Takes the next part, or waits for a change. */
  async #advance(): Promise<void> {
    const next = this.#parts.read[0];
    if (next) {
      if ('samples' in next) {
        await this.#decoder.finish();
        this.#make(next.samples, next.sampleRate);
      } else if (next.track !== this.#decoder.track) {
        await this.#decoder.finish();
        await this.#open(next.track);
        return;
      } else if (this.#decoder.isBusy) {
        return this.#change();
      } else {
        this.#decoder.decode(next.data);
      }
      this.#parts.read.shift();
    } else if (!this.#parts.hasEnded) {
      void this.#parts.readOn((failure) => {
        this.#failure ??= failure;
        this.#wake();
      });
      await this.#change();
    } else {
      await this.#decoder.finish();
      this.#output.end();
      this.#isOver = true;
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** Prepares the decoder for a file. */
  async #open(track: Track): Promise<void> {
    const { config } = track;
    await requireDecoder(config);
    const { rate } = this.#output;
    if (rate > 0 && rate !== config.sampleRate) await this.#parts.loadOthers();
    if (!this.#isOver) this.#decoder.open(track);
  }

  #make(samples: Int16Array<ArrayBuffer>, sampleRate: number): void {
    this.#output.add(samples, sampleRate, this.#parts.others?.RateConverter);
  }

  /** Ends with an error, which follows what was made. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end();
  }

  /** Cancels the source and closes the decoder. Idempotent. */
  #end(): void {
    this.#isOver = true;
    this.#parts.cancel();
    this.#decoder.close();
    this.#wake();
  }
}
