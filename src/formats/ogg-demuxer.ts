import { ByteQueue } from './byte-queue.js';
import type { CodecConfig, Demuxer } from './demuxer.js';
import { readOpusHead } from './opus-head.js';
import { UnsupportedFormat } from './unsupported-format.js';

/** Length of a page header, without and with the segment table. */
const HEADER_BYTES = { min: 27, max: 27 + 255 } as const;
/** Page flags: the first and the last page of a stream. */
const FIRST = 2;
const LAST = 4;
/** A segment of this length continues in the next segment. */
const FULL_SEGMENT = 255;
/** Limit for the bytes before the first page, and for the length of an Opus packet. */
const LIMIT_BYTES = 65_536;

/** The first Opus stream in Ogg (RFC 3533, RFC 7845). Several concatenated files count as one. */
export class OggDemuxer implements Demuxer {
  config: CodecConfig | null = null;
  skip = 0;
  samples = Infinity;
  gain = 1;
  readonly #queue = new ByteQueue();
  /** Bytes skipped since the latest page. */
  #lost = 0;
  /** Serial number of the stream that is played; null while it is unknown. */
  #serial: number | null = null;
  /** True once more than the first page of that stream has arrived. */
  #hasData = false;
  #files = 0;
  /** Lengths of the remaining segments of this page. */
  #segments: number[] = [];
  #isOurPage = false;
  #isLastPage = false;
  /** The beginning of an incomplete packet. */
  #packet = new ByteQueue();
  /** Number of packets of this file so far. The first is its header; the second has tags and sometimes a picture. */
  #packets = 0;

  *push(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>, void> {
    this.#queue.push(bytes);
    for (;;) {
      const length = this.#segments[0];
      if (length === undefined) {
        if (this.#isLastPage) this.#serial = null;
        if (!this.#readPage()) return;
      } else {
        if (this.#queue.length < length) return;
        this.#segments.shift();
        const packet = this.#isOurPage ? this.#addSegment(this.#queue.peek(length)) : null;
        this.#queue.skip(length);
        if (packet) yield packet;
      }
    }
  }

  /** Looks for the next page. Returns false if more bytes are needed. */
  #readPage(): boolean {
    const head = this.#queue.peek(HEADER_BYTES.max);
    if (head.length < HEADER_BYTES.min) return false;
    if (String.fromCharCode(...head.subarray(0, 4)) !== 'OggS') {
      this.#queue.skip(1);
      if (++this.#lost > LIMIT_BYTES && !this.config) {
        throw new UnsupportedFormat('audio that is not Ogg, whatever its Content-Type says');
      }
      return true;
    }
    const end = HEADER_BYTES.min + head[HEADER_BYTES.min - 1]!;
    if (head.length < end) return false;
    const view = new DataView(head.buffer, head.byteOffset, end);
    const serial = view.getUint32(14, true);
    const isFirst = (head[5]! & FIRST) > 0;
    // In a file, the first pages of all streams precede the data of any stream.
    if (isFirst && (this.#serial === null || this.#hasData)) this.#begin(serial);
    else if (!isFirst && !this.config) throw new UnsupportedFormat('Ogg without Opus of one or two channels');
    this.#isOurPage = serial === this.#serial;
    if (this.#isOurPage && !isFirst) this.#hasData = true;
    this.#isLastPage = this.#isOurPage && (head[5]! & LAST) > 0;
    if (this.#isLastPage && this.#files === 1) {
      this.samples = Math.max(0, Number(view.getBigUint64(6, true)) - this.skip);
    }
    this.#segments = [...head.subarray(HEADER_BYTES.min, end)];
    this.#queue.skip(end);
    this.#lost = 0;
    return true;
  }

  #begin(serial: number): void {
    this.#serial = serial;
    this.#hasData = false;
    this.#packets = 0;
    this.#packet = new ByteQueue();
  }

  /** Returns the packet that ends with this segment, or null if it is incomplete or not audio. */
  #addSegment(segment: Uint8Array): Uint8Array<ArrayBuffer> | null {
    const isEnd = segment.length < FULL_SEGMENT;
    if (this.#packets !== 1) this.#packet.push(segment);
    if (this.#packet.length > LIMIT_BYTES) throw new UnsupportedFormat('Ogg with packets that Opus does not have');
    if (!isEnd) return null;
    const packet = this.#packet.take(this.#packet.length);
    if (++this.#packets === 1) this.#readHead(packet);
    // An empty packet represents a lost one.
    return this.#packets > 2 && packet.length > 0 ? packet : null;
  }

  #readHead(packet: Uint8Array): void {
    const head = readOpusHead(packet);
    if (!head) {
      // This is another stream of the same file.
      this.#serial = null;
      this.#isOurPage = false;
      return;
    }
    // The length of the first file is not the length of all of them.
    if (++this.#files > 1) this.samples = Infinity;
    if (this.config) return;
    this.config = head.config;
    this.skip = head.preSkip;
    this.gain = head.gain;
  }
}
