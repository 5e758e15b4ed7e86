/** Number of seconds that decide. */
const SECONDS = 0.05;

/**
 * Guesses the byte order of samples of 16 bits: in the right order, neighbouring samples differ less. Decides by 50 ms.
 *
 * @param bytes - Begins with a sample that is not 0.
 * @param channels - Samples per frame.
 * @returns True for little-endian. Null if more bytes are needed.
 */
export function isLittleEndian(
  bytes: Uint8Array,
  sampleRate: number,
  channels: number,
  isEnd: boolean,
): boolean | null {
  const frameBytes = 2 * channels;
  const end = frameBytes * Math.ceil(SECONDS * sampleRate);
  if (bytes.length < end && !isEnd) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const stepAt = (at: number, order: boolean): number =>
    Math.abs(view.getInt16(at, order) - view.getInt16(at - frameBytes, order));
  let difference = 0;
  for (let at = frameBytes; at < Math.min(end, bytes.length - 1); at += 2) {
    difference += stepAt(at, true) - stepAt(at, false);
  }
  return difference < 0;
}
