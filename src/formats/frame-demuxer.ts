import { ByteQueue } from './byte-queue.js';
import type { CodecConfig, Demuxer } from './demuxer.js';
import { UnsupportedFormat } from './unsupported-format.js';

/** Number of bytes that `readHeader` needs. No frame is shorter. */
const HEADER_BYTES = 7;
const ID3_BYTES = 10;
/** A stream that has no frame within this many bytes has another format. */
const LOST_BYTES = 65_536;

/** Header of a frame. */
export interface FrameHeader {
  /** Length of the whole frame, in bytes. */
  readonly length: number;
  /** In Hz. */
  readonly sampleRate: number;
  readonly numberOfChannels: number;
}

/**
 * Demuxer for streams of frames whose headers begin with a sync word. It skips ID3 tags and any other data between
 * frames.
 */
export abstract class FrameDemuxer implements Demuxer {
  config: CodecConfig | null = null;
  skip = 0;
  samples = Infinity;
  readonly gain = 1;
  readonly #codec: CodecConfig['codec'];
  readonly #queue = new ByteQueue();
  /** Remaining bytes of an ID3 tag. */
  #tagBytes = 0;
  /** In sync: the bytes after the latest frame were the header of the next one. */
  #isLocked = false;
  /** Bytes skipped since the latest frame. */
  #lost = 0;
  #frames = 0;
  /** Number of frames that `samples` covers. */
  protected counted = Infinity;

  protected constructor(codec: CodecConfig['codec']) {
    this.#codec = codec;
  }

  /** Returns null if the bytes are not a header. @param bytes - At least `HEADER_BYTES`. */
  protected abstract readHeader(bytes: Uint8Array): FrameHeader | null;

  /** Reads the first frame. Returns true if it contains audio. */
  protected readFirst(_frame: Uint8Array): boolean {
    return true;
  }

  *push(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>, void> {
    this.#queue.push(bytes);
    for (;;) {
      this.#tagBytes -= this.#queue.skip(this.#tagBytes);
      const head = this.#queue.peek(HEADER_BYTES);
      if (this.#tagBytes > 0 || head.length < HEADER_BYTES) return;
      if (isId3(head)) {
        const tag = this.#queue.peek(ID3_BYTES);
        if (tag.length < ID3_BYTES) return;
        // Four bytes of seven bits.
        this.#tagBytes = ID3_BYTES + tag.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
        continue;
      }
      const header = this.readHeader(head);
      if (!header || (this.config && header.sampleRate !== this.config.sampleRate)) {
        this.#lose();
        continue;
      }
      if (!this.#isLocked) {
        if (this.#queue.length < header.length + HEADER_BYTES) return;
        if (!this.readHeader(this.#queue.peek(header.length + HEADER_BYTES).subarray(header.length))) {
          this.#lose();
          continue;
        }
        this.#isLocked = true;
      }
      if (this.#queue.length < header.length) return;
      this.#lost = 0;
      const frame = this.#queue.take(header.length);
      if (!this.config && !this.#begin(header, frame)) continue;
      // More frames than announced: another file follows.
      if (++this.#frames > this.counted) this.samples = Infinity;
      yield frame;
    }
  }

  #begin({ sampleRate, numberOfChannels }: FrameHeader, frame: Uint8Array): boolean {
    this.config = { codec: this.#codec, sampleRate, numberOfChannels };
    return this.readFirst(frame);
  }

  #lose(): void {
    this.#queue.skip(1);
    this.#isLocked = false;
    if (++this.#lost > LOST_BYTES && !this.config) {
      throw new UnsupportedFormat(`audio without frames of ${this.#codec}, whatever its Content-Type says`);
    }
  }
}

function isId3(bytes: Uint8Array): boolean {
  return bytes[0] === 0x49 && bytes[1] === 0x44 && bytes[2] === 0x33;
}
