import type { UnknownAudio } from '../connection/audio-input.js';
import type { AudioParser, Part } from '../formats/audio-parser.js';
import { AudioReader } from '../formats/audio-reader.js';

/** Code for unusual streams, which is loaded when one needs it. */
type Others = typeof import('./other-audio.js');

/** The parts of an audio stream, whatever its format. Main thread. */
export class StreamParts {
  /** Packets and samples that were read and not taken yet. */
  readonly read: Part[] = [];
  /** True once nothing more is read from the source. */
  hasEnded = false;
  /** Undefined until it is needed. */
  others: Others | undefined;
  readonly #audio: Omit<UnknownAudio, 'bytes'>;
  readonly #source: ReadableStreamDefaultReader<Uint8Array>;
  #parser: AudioParser = new AudioReader();
  #isReading = false;
  /** True once there was audio or a tag. */
  #hasBegun = false;

  constructor(audio: Omit<UnknownAudio, 'bytes'>, source: ReadableStreamDefaultReader<Uint8Array>) {
    this.#audio = audio;
    this.#source = source;
  }

  /**
   * Reads on, unless it does so already.
   *
   * @param onRead - Called once something was read, with the error of the source or of its format if there is one. The
   *   parts before the error are in `read`.
   */
  async readOn(onRead: (failure?: { error: unknown }) => void): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    let failure: { error: unknown } | undefined;
    try {
      const { done, value } = await this.#source.read();
      await this.#parse(value ?? new Uint8Array(0), done);
      this.hasEnded = done;
    } catch (error) {
      this.hasEnded = true;
      failure = { error };
    }
    this.#isReading = false;
    onRead(failure);
  }

  async #parse(bytes: Uint8Array, isEnd: boolean): Promise<void> {
    // Parts before a refused one are kept.
    for (const part of this.#parser.push(bytes, isEnd)) {
      this.#hasBegun = true;
      this.read.push(part);
    }
    const { rest } = this.#parser;
    if (!rest) return;
    if (this.#parser instanceof AudioReader) {
      this.#hasBegun ||= this.#parser.hasTag;
      const { OtherAudio } = await this.loadOthers();
      this.#parser = new OtherAudio(this.#audio.contentType, this.#audio.sampleRate, !this.#hasBegun);
    } else {
      this.#parser = new AudioReader();
    }
    await this.#parse(rest, isEnd);
  }

  async loadOthers(): Promise<Others> {
    return (this.others ??= await import('./other-audio.js'));
  }

  /** Cancels the source. Idempotent. */
  cancel(): void {
    this.#source.cancel().catch(() => {});
  }
}
