import type { CodecConfig, Track } from '../formats/audio-parser.js';
import { toInt16 } from '../formats/to-int16.js';
import { UnsupportedFormat } from '../formats/unsupported-format.js';

/** Maximum length of the decoder's queue at which another packet is added. */
const QUEUED_PACKETS = 16;
/** Step between packet timestamps, in microseconds. Decoders expect them to increase; their values have no effect. */
const PACKET_TIME = 20_000;

/** Receives what a decoder makes. */
export interface DecodingListener {
  /** Samples of one channel, at `sampleRate` Hz. */
  samples(samples: Int16Array<ArrayBuffer>, sampleRate: number): void;
  /** An error of the decoder or of `samples`; `UnsupportedFormat` if the browser cannot decode the audio. */
  failed(error: unknown): void;
  /** Samples were made, or there is room for packets. */
  changed(): void;
}

/** Decodes the packets of one file after the other, with WebCodecs. Main thread; the browser decodes on another one. */
export class PacketDecoder {
  /** The file whose packets the decoder has. */
  track: Track | undefined;
  readonly #listener: DecodingListener;
  #decoder: AudioDecoder | undefined;
  /** Number of samples per channel that were returned for `track`. */
  #decoded = 0;
  /** Number of packets that decoders have received. */
  #given = 0;

  constructor(listener: DecodingListener) {
    this.#listener = listener;
  }

  /** True if the decoder has enough packets for now. */
  get isBusy(): boolean {
    return this.#decoder!.decodeQueueSize > QUEUED_PACKETS;
  }

  /** Prepares for a file. `finish` comes before. */
  open(track: Track): void {
    this.#decoder ??= this.#make();
    this.#decoder.configure(track.config);
    this.track = track;
    this.#decoded = 0;
  }

  /** Decodes a packet of the file. */
  decode(data: Uint8Array<ArrayBuffer>): void {
    this.#decoder!.decode(new EncodedAudioChunk({ type: 'key', timestamp: this.#given++ * PACKET_TIME, data }));
  }

  /** Waits for the rest of the file that is being decoded. */
  async finish(): Promise<void> {
    if (!this.track) return;
    // Rejects if the decoder is closed in the meantime, by an error or by `close`.
    await this.#decoder?.flush().catch(() => {});
    this.track = undefined;
  }

  /** Idempotent. */
  close(): void {
    if (this.#decoder?.state !== 'closed') this.#decoder?.close();
  }

  #make(): AudioDecoder {
    const decoder = new AudioDecoder({
      output: (data) => {
        try {
          this.#take(data, this.track!);
        } catch (error) {
          this.#listener.failed(error);
        } finally {
          data.close();
        }
      },
      error: (error) => {
        const isRefusal = error.name === 'NotSupportedError' && this.track;
        this.#listener.failed(isRefusal ? noDecoderFor(this.track!.config) : error);
      },
    });
    decoder.addEventListener('dequeue', () => this.#listener.changed());
    return decoder;
  }

  #take(data: AudioData, { gain, skip, samples }: Track): void {
    const { numberOfFrames, sampleRate } = data;
    const from = Math.min(numberOfFrames, Math.max(0, skip - this.#decoded));
    const to = Math.min(numberOfFrames, skip + samples - this.#decoded);
    this.#decoded += numberOfFrames;
    if (to > from) this.#listener.samples(monoOf(data, gain).subarray(from, to), sampleRate);
    this.#listener.changed();
  }
}

/** Throws `UnsupportedFormat` if this browser has no decoder for a codec. */
export async function requireDecoder(config: CodecConfig): Promise<void> {
  if ('AudioDecoder' in globalThis && (await AudioDecoder.isConfigSupported(config)).supported) return;
  throw noDecoderFor(config);
}

function noDecoderFor({ codec }: CodecConfig): UnsupportedFormat {
  const name = { 'mp4a.40.2': 'AAC', opus: 'Opus', mp3: 'MP3', mp2: 'MP2' }[codec];
  return new UnsupportedFormat(`${name}, for which this browser has no decoder (AudioDecoder of WebCodecs)`);
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
