import type { AudioParser, Packet, Track } from './audio-parser.js';
import { ByteQueue } from './byte-queue.js';
import { beginsWithFrames } from './frame-demuxer.js';
import { OggLength, type Page } from './ogg-length.js';
import { OggPackets } from './ogg-packets.js';
import { readOpusHead } from './opus-head.js';
import { samplesOfOpus } from './opus-packet.js';
import { isFile, isMessage, SIGNATURE_BYTES, tagLength, textAt } from './signature.js';
import { UnsupportedFormat } from './unsupported-format.js';

/** Length of a page header, without and with the segment table. */
const HEADER_BYTES = { min: 27, max: 27 + 255 } as const;
/** Page flags: it continues a packet; the first and the last page of a stream. */
const CONTINUED = 1;
const FIRST = 2;
const LAST = 4;
/** Limit for the bytes between pages. */
const LIMIT_BYTES = 65_536;
/** Limit for the number of other streams in a file. */
const LIMIT_OTHERS = 256;

/** Opus in Ogg (RFC 3533, RFC 7845): the first Opus stream of each file. */
export class OggDemuxer implements AudioParser {
  rest: Uint8Array<ArrayBuffer> | null = null;
  readonly #queue = new ByteQueue();
  /** Bytes skipped since the latest page, except zeros. */
  #lost = 0;
  #track: Track | null = null;
  /** Serial number of the stream that is played; null while it is unknown. */
  #serial: number | null = null;
  /** Serial numbers of the other streams of this file, as their first pages give them. */
  readonly #others = new Set<number>();
  /** Name of the first stream of this file that is not Opus; empty if there is none, or one of Opus. */
  #other = '';
  /** True once more than the first pages of this file have arrived, so that the next first page begins another file. */
  #isUnderWay = false;
  /** Lengths of the remaining segments of this page. */
  #segments: number[] = [];
  /** Null if the page belongs to another stream. */
  #page: Page | null = null;
  #packets = new OggPackets();
  #length = new OggLength(0);
  /** Packets of the last page. Once the page is complete, the number of samples is known. */
  #last: Packet[] = [];

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
    if (isFirst) this.#beginStream(serial);
    else if (this.#serial === null) {
      throw new UnsupportedFormat(`Ogg with ${this.#other || 'no beginning'}, not with Opus of one or two channels`);
    }
    const isPlayed = isFirst ? serial === this.#serial : !this.#others.has(serial);
    this.#page = null;
    if (isPlayed) {
      if (!isFirst) this.#continue(serial);
      this.#packets.beginPage((flags & CONTINUED) > 0);
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
      this.#track &&
      this.#lost === 0 &&
      (isFile(head) || isMessage(head) || tagLength(head) > 0 || beginsWithFrames(head, 3, isEnd));
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

  /** Reads the first page of a stream. In a file, those of all streams precede the data of any stream. */
  #beginStream(serial: number): void {
    if (this.#isUnderWay) this.#others.clear();
    if (this.#isUnderWay || this.#serial === null) {
      this.#serial = serial;
      this.#isUnderWay = false;
      this.#packets = new OggPackets();
      this.#length = new OggLength(0);
    } else if (serial !== this.#serial && this.#others.size < LIMIT_OTHERS) this.#others.add(serial);
  }

  /** Continues the stream. Some servers change its serial number, or claim that a page is the last one. */
  #continue(serial: number): void {
    if (serial !== this.#serial) this.#length = new OggLength(this.#length.total);
    this.#serial = serial;
    this.#isUnderWay = true;
  }

  /** Returns the packet that ends with this segment, or null if it is incomplete or not audio. */
  #addSegment(page: Page, segment: Uint8Array): Packet | null {
    const data = this.#packets.add(segment);
    if (!data) return null;
    // Files whose streams were joined without flags have headers in between.
    const isHead = this.#packets.count === 1 || textAt(data, 0, 8) === 'OpusHead';
    if (isHead) this.#readHead(data);
    // An empty packet has tags, or represents a lost one.
    if (isHead || data.length === 0) return null;
    page.latest = samplesOfOpus(data);
    page.samples += page.latest;
    const track = this.#track!;
    // A page before may have claimed to be the last one.
    track.samples = Infinity;
    return { track, data };
  }

  #readHead(packet: Uint8Array): void {
    const head = readOpusHead(packet);
    if (head) {
      this.#other = '';
      this.#track = { config: head.config, skip: head.preSkip, samples: Infinity, gain: head.gain };
    } else {
      // This may be another stream of the same file.
      this.#other ||= codecOf(packet);
      if (this.#serial !== null) this.#others.add(this.#serial);
      this.#serial = this.#page = null;
    }
  }

  *#endPage(page: Page): Generator<Packet, void> {
    this.#page = null;
    const samples = this.#length.add(page);
    if (samples !== null) this.#track!.samples = Math.max(0, samples - this.#track!.skip);
    if (!page.isLast) return;
    yield* this.#last.splice(0);
    // Another file may follow, or more of this one.
    this.#isUnderWay = true;
  }
}

/** Returns the name of the codec that a packet of headers belongs to. */
function codecOf(packet: Uint8Array): string {
  const name = /[A-Za-z]{4,}/.exec(textAt(packet, 0, 12))?.[0] ?? 'an unknown codec';
  if (name !== 'OpusHead') return name;
  return packet[9]! > 2 ? `Opus of ${packet[9]} channels` : 'Opus in several streams or with a damaged header';
}
