import { SpeechError } from './speech-error.js';

/** Maximum length of a WAV header, up to the start of its samples, in bytes. */
const HEADER_BYTES_MAX = 64 * 1024;

/** Sizes from here on, and 0, are placeholders of programs that do not know the size yet. */
const UNKNOWN_SIZE = 0x7fff_0000;

const PCM = 1;
const EXTENSIBLE = 0xfffe;

/** Start of other audio formats and of error pages. */
const COMPRESSED = /^(?:ID3|OggS|fLaC|<!DO|<htm|<HTM|\{"er|\{"de)/;

/** Format in a WAV header. */
interface WaveFormat {
  readonly sampleRate: number;
  readonly channels: number;
}

/**
 * Reads samples from bytes that arrive in chunks of any size: a WAV file, even with a wrong length in its header, or
 * raw 16-bit little-endian samples. The first bytes decide between the two, because the content types of servers are
 * unreliable.
 *
 * Stereo is mixed down. Main thread.
 */
export class PcmReader {
  #sampleRate: number;
  #channels = 1;
  /** Bytes that cannot be read yet: an incomplete header or sample. */
  #held: Uint8Array = new Uint8Array();
  #state: 'start' | 'header' | 'samples' | 'done' = 'start';
  /** Remaining bytes of samples; `Infinity` if unknown. */
  #left = Infinity;

  /** @param rawRate - Rate of raw samples, in Hz. */
  constructor(rawRate: number) {
    this.#sampleRate = rawRate;
  }

  /** Rate of the samples, in Hz; final once samples have been returned. */
  get sampleRate(): number {
    return this.#sampleRate;
  }

  /**
   * Reads the next bytes.
   *
   * @returns Complete samples of one channel; may be empty.
   * @throws {SpeechError} If the bytes are not audio, or of another format.
   */
  read(bytes: Uint8Array): Int16Array {
    if (this.#state === 'done') return new Int16Array();
    this.#held = this.#held.length ? Buffer.concat([this.#held, bytes]) : bytes;
    if (this.#state === 'start') this.#sniff();
    if (this.#state === 'header') this.#readHeader();
    return this.#state === 'samples' ? this.#readSamples() : new Int16Array();
  }

  /**
   * Ends the stream. Call it once all bytes have been read.
   *
   * @returns The samples of a stream that is too short to detect its format.
   * @throws {SpeechError} If the audio is incomplete.
   */
  end(): Int16Array {
    if (this.#state === 'header' || (Number.isFinite(this.#left) && this.#left > 0)) throw endedEarly();
    if (this.#state !== 'start') return new Int16Array();
    this.#state = 'samples';
    return this.#readSamples();
  }

  #sniff(): void {
    if (this.#held.length < 4) return;
    const start = Buffer.from(this.#held.subarray(0, 4)).toString('latin1');
    if (COMPRESSED.test(start)) {
      throw new SpeechError('engine-failed', 'The speech engine sent compressed audio. Set it to PCM or WAV.');
    }
    this.#state = start === 'RIFF' ? 'header' : 'samples';
  }

  #readHeader(): void {
    const bytes = Buffer.from(this.#held.buffer, this.#held.byteOffset, this.#held.length);
    let format: WaveFormat | null = null;
    for (let at = 12; at + 8 <= bytes.length;) {
      const name = bytes.toString('latin1', at, at + 4);
      const size = bytes.readUInt32LE(at + 4);
      const body = at + 8;
      if (name === 'data') {
        if (!format) throw unreadable('has no format');
        this.#sampleRate = format.sampleRate;
        this.#channels = format.channels;
        this.#left = size === 0 || size >= UNKNOWN_SIZE ? Infinity : size;
        this.#held = this.#held.subarray(body);
        this.#state = 'samples';
        return;
      }
      if (name === 'fmt ' && body + size <= bytes.length) format = readFormat(bytes.subarray(body, body + size));
      at = body + size + (size % 2);
    }
    if (bytes.length > HEADER_BYTES_MAX) throw unreadable('has no samples');
  }

  #readSamples(): Int16Array {
    const step = 2 * this.#channels;
    const available = Math.min(this.#held.length, this.#left);
    const samples = new Int16Array(Math.floor(available / step));
    const view = new DataView(this.#held.buffer, this.#held.byteOffset, this.#held.length);
    for (let index = 0; index < samples.length; index++) {
      const left = view.getInt16(index * step, true);
      samples[index] = this.#channels === 1 ? left : Math.round((left + view.getInt16(index * step + 2, true)) / 2);
    }
    const used = samples.length * step;
    this.#left -= used;
    this.#held = this.#held.slice(used);
    if (this.#left < step) {
      this.#state = 'done'; // later chunks, such as the title, are not audio
      this.#left = 0;
      this.#held = new Uint8Array();
    }
    return samples;
  }
}

function readFormat(chunk: Buffer): WaveFormat {
  if (chunk.length < 16) throw unreadable('has no format');
  const [code, channels, bits] = [chunk.readUInt16LE(0), chunk.readUInt16LE(2), chunk.readUInt16LE(14)];
  const kind = code === EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : code;
  if (kind !== PCM || bits !== 16) throw unreadable('is not 16 bit PCM');
  if (channels !== 1 && channels !== 2) throw unreadable(`has ${channels} channels`);
  const sampleRate = chunk.readUInt32LE(4);
  if (sampleRate < 4000 || sampleRate > 384_000) throw unreadable(`has a rate of ${sampleRate} Hz`);
  return { sampleRate, channels };
}

function unreadable(what: string): SpeechError {
  return new SpeechError(
    'engine-failed',
    `The speech engine sent audio that ${what}. Set it to PCM or WAV with 16 bits and one or two channels.`,
  );
}

function endedEarly(): SpeechError {
  return new SpeechError('engine-failed', 'The speech engine ended its audio too early. See its log.');
}
