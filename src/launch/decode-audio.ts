import { wavHeader } from '../base/wav-header.js';
import type { UnknownAudio } from '../connection/audio-input.js';
import type { AudioParser, CodecConfig, Part, Track } from '../formats/audio-parser.js';
import { AudioReader } from '../formats/audio-reader.js';
import { toInt16 } from '../formats/to-int16.js';
import { UnsupportedFormat } from '../formats/unsupported-format.js';

/** Maximum length of the decoder's queue at which another packet is added. */
const QUEUED_PACKETS = 16;
/** Step between packet timestamps, in microseconds. Decoders expect them to increase; their values have no effect. */
const PACKET_TIME = 20_000;

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

/** Code for unusual streams, which is loaded when one needs it. */
type Others = typeof import('./other-audio.js');

class Decoding implements UnderlyingDefaultSource<Uint8Array> {
  readonly #audio: Omit<UnknownAudio, 'bytes'>;
  #parser: AudioParser = new AudioReader();
  #others: Others | undefined;
  /** True once there was audio. */
  #hasParts = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #isReading = false;
  /** True once nothing more is read from the source. */
  #hasEnded = false;
  /** Packets that the decoder does not have yet, and samples that follow them. */
  readonly #parts: Part[] = [];
  /** Number of packets that decoders have received. */
  #given = 0;
  #decoder: AudioDecoder | undefined;
  /** The file whose packets the decoder has, and the number of samples per channel that it has returned for it. */
  #track: Track | undefined;
  #decoded = 0;
  /** Sample rate of the result; 0 until it is known. */
  #rate: number;
  #hasHeader = false;
  #converter: InstanceType<Others['RateConverter']> | undefined;
  /** Parts of the WAV file that have not been read yet. */
  readonly #made: Uint8Array[] = [];
  /** True once nothing more is added to `#made`. */
  #isOver = false;
  #failure: { error: unknown } | undefined;
  /** Ends the wait of `pull`. */
  #wake = (): void => {};

  constructor(audio: Omit<UnknownAudio, 'bytes'>, reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#audio = audio;
    this.#reader = reader;
    this.#rate = audio.outputRate;
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const next = this.#made.shift();
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
    const next = this.#parts[0];
    if (next) {
      if ('samples' in next) {
        await this.#finish();
        this.#make(next.samples, next.sampleRate);
      } else if (next.track !== this.#track) {
        await this.#finish();
        await this.#open(next.track);
        return;
      } else if (this.#decoder!.decodeQueueSize > QUEUED_PACKETS) {
        return this.#change();
      } else {
        const { data } = next;
        this.#decoder!.decode(new EncodedAudioChunk({ type: 'key', timestamp: this.#given++ * PACKET_TIME, data }));
      }
      this.#parts.shift();
    } else if (!this.#hasEnded) {
      if (!this.#isReading) void this.#read();
      await this.#change();
    } else {
      await this.#finish();
      this.#convert(0);
      this.#isOver = true;
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      const { done, value } = await this.#reader.read();
      await this.#parse(value ?? new Uint8Array(0), done);
      this.#hasEnded = done;
    } catch (error) {
      this.#hasEnded = true;
      this.#failure ??= { error };
    }
    this.#isReading = false;
    this.#wake();
  }

  async #parse(bytes: Uint8Array, isEnd: boolean): Promise<void> {
    // Parts before a refused one are kept.
    for (const part of this.#parser.push(bytes, isEnd)) {
      this.#hasParts = true;
      this.#parts.push(part);
    }
    const { rest } = this.#parser;
    if (!rest) return;
    if (this.#parser instanceof AudioReader) {
      const { OtherAudio } = await this.#loadOthers();
      // The Content-Type describes the beginning.
      const { contentType, sampleRate } = this.#hasParts ? { contentType: '' } : this.#audio;
      this.#parser = new OtherAudio(contentType, sampleRate);
    } else {
      this.#parser = new AudioReader();
    }
    await this.#parse(rest, isEnd);
  }

  async #loadOthers(): Promise<Others> {
    return (this.#others ??= await import('./other-audio.js'));
  }

  /** Waits for the rest of a file that is being decoded. */
  async #finish(): Promise<void> {
    if (!this.#track) return;
    // Rejects if the decoder is closed in the meantime, by an error or by `cancel`.
    await this.#decoder?.flush().catch(() => {});
    this.#track = undefined;
  }

  /** Prepares the decoder for a file. */
  async #open(track: Track): Promise<void> {
    const { config } = track;
    if (!('AudioDecoder' in globalThis) || !(await AudioDecoder.isConfigSupported(config)).supported) {
      throw new UnsupportedFormat(refusalOf(config));
    }
    if (this.#rate > 0 && this.#rate !== config.sampleRate) await this.#loadOthers();
    if (this.#isOver) return;
    this.#decoder ??= this.#makeDecoder();
    this.#decoder.configure(config);
    this.#track = track;
    this.#decoded = 0;
  }

  #makeDecoder(): AudioDecoder {
    const decoder = new AudioDecoder({
      output: (data) => {
        try {
          this.#take(data, this.#track!);
        } catch (error) {
          this.#fail(error);
        } finally {
          data.close();
        }
      },
      error: (error) => {
        const isRefusal = error.name === 'NotSupportedError' && this.#track;
        this.#fail(isRefusal ? new UnsupportedFormat(refusalOf(this.#track!.config)) : error);
      },
    });
    decoder.addEventListener('dequeue', () => this.#wake());
    return decoder;
  }

  #take(data: AudioData, { gain, skip, samples }: Track): void {
    const { numberOfFrames, sampleRate } = data;
    const from = Math.min(numberOfFrames, Math.max(0, skip - this.#decoded));
    const to = Math.min(numberOfFrames, skip + samples - this.#decoded);
    this.#decoded += numberOfFrames;
    if (to > from) this.#make(monoOf(data, gain).subarray(from, to), sampleRate);
    this.#wake();
  }

  /** Adds samples to the WAV file. */
  #make(samples: Int16Array<ArrayBuffer>, sampleRate: number): void {
    if (!this.#hasHeader) {
      this.#rate ||= sampleRate;
      this.#hasHeader = true;
      this.#made.push(wavHeader(this.#rate, 1, 16, null));
    }
    this.#convert(sampleRate);
    this.#add(this.#converter?.push(samples) ?? samples);
  }

  /** Prepares the conversion from another sample rate; 0 at the end. */
  #convert(sampleRate: number): void {
    if (this.#converter && this.#converter.fromRate !== sampleRate) {
      this.#add(this.#converter.end());
      this.#converter = undefined;
    }
    if (sampleRate === 0 || sampleRate === this.#rate) return;
    if (!this.#others) throw new UnsupportedFormat('a stream whose sample rate changes within a file');
    this.#converter ??= new this.#others.RateConverter(sampleRate, this.#rate);
  }

  #add(samples: Int16Array<ArrayBuffer>): void {
    if (samples.length > 0) this.#made.push(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
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

function refusalOf({ codec }: CodecConfig): string {
  return `${codec}, for which this browser has no decoder (AudioDecoder of WebCodecs)`;
}

/** Returns the mean of all channels, multiplied by `gain`. */
function monoOf(data: AudioData, gain: number): Int16Array<ArrayBuffer> {
  const { numberOfChannels } = data;
  const samples = samplesOf(data);
  if (numberOfChannels === 1 && gain === 1) return samples;
  return Int16Array.from({ length: data.numberOfFrames }, (_, i) => {
    let sum = 0;
    for (let channel = 0; channel < numberOfChannels; channel++) sum += samples[i * numberOfChannels + channel]!;
    return toInt16((sum * gain) / numberOfChannels);
  });
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
