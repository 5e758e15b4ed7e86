import { ByteQueue } from './byte-queue.js';
import type { CodecConfig, Demuxer } from './demuxer.js';
import { type OpusHead, readOpusHead } from './opus-head.js';
import { UnsupportedFormat } from './unsupported-format.js';

/** Identifiers of elements (https://www.rfc-editor.org/rfc/rfc9559.html). */
const Id = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  codecPrivate: 0x63a2,
  cluster: 0x1f43b675,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const;

/** The header of these elements is skipped, and their children are read. In live streams, their lengths are unknown. */
const PARENTS: ReadonlySet<number> = new Set([Id.segment, Id.tracks, Id.trackEntry, Id.cluster, Id.blockGroup]);
const DESCRIPTION: ReadonlySet<number> = new Set([Id.trackNumber, Id.codecPrivate]);
const BLOCKS: ReadonlySet<number> = new Set([Id.block, Id.simpleBlock]);
/** Maximum length of an element's header: identifier and length. */
const HEADER_BYTES = 12;
/** Maximum length of a variable-length number, in bytes. */
const NUMBER_BYTES = 8;
/** Longest value that is read, in bytes; Opus has no longer ones. */
const VALUE_BYTES = 65_536;
/** Bytes of a block's timecode and flags, which follow its track number. */
const BLOCK_HEADER_BYTES = 3;
const LACING = 6;

/** The first Opus track in WebM (RFC 9559). */
export class WebmDemuxer implements Demuxer {
  config: CodecConfig | null = null;
  skip = 0;
  gain = 1;
  readonly samples: number = Infinity;
  readonly #queue = new ByteQueue();
  #isEbml = false;
  /** Remaining bytes of an element that is skipped. */
  #skipped = 0;
  /** Number and codec header of the track whose entry is being read. */
  #number: number | null = null;
  #head: OpusHead | null = null;
  /** Number of the track that is played. */
  #played = -1;

  *push(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>, void> {
    this.#queue.push(bytes);
    for (;;) {
      this.#skipped -= this.#queue.skip(this.#skipped);
      if (this.#skipped > 0) return;
      const head = this.#queue.peek(HEADER_BYTES);
      const id = readNumber(head, 0, true);
      const length = id && readNumber(head, id.end, false);
      if (!id || !length) return;
      if (!this.#isEbml && id.value !== Id.ebml) {
        throw new UnsupportedFormat('audio that is not WebM, whatever its Content-Type says');
      }
      this.#isEbml = true;
      if (PARENTS.has(id.value)) {
        this.#queue.skip(length.end);
        if (id.value === Id.trackEntry) this.#number = this.#head = null;
        continue;
      }
      const isWanted = BLOCKS.has(id.value) ? this.#isOurs(length.end) : DESCRIPTION.has(id.value);
      if (isWanted === null) return;
      if (!isWanted || length.value > VALUE_BYTES) {
        this.#queue.skip(length.end);
        this.#skipped = length.value;
        continue;
      }
      if (this.#queue.length < length.end + length.value) return;
      this.#queue.skip(length.end);
      const value = this.#queue.take(length.value);
      if (!BLOCKS.has(id.value)) this.#describe(id.value, value);
      else yield packetOf(value);
    }
  }

  /**
   * Returns true if the next block belongs to the track that is played, and null if more bytes are needed.
   *
   * @param headerBytes - Length of the block's header, in bytes.
   */
  #isOurs(headerBytes: number): boolean | null {
    if (!this.config) throw new UnsupportedFormat('WebM without Opus of one or two channels');
    const track = readNumber(this.#queue.peek(headerBytes + NUMBER_BYTES), headerBytes, false);
    return track && track.value === this.#played;
  }

  #describe(id: number, value: Uint8Array): void {
    if (id === Id.trackNumber) this.#number = value.reduce((sum, byte) => sum * 256 + byte, 0);
    else this.#head = readOpusHead(value);
    if (this.#number === null || !this.#head || this.config) return;
    this.#played = this.#number;
    this.config = this.#head.config;
    this.skip = this.#head.preSkip;
    this.gain = this.#head.gain;
  }
}

/** Returns the packet of a block. */
function packetOf(block: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = (readNumber(block, 0, false)?.end ?? 0) + BLOCK_HEADER_BYTES;
  if (block[at - 1]! & LACING) throw new UnsupportedFormat('WebM whose blocks hold several packets');
  return block.slice(at);
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
