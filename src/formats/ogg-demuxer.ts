import type { AudioParser, Packet, Track } from './audio-parser.js';
import { ByteQueue } from './byte-queue.js';
import { beginsWithFrames } from './frame-demuxer.js';
import { readOpusHead } from './opus-head.js';
import { samplesOfOpus } from './opus-packet.js';
import { isFile, SIGNATURE_BYTES, tagLength, textAt } from './signature.js';
import { UnsupportedFormat } from './unsupported-format.js';

/** Length of a page header, without and with the segment table. */
const HEADER_BYTES = { min: 27, max: 27 + 255 } as const;
/** Page flags: it continues a packet; the first and the last page of a stream. */
const CONTINUED = 1;
const FIRST = 2;
const LAST = 4;
/** A segment of this length continues in the next segment. */
const FULL_SEGMENT = 255;
/** Limit for the bytes between pages, and for the length of an Opus packet. */
const LIMIT_BYTES = 65_536;

/** A page of the stream that is played. */
interface Page {
  /** Number of samples at 48 kHz since the beginning of the stream, after this page; -1n if no packet ends on it. */
  readonly granule: bigint;
  readonly isLast: boolean;
  /** Samples of the packets that end on it. */
  samples: number;
  /** Samples of the latest of these packets. */
  latest: number;
}

/** Opus in Ogg (RFC 3533, RFC 7845): the first Opus stream of each file. */
export class OggDemuxer implements AudioParser {
  rest: Uint8Array<ArrayBuffer> | null = null;
  readonly #queue = new ByteQueue();
  /** Bytes skipped since the latest page, except zeros. */
  #lost = 0;
  #track: Track | null = null;
  /** Serial number of the stream that is played; null while it is unknown. */
  #serial: number | null = null;
  /** Name of the first stream of this file that is not Opus; empty if there is none, or one of Opus. */
  #other = '';
  /** True once more than the first page of that stream has arrived. */
  #hasData = false;
  /** Lengths of the remaining segments of this page. */
  #segments: number[] = [];
  /** Null if the page belongs to another stream. */
  #page: Page | null = null;
  /** The beginning of an incomplete packet. */
  #packet = new ByteQueue();
  /** The beginning of the packet is missing. */
  #isCut = false;
  /** Number of packets of this file so far. The first is its header; the second has tags and sometimes a picture. */
  #packets = 0;
  /** Packets of the last page. Once the page is complete, the number of samples is known. */
  #last: Packet[] = [];
  /** Samples of this file so far, and the position that its latest page reports. */
  #samples = 0;
  #granule = 0;
  /** True if pages report positions that agree with their samples, false if they do not; null if that is unknown. */
  #isCounted: boolean | null = null;

  *push(bytes: Uint8Array, isEnd: boolean): Generator<Packet, void> {
    this.#queue.push(bytes);
    yield* this.#parse(isEnd);
    if (!isEnd || this.rest) return;
    yield* this.#last;
    if (!this.#track) throw new UnsupportedFormat('Ogg that is damaged');
  }

  *#parse(isEnd: boolean): Generator<Packet, void> {
    for (;;) {
      const length = this.#segments[0];
      if (length === undefined) {
        if (this.#page) yield* this.#endPage(this.#page);
        if (!this.#readPage(isEnd)) return;
      } else {
        if (this.#queue.length < length) return;
        this.#segments.shift();
        const packet = this.#page && this.#addSegment(this.#page, this.#queue.peek(length));
        this.#queue.skip(length);
        if (packet && this.#page!.isLast) this.#last.push(packet);
        else if (packet) yield packet;
      }
    }
  }

  /** Looks for the next page. Returns false if more bytes are needed, or if there is a `rest`. */
  #readPage(isEnd: boolean): boolean {
    const head = this.#queue.peek(HEADER_BYTES.max);
    if (head.length < (isEnd ? SIGNATURE_BYTES : HEADER_BYTES.min)) return false;
    if (textAt(head, 0, 4) !== 'OggS') return this.#lose(this.#queue.peek(Infinity), isEnd);
    const end = HEADER_BYTES.min + head[HEADER_BYTES.min - 1]!;
    if (head.length < end) return false;
    const view = new DataView(head.buffer, head.byteOffset, end);
    const serial = view.getUint32(14, true);
    const flags = head[5]!;
    const isFirst = (flags & FIRST) > 0;
    // In a file, the first pages of all streams precede the data of any stream.
    if (isFirst && (this.#serial === null || this.#hasData)) this.#begin(serial);
    else if (!isFirst && this.#serial === null && (this.#other || !this.#track)) {
      throw new UnsupportedFormat(`Ogg with ${this.#other || 'no beginning'}, not with Opus of one or two channels`);
    }
    this.#page = null;
    if (serial === this.#serial) {
      if (!isFirst) this.#hasData = true;
      const isContinued = (flags & CONTINUED) > 0;
      this.#isCut = isContinued && this.#packet.length === 0 && !this.#isTags;
      if (!isContinued) this.#packet = new ByteQueue();
      this.#page = { granule: view.getBigInt64(6, true), isLast: (flags & LAST) > 0, samples: 0, latest: 0 };
    }
    this.#segments = [...head.subarray(HEADER_BYTES.min, end)];
    this.#queue.skip(end);
    this.#lost = 0;
    return true;
  }

  /** Skips a byte between pages. Returns false if another file begins, or may begin. */
  #lose(head: Uint8Array, isEnd: boolean): boolean {
    const isOther =
      this.#track && this.#lost === 0 && (isFile(head) || tagLength(head) > 0 || beginsWithFrames(head, 3, isEnd));
    if (isOther === null && this.#track && this.#lost === 0) return false;
    if (isOther) {
      this.rest = this.#queue.take(head.length);
      return false;
    }
    if (head[0] !== 0 && ++this.#lost > LIMIT_BYTES) {
      throw new UnsupportedFormat('Ogg with something else behind it');
    }
    this.#queue.skip(1);
    return true;
  }

  #begin(serial: number): void {
    this.#serial = serial;
    this.#hasData = false;
    this.#packets = this.#samples = this.#granule = 0;
    this.#isCounted = null;
    this.#packet = new ByteQueue();
  }

  get #isTags(): boolean {
    return this.#packets === 1;
  }

  /** Returns the packet that ends with this segment, or null if it is incomplete or not audio. */
  #addSegment(page: Page, segment: Uint8Array): Packet | null {
    const isEnd = segment.length < FULL_SEGMENT;
    if (!this.#isTags && !this.#isCut) this.#packet.push(segment);
    if (this.#packet.length > LIMIT_BYTES) throw new UnsupportedFormat('Ogg with packets that Opus does not have');
    if (!isEnd) return null;
    if (this.#isCut) {
      this.#isCut = false;
      return null;
    }
    const data = this.#packet.take(this.#packet.length);
    if (++this.#packets === 1) this.#readHead(data);
    // An empty packet represents a lost one.
    if (this.#packets < 3 || data.length === 0) return null;
    page.latest = samplesOfOpus(data);
    page.samples += page.latest;
    return { track: this.#track!, data };
  }

  #readHead(packet: Uint8Array): void {
    const head = readOpusHead(packet);
    if (head) {
      this.#other = '';
      this.#track = { config: head.config, skip: head.preSkip, samples: Infinity, gain: head.gain };
    } else {
      // This may be another stream of the same file.
      this.#other ||= /[A-Za-z]{4,}/.exec(textAt(packet, 0, 12))?.[0] ?? 'an unknown codec';
      this.#serial = this.#page = null;
    }
  }

  /**
   * Ends a page. The position of the last page says how many samples the encoder has added. These can only be in that page
   * (RFC 7845, 4.4), and only if the encoder counts samples as it should.
   */
  *#endPage({ granule, isLast, samples, latest }: Page): Generator<Packet, void> {
    this.#page = null;
    this.#samples += samples;
    const position = Number(granule);
    if (isLast) {
      // Without a page before, the position is plausible if it removes samples of one packet only.
      const added = this.#granule + samples - position;
      const most = this.#isCounted ? samples : this.#isCounted === null ? latest : 0;
      if (added > 0 && added < most) this.#track!.samples = Math.max(0, this.#samples - added - this.#track!.skip);
      yield* this.#last.splice(0);
      this.#serial = null;
    } else if (samples > 0 && position >= 0) {
      const isFirst = this.#samples === samples;
      // The first page of a stream that began earlier has a higher position.
      this.#isCounted = isFirst && position > samples ? null : position - this.#granule === samples;
      this.#granule = position;
    }
  }
}
