import type { AudioParser, Part } from './audio-parser.js';
import { ByteQueue } from './byte-queue.js';
import { beginsWithFrames, FrameDemuxer } from './frame-demuxer.js';
import { OggDemuxer } from './ogg-demuxer.js';
import { SIGNATURE_BYTES, tagLength, textAt } from './signature.js';
import { WebmDemuxer } from './webm-demuxer.js';

/**
 * Number of frames that must follow each other at the beginning. Their headers are short, so noise contains them, too: it
 * looks like four frames once in 10^17 bytes.
 */
const FRAMES = 4;

/**
 * Parses files of compressed audio, one after the other. The first bytes decide which; the Content-Type is not needed. From
 * the first byte of anything else, the stream is `rest`, for `OtherAudio`.
 */
export class AudioReader implements AudioParser {
  rest: Uint8Array<ArrayBuffer> | null = null;
  /** True once a tag was skipped. Raw samples do not follow one. */
  hasTag = false;
  readonly #queue = new ByteQueue();
  /** Remaining bytes of a tag at the beginning of a file. */
  #tagBytes = 0;
  #parser: AudioParser | null = null;

  *push(bytes: Uint8Array, isEnd: boolean): Generator<Part, void> {
    let next: Uint8Array = bytes;
    for (;;) {
      if (!this.#parser) {
        this.#queue.push(next);
        this.#tagBytes -= this.#queue.skip(this.#tagBytes);
        const head = this.#queue.peek(Infinity);
        if (head.length < (isEnd ? 1 : SIGNATURE_BYTES)) return;
        this.#tagBytes = tagLength(head);
        if (this.#tagBytes > 0) {
          this.hasTag = true;
          next = new Uint8Array(0);
          continue;
        }
        const parser = choose(head, isEnd);
        if (parser === null) return;
        next = this.#queue.take(head.length);
        if (!parser) {
          this.rest = next as Uint8Array<ArrayBuffer>;
          return;
        }
        this.#parser = parser;
      }
      yield* this.#parser.push(next, isEnd);
      if (!this.#parser.rest) return;
      next = this.#parser.rest;
      this.#parser = null;
    }
  }
}

/** Returns the parser for a beginning, undefined if there is none, or null if more bytes are needed. */
function choose(head: Uint8Array, isEnd: boolean): AudioParser | undefined | null {
  const name = textAt(head, 0, 4);
  if (name === 'OggS') return new OggDemuxer();
  if (name === '\x1aE\xdf\xa3') return new WebmDemuxer();
  const isFrames = beginsWithFrames(head, FRAMES, isEnd);
  return isFrames ? new FrameDemuxer('') : isFrames === null ? null : undefined;
}
