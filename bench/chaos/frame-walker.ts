/** Opcodes of WebSocket frames (RFC 6455, section 5.2). */
export const BINARY_FRAME = 2;
export const CLOSE_FRAME = 8;

/** Finds the WebSocket frames in one direction of a TCP connection, which begins with an HTTP message. */
export class FrameWalker {
  #isUpgraded = false;
  /** Bytes that were not understood yet. */
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of the current frame that follow. */
  #left = 0;

  /** Returns the opcode of each frame that begins in `piece`. */
  walk(piece: Buffer): number[] {
    let bytes = Buffer.concat([this.#rest, piece]);
    if (!this.#isUpgraded) {
      const end = bytes.indexOf('\r\n\r\n');
      this.#rest = bytes;
      // Another answer than 101 has a body instead of frames.
      if (end < 0 || !/^(?:GET|HTTP\/1\.1 101) /.test(bytes.toString('latin1', 0, 16))) return [];
      this.#isUpgraded = true;
      bytes = bytes.subarray(end + 4);
    }
    const opcodes: number[] = [];
    for (;;) {
      const skipped = Math.min(this.#left, bytes.length);
      this.#left -= skipped;
      bytes = bytes.subarray(skipped);
      const frameBytes = lengthOfFrame(bytes);
      if (frameBytes === null) break;
      opcodes.push(bytes[0]! & 15);
      this.#left = frameBytes;
    }
    this.#rest = bytes;
    return opcodes;
  }
}

/** Returns the length of the frame at the start of `bytes`, header included; null if the header is incomplete. */
function lengthOfFrame(bytes: Buffer): number | null {
  if (bytes.length < 2) return null;
  const short = bytes[1]! & 127;
  const sizeBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const headBytes = 2 + sizeBytes + (bytes[1]! & 128 ? 4 : 0);
  if (bytes.length < headBytes) return null;
  if (sizeBytes === 0) return headBytes + short;
  return headBytes + (sizeBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)));
}
