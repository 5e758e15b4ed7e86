/** Length of the header before the samples of a binary frame, in bytes (interface-spec 2.4). */
export const FRAME_HEADER_BYTES = 12;

/** Byte order of the header's multi-byte fields. The spec does not show it; samples are always little-endian. */
export type ByteOrder = 'big' | 'little';

/**
 * Header of a binary frame (interface-spec 2.4). The meaning of flags, context and pts is not shown. They may be
 * counted and reported, but must not affect what is played.
 */
export interface FrameHeader {
  /** 8 bits. */
  readonly version: number;
  /** 8 bits. */
  readonly flags: number;
  /** 16 bits. */
  readonly context: number;
  /** 32 bits. */
  readonly sequence: number;
  /** 32 bits. */
  readonly pts: number;
}

/**
 * Writes one binary frame: header, then the samples as 16-bit little-endian.
 *
 * A header field too large for its bits wraps around, so running numbers can be passed as they are. For little-endian
 * machines, as are all that run Node or a browser. Any thread.
 */
export function encodeFrame(header: FrameHeader, pcm: Int16Array, byteOrder: ByteOrder): ArrayBuffer {
  const frame = new ArrayBuffer(FRAME_HEADER_BYTES + pcm.byteLength);
  const view = new DataView(frame);
  const little = byteOrder === 'little';
  view.setUint8(0, header.version);
  view.setUint8(1, header.flags);
  view.setUint16(2, header.context, little);
  view.setUint32(4, header.sequence, little);
  view.setUint32(8, header.pts, little);
  new Int16Array(frame, FRAME_HEADER_BYTES).set(pcm);
  return frame;
}

/**
 * Reads the header of a binary frame. Never throws; any thread.
 *
 * @returns `null` if there are fewer bytes than {@link FRAME_HEADER_BYTES}.
 */
export function decodeFrameHeader(bytes: ArrayBuffer | ArrayBufferView, byteOrder: ByteOrder): FrameHeader | null {
  const view = viewOf(bytes);
  if (view.byteLength < FRAME_HEADER_BYTES) return null;
  const little = byteOrder === 'little';
  return {
    version: view.getUint8(0),
    flags: view.getUint8(1),
    context: view.getUint16(2, little),
    sequence: view.getUint32(4, little),
    pts: view.getUint32(8, little),
  };
}

/**
 * Reads only the sequence number of a frame header. Never throws; any thread.
 *
 * @param isLittle - True for little-endian, false for big-endian.
 * @returns -1 if there are fewer bytes than {@link FRAME_HEADER_BYTES}.
 */
export function readSequence(bytes: ArrayBuffer | ArrayBufferView, isLittle: boolean): number {
  const view = viewOf(bytes);
  return view.byteLength < FRAME_HEADER_BYTES ? -1 : view.getUint32(4, isLittle);
}

function viewOf(bytes: ArrayBuffer | ArrayBufferView): DataView {
  return ArrayBuffer.isView(bytes)
    ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new DataView(bytes);
}
