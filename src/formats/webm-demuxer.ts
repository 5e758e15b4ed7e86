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

/** Elements whose children are read as if they stood beside them: of live streams, their lengths are not known. */
const PARENTS: ReadonlySet<number> = new Set([Id.segment, Id.tracks, Id.trackEntry, Id.cluster, Id.blockGroup]);
const VALUES: ReadonlySet<number> = new Set([Id.trackNumber, Id.codecPrivate, Id.block, Id.simpleBlock]);
/** Four bytes of identifier, eight of length. */
const HEADER_BYTES = 12;
/** No value that is read here is as long. */
const VALUE_BYTES = 65_536;
/** Timecode and flags of a block, after the number of its track. */
const BLOCK_HEADER_BYTES = 3;
const LACING = 6;

/** Opus in WebM (RFC 9559), the first such track. */
export class WebmDemuxer implements Demuxer {
  config: CodecConfig | null = null;
  skip = 0;
  readonly samples: number = Infinity;
  readonly #queue = new ByteQueue();
  #isEbml = false;
  /** Bytes of an element that is skipped. */
  #skipped = 0;
  /** What is known of the track that is being described. */
  #number: number | null = null;
  #head: OpusHead | null = null;
  /** Number of the track that is played. */
  #played = -1;

  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
    this.#queue.push(bytes);
    const packets: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      this.#skipped -= this.#queue.skip(this.#skipped);
      if (this.#skipped > 0) return packets;
      const head = this.#queue.peek(HEADER_BYTES);
      const id = readNumber(head, 0, true);
      const length = id && readNumber(head, id.end, false);
      if (!id || !length) return packets;
      if (!this.#isEbml && id.value !== Id.ebml) {
        throw new UnsupportedFormat('audio that is not WebM, whatever its Content-Type says');
      }
      this.#isEbml = true;
      if (PARENTS.has(id.value)) {
        this.#queue.skip(length.end);
        if (id.value === Id.trackEntry) this.#number = this.#head = null;
      } else if (VALUES.has(id.value)) {
        if (length.value > VALUE_BYTES) throw new UnsupportedFormat('WebM with a block that is too long');
        if (this.#queue.length < length.end + length.value) return packets;
        this.#queue.skip(length.end);
        packets.push(...this.#readValue(id.value, this.#queue.take(length.value)));
      } else {
        this.#queue.skip(length.end);
        this.#skipped = length.value;
      }
    }
  }

  /** Returns the packet of a block of our track. */
  #readValue(id: number, value: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
    if (id === Id.trackNumber || id === Id.codecPrivate) {
      if (id === Id.trackNumber) this.#number = value.reduce((sum, byte) => sum * 256 + byte, 0);
      else this.#head = readOpusHead(value);
      if (this.#number !== null && this.#head && !this.config) {
        this.#played = this.#number;
        this.config = this.#head.config;
        this.skip = this.#head.preSkip;
      }
      return [];
    }
    if (!this.config) throw new UnsupportedFormat('WebM without Opus of one or two channels');
    const track = readNumber(value, 0, false);
    if (track?.value !== this.#played) return [];
    const at = track.end + BLOCK_HEADER_BYTES;
    if (value[at - 1]! & LACING) throw new UnsupportedFormat('WebM whose blocks hold several packets');
    return at < value.length ? [value.slice(at)] : [];
  }
}

/**
 * Reads a number of variable length (RFC 8794, 4).
 *
 * @param isId - The bits that tell its length belong to it.
 * @returns The number, Infinity if it stands for an unknown length, and the position after it; null if its end is missing.
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
