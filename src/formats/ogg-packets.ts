import { ByteQueue } from './byte-queue.js';
import { textAt } from './signature.js';
import { UnsupportedFormat } from './unsupported-format.js';

/** A segment of this length continues in the next segment. */
const FULL_SEGMENT = 255;
/** Limit for the length of an Opus packet. */
const LIMIT_BYTES = 65_536;

/** Joins the packets of one stream from the segments of its pages. */
export class OggPackets {
  /** Number of packets so far. The first is the header. */
  count = 0;
  /** The beginning of an incomplete packet. */
  readonly #beginning = new ByteQueue();
  /** True if the beginning of the packet is missing. */
  #isCut = false;
  /** True within the packet of tags, which sometimes has a picture. */
  #isTags = false;

  /**
   * Begins a page.
   *
   * @param isContinued - True if it continues a packet of the page before.
   */
  beginPage(isContinued: boolean): void {
    this.#isCut = isContinued && this.#beginning.length === 0 && !this.#isTags;
    if (!isContinued) this.#beginning.skip(this.#beginning.length);
  }

  /**
   * Adds a segment.
   *
   * @returns The packet that ends with it; null if it is incomplete. The packet of tags is empty, since it may be large.
   * @throws {UnsupportedFormat} If the packet is longer than any of Opus.
   */
  add(segment: Uint8Array): Uint8Array<ArrayBuffer> | null {
    this.#isTags ||= this.#beginning.length === 0 && textAt(segment, 0, 8) === 'OpusTags';
    if (!this.#isTags && !this.#isCut) this.#beginning.push(segment);
    if (this.#beginning.length > LIMIT_BYTES) throw new UnsupportedFormat('Ogg with packets that Opus does not have');
    if (segment.length === FULL_SEGMENT) return null;
    this.#isTags = false;
    if (this.#isCut) {
      this.#isCut = false;
      return null;
    }
    this.count++;
    return this.#beginning.take(this.#beginning.length);
  }
}
