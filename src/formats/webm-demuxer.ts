import type { AudioParser, Packet, Track } from './audio-parser.js';
import { ByteQueue } from './byte-queue.js';
import { type OpusHead, readOpusHead } from './opus-head.js';
import { samplesOfOpus } from './opus-packet.js';
import { isFile, isMessage, tagLength, textAt } from './signature.js';
import { UnsupportedFormat } from './unsupported-format.js';

/** Identifiers of elements (https://www.rfc-editor.org/rfc/rfc9559.html). */
const Id = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  contentEncodings: 0x6d80,
  cluster: 0x1f43b675,
  blockGroup: 0xa0,
  block: 0xa1,
  discardPadding: 0x75a2,
  simpleBlock: 0xa3,
} as const;

/** The header of these elements is skipped, and their children are read. In live streams, their lengths are unknown. */
const PARENTS: ReadonlySet<number> = new Set([Id.segment, Id.tracks, Id.trackEntry, Id.cluster]);
const DESCRIPTION: ReadonlySet<number> = new Set([Id.trackNumber, Id.codecId, Id.codecPrivate, Id.contentEncodings]);
const BLOCKS: ReadonlySet<number> = new Set([Id.blockGroup, Id.simpleBlock]);
/** Number of bytes that have the header of an element, and tell one from something else. */
const HEAD_BYTES = 16;
/** Longest value that is read, in bytes; Opus has no longer ones. */
const VALUE_BYTES = 65_536;
/** Bytes of a block's timecode and flags, which follow its track number. */
const BLOCK_HEADER_BYTES = 3;
/** The bits of a block's flags that say how it stores the lengths of its packets. */
const Lacing = { none: 0, xiph: 2, fixed: 4, mask: 6 } as const;
/** Samples of Opus in a nanosecond. */
const SAMPLES_PER_NS = 48_000 / 1e9;

/** Opus in WebM (RFC 9559): the first Opus track of each file. */
export class WebmDemuxer implements AudioParser {
  rest: Uint8Array<ArrayBuffer> | null = null;
  readonly #queue = new ByteQueue();
  /** Remaining bytes of an element that is skipped. */
  #skipped = 0;
  /** Number, codec and header of the track whose entry is being read, in any order. */
  #number = 0;
  #codec = 'no codec';
  #head: OpusHead | null = null;
  /** True if the blocks of that track are compressed or encrypted. */
  #isEncoded = false;
  /** The track that is played, its number, and its samples so far. */
  #track: Track | null = null;
  #played = 0;
  #samples = 0;

  *push(bytes: Uint8Array, isEnd: boolean): Generator<Packet, void> {
    this.#queue.push(bytes);
    yield* this.#parse(isEnd);
    if (isEnd && !this.#track) throw new UnsupportedFormat('WebM without audio');
  }

  *#parse(isEnd: boolean): Generator<Packet, void> {
    for (;;) {
      this.#skipped -= this.#queue.skip(this.#skipped);
      if (this.#skipped > 0) return;
      const head = this.#queue.peek(HEAD_BYTES);
      // Padding between files.
      if (head[0] === 0) {
        this.#queue.skip(1);
        continue;
      }
      if (head.length < HEAD_BYTES && !isEnd) return;
      // No identifier begins with these bytes.
      if (this.#track && isOther(head)) {
        this.rest = this.#queue.take(this.#queue.length);
        return;
      }
      const id = readNumber(head, 0, true);
      const length = id && readNumber(head, id.end, false);
      if (!id || !length) return;
      // Another file follows.
      if (id.value === Id.ebml) this.#track = null;
      if (PARENTS.has(id.value)) {
        this.#endEntry();
        this.#queue.skip(length.end);
        continue;
      }
      const isBlock = BLOCKS.has(id.value);
      if ((!isBlock && !DESCRIPTION.has(id.value)) || length.value > VALUE_BYTES) {
        this.#queue.skip(length.end);
        this.#skipped = length.value;
        continue;
      }
      if (this.#queue.length < length.end + length.value) return;
      this.#queue.skip(length.end);
      const value = this.#queue.take(length.value);
      if (!isBlock) this.#describe(id.value, value);
      else yield* id.value === Id.blockGroup ? this.#readGroup(value) : this.#readBlock(value, 0);
    }
  }

  #describe(id: number, value: Uint8Array): void {
    if (id === Id.trackNumber) this.#number = value.reduce((sum, byte) => sum * 256 + byte, 0);
    else if (id === Id.codecId) this.#codec = textAt(value, 0, 20);
    else if (id === Id.contentEncodings) this.#isEncoded = value.length > 0;
    else this.#head = readOpusHead(value);
  }

  /** Chooses the track whose entry was read, if it is the first that can be played. */
  #endEntry(): void {
    const head = this.#head;
    if (this.#isEncoded) this.#codec += ' that is compressed or encrypted';
    else if (head && !this.#track) {
      this.#played = this.#number;
      this.#samples = 0;
      this.#track = { config: head.config, skip: head.preSkip, samples: Infinity, gain: head.gain };
    }
    this.#head = null;
    this.#isEncoded = false;
  }

  *#readGroup(group: Uint8Array<ArrayBuffer>): Generator<Packet, void> {
    let block: Uint8Array<ArrayBuffer> | undefined;
    let discarded = 0;
    for (let at = 0; at < group.length;) {
      const id = readNumber(group, at, true);
      const length = id && readNumber(group, id.end, false);
      if (!length) break;
      const value = group.slice(length.end, length.end + length.value);
      if (id.value === Id.block) block = value;
      // Nanoseconds at the end of the block, as a signed number.
      if (id.value === Id.discardPadding) discarded = toSigned(value);
      at = length.end + length.value;
    }
    if (block) yield* this.#readBlock(block, discarded);
  }

  *#readBlock(block: Uint8Array<ArrayBuffer>, discarded: number): Generator<Packet, void> {
    const track = this.#track;
    if (!track)
      throw new UnsupportedFormat(`WebM with ${this.#codec}, not with Opus of one or two channels and its header`);
    const number = readNumber(block, 0, false);
    const at = (number?.end ?? 0) + BLOCK_HEADER_BYTES;
    if (number?.value !== this.#played || at >= block.length) return;
    const packets = packetsOf(block.subarray(at), block[at - 1]! & Lacing.mask);
    const samples = packets.reduce((sum, packet) => sum + samplesOfOpus(packet), 0);
    this.#samples += samples;
    const added = Math.round(discarded * SAMPLES_PER_NS);
    track.samples = added > 0 && added < samples ? Math.max(0, this.#samples - added - track.skip) : Infinity;
    for (const data of packets) yield { track, data };
  }
}

/** Returns the packets of a block (RFC 9559, 10.3). The length of the last one is not stored. */
function packetsOf(bytes: Uint8Array, lacing: number): Uint8Array<ArrayBuffer>[] {
  const count = lacing === Lacing.none ? 1 : bytes[0]! + 1;
  let at = lacing === Lacing.none ? 0 : 1;
  const lengths: number[] = [];
  while (lengths.length < count - 1) {
    let length = 0;
    if (lacing === Lacing.fixed) {
      length = (bytes.length - 1) / count;
    } else if (lacing === Lacing.xiph) {
      do length += bytes[at] ?? 0;
      while (bytes[at++] === 255);
    } else {
      const number = readNumber(bytes, at, false) ?? { value: 0, end: at + 1 };
      // Each but the first is a difference to the one before.
      const before = lengths.at(-1);
      length = before === undefined ? number.value : before + number.value - (2 ** (7 * (number.end - at) - 1) - 1);
      at = number.end;
    }
    lengths.push(length);
  }
  return [...lengths, Infinity].map((length) => bytes.slice(at, (at += length))).filter((packet) => packet.length > 0);
}

/** Returns true if something else begins where an element should: another file, a tag, a message, or a frame of MP3 or AAC. */
function isOther(head: Uint8Array): boolean {
  const isWebm = head[0] === 0x1a;
  return (!isWebm && isFile(head)) || tagLength(head) > 0 || isMessage(head) || head[0] === 0xff;
}

/**
 * Reads a variable-length number (RFC 8794, 4).
 *
 * @param isId - True to keep the length marker bits as part of the value.
 * @returns The value, Infinity if it means an unknown length, and the position after it; null if bytes are missing.
 */
function readNumber(bytes: Uint8Array, at: number, isId: boolean): { value: number; end: number } | null {
  const first = bytes[at];
  if (first === undefined) return null;
  const length = Math.clz32(first) - 23;
  if (length > (isId ? 4 : 8)) throw new UnsupportedFormat('WebM that is damaged');
  if (at + length > bytes.length) return null;
  let value = isId ? first : first & (0xff >> length);
  for (let i = 1; i < length; i++) value = value * 256 + bytes[at + i]!;
  return { value: !isId && value === 2 ** (7 * length) - 1 ? Infinity : value, end: at + length };
}

function toSigned(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte, index) => sum * 256 + (index === 0 ? (byte << 24) >> 24 : byte), 0);
}
