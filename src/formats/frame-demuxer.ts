import type { AudioParser, CodecConfig, Packet, Track } from './audio-parser.js';
import { ByteQueue } from './byte-queue.js';
import { FRAME_HEADER_BYTES, readFrameHeader } from './frame-header.js';
import { readInfoFrame } from './info-frame.js';
import { isFile, isMessage, SIGNATURE_BYTES, tagLength } from './signature.js';
import { UnsupportedFormat } from './unsupported-format.js';

/** A stream that has no frame within this many bytes has another format. */
const LOST_BYTES = 65_536;
/** Number of frames that must follow each other at the beginning, and after bytes that are none. */
const FRAMES = { first: 3, next: 2 } as const;
/** An encoder adds less than this many frames at the end. */
const PADDING_FRAMES = 8;

/**
 * Demuxer for streams of frames that begin with a sync word: MP3, and AAC in ADTS, which does not state how many samples
 * the encoder has added. It skips tags and any other data between frames. A new file begins with the header of its encoder,
 * with another format, or after the last frame that such a header announces.
 */
export class FrameDemuxer implements AudioParser {
  rest: Uint8Array<ArrayBuffer> | null = null;
  readonly #refusal: string;
  readonly #queue = new ByteQueue();
  /** Remaining bytes of a tag. */
  #tagBytes = 0;
  /** In sync: the bytes after the latest frame were the header of the next one. */
  #isLocked = false;
  /** Bytes skipped since the latest frame, except zeros. */
  #lost = 0;
  #track: Track | null = null;
  /** Frames left of those that the encoder's header announces. */
  #announced = Infinity;
  /** The last of these frames. What follows them decides whether the encoder has added their samples. */
  #held: Packet[] = [];

  /** @param refusal - Name of the format, for the error if there are no frames. */
  constructor(refusal: string) {
    this.#refusal = refusal;
  }

  *push(bytes: Uint8Array, isEnd: boolean): Generator<Packet, void> {
    this.#queue.push(bytes);
    yield* this.#parse(isEnd);
    if (!isEnd || this.rest) return;
    yield* this.#held;
    if (!this.#track) throw new UnsupportedFormat(this.#refusal);
  }

  *#parse(isEnd: boolean): Generator<Packet, void> {
    for (;;) {
      this.#tagBytes -= this.#queue.skip(this.#tagBytes);
      const head = this.#queue.peek(Infinity);
      if (head.length < (isEnd ? FRAME_HEADER_BYTES : SIGNATURE_BYTES)) return;
      this.#tagBytes = tagLength(head);
      if (this.#tagBytes > 0) continue;
      let header = this.#isLocked ? readFrameHeader(head) : null;
      if (!header || !isSame(header.config, this.#track?.config)) {
        this.#isLocked = false;
        const isOther = this.#track ? this.#lost === 0 && (isFile(head) || isMessage(head)) : isFile(head);
        if (isOther) {
          yield* this.#held.splice(0);
          this.rest = this.#queue.take(head.length);
          return;
        }
        const isFrame = beginsWithFrames(head, this.#track ? FRAMES.next : FRAMES.first, isEnd);
        if (isFrame === null) return;
        if (!isFrame) {
          this.#lose(head[0]!);
          continue;
        }
        header = readFrameHeader(head)!;
      }
      if (head.length < header.length) return;
      const data = this.#queue.take(header.length);
      const info = header.config.codec === 'mp3' ? readInfoFrame(data, header) : null;
      this.#isLocked = true;
      this.#lost = 0;
      if (info || !isSame(header.config, this.#track?.config) || this.#announced === 0) {
        // A frame that needs data of frames before it continues their file, which is longer than announced.
        if (!info && this.#announced === 0 && needsFramesBefore(data, header.samples)) this.#track!.samples = Infinity;
        else
          this.#track = { config: header.config, skip: info?.skip ?? 0, samples: info?.samples ?? Infinity, gain: 1 };
        this.#announced = info?.frames ?? Infinity;
        yield* this.#held.splice(0);
      }
      if (info) continue;
      const packet = { track: this.#track!, data };
      if (this.#announced-- <= PADDING_FRAMES) this.#held.push(packet);
      else yield packet;
    }
  }

  #lose(byte: number): void {
    this.#queue.skip(1);
    if (byte !== 0 && ++this.#lost > LOST_BYTES) {
      throw new UnsupportedFormat(this.#track ? 'MP3 or AAC with something else behind it' : this.#refusal);
    }
  }
}

/**
 * Returns true if bytes begin with frames of the same format, or with fewer that reach to a tag or the end; null if more
 * bytes are needed.
 *
 * @param count - Number of frames whose headers are required.
 */
export function beginsWithFrames(bytes: Uint8Array, count: number, isEnd: boolean): boolean | null {
  let config: CodecConfig | undefined;
  for (let frame = 0, at = 0; frame < count; frame++) {
    if (isEnd && frame === 1 && at > bytes.length) return false;
    const head = bytes.subarray(at);
    if (head.length < SIGNATURE_BYTES && !isEnd) return null;
    if (frame > 0 && (head.length < FRAME_HEADER_BYTES || tagLength(head) > 0)) return true;
    const header = head.length < FRAME_HEADER_BYTES ? null : readFrameHeader(head);
    if (!header || (config && !isSame(header.config, config))) return false;
    config = header.config;
    at += header.length;
  }
  return true;
}

function isSame(one: CodecConfig, other: CodecConfig | undefined): boolean {
  return (
    one.codec === other?.codec && one.sampleRate === other.sampleRate && one.numberOfChannels === other.numberOfChannels
  );
}

/** Returns true if an MP3 frame begins with data that is stored in frames before it (`main_data_begin`). */
function needsFramesBefore(frame: Uint8Array, samples: number): boolean {
  const at = frame[1]! & 1 ? 4 : 6;
  return frame[at]! > 0 || (samples === 1152 && frame[at + 1]! > 127);
}
