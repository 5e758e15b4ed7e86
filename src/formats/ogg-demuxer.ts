import { ByteQueue } from './byte-queue.js';
import type { CodecConfig, Demuxer } from './demuxer.js';
import { readOpusHead } from './opus-head.js';
import { UnsupportedFormat } from './unsupported-format.js';

/** Length of a page's header, without and with the lengths of its segments. */
const HEADER_BYTES = { min: 27, max: 27 + 255 } as const;
/** Flags of a page: the first, and the last of a stream. */
const FIRST = 2;
const LAST = 4;
/** A packet continues in the next segment if a segment has this length. */
const FULL_SEGMENT = 255;
/** Limit for the bytes before the first page, and for the length of an Opus packet. */
const LIMIT_BYTES = 65_536;

/** Opus in Ogg (RFC 3533, RFC 7845), the first such stream. Several files, one after the other, count as one. */
export class OggDemuxer implements Demuxer {
  config: CodecConfig | null = null;
  skip = 0;
  samples = Infinity;
  readonly #queue = new ByteQueue();
  /** Bytes that were skipped since the last page. */
  #lost = 0;
  /** Serial number of the stream that is played; null if it is not known yet. */
  #serial: number | null = null;
  /** More than the first page of that stream has arrived. */
  #hasData = false;
  #files = 0;
  /** Lengths of the remaining segments of this page. */
  #segments: number[] = [];
  #isOurPage = false;
  #isLastPage = false;
  /** The beginning of a packet. */
  #packet = new ByteQueue();
  /** Packets of this file so far. The first is its header, the second has its tags and perhaps a picture. */
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
    // All streams of a file begin before the data of any.
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

  /** Returns the packet that ends with this segment, if it is one of audio. */
  #addSegment(segment: Uint8Array): Uint8Array<ArrayBuffer> | null {
    const isEnd = segment.length < FULL_SEGMENT;
    if (this.#packets !== 1) this.#packet.push(segment);
    if (this.#packet.length > LIMIT_BYTES) throw new UnsupportedFormat('Ogg with packets that Opus does not have');
    if (!isEnd) return null;
    const packet = this.#packet.take(this.#packet.length);
    if (++this.#packets === 1) this.#readHead(packet);
    // An empty packet stands for one that was lost.
    return this.#packets > 2 && packet.length > 0 ? packet : null;
  }

  #readHead(packet: Uint8Array): void {
    const head = readOpusHead(packet);
    if (!head) {
      // It is another stream of this file.
      this.#serial = null;
      this.#isOurPage = false;
      return;
    }
    // The length of the first file is not the length of all of them.
    if (++this.#files > 1) this.samples = Infinity;
    if (this.config) return;
    this.config = head.config;
    this.skip = head.preSkip;
  }
}
