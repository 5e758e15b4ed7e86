import { hasLevel } from './raw-parser.js';

/** Number of floats that decide. */
const FLOATS = 128;
/** Number of those that may lack the level of a sound. */
const OTHERS = 16;
/** A loud voice goes beyond 1 now and then. */
const LOUDEST = 2;

/**
 * Guesses whether raw samples are floats of 32 bits, as some services send them: nearly all then have the level of a sound,
 * and as samples of 16 bits they would be noise. Floats that are all the same are a tone of 16 bits, at half of the rate.
 *
 * @param bytes - Begins with a float that is not 0.
 * @returns Null if more bytes are needed.
 */
export function areFloats(bytes: Uint8Array, isEnd: boolean): boolean | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [levels, others, steps, sum] = [0, 0, 0, 0];
  let isConstant = true;
  for (let at = 0; levels + others < FLOATS; at += 4) {
    if (at + 4 > bytes.length) {
      if (!isEnd) return null;
      break;
    }
    const isClipped = Math.abs(view.getFloat32(at, true)) > LOUDEST;
    if (hasLevel(view.getUint8(at + 3)) && !isClipped) levels++;
    else if (++others > OTHERS) return false;
    isConstant &&= view.getInt32(at) === view.getInt32(0);
    const [low, high] = [view.getInt16(at, true), view.getInt16(at + 2, true)];
    steps += Math.abs(high - low);
    sum += Math.abs(high) + Math.abs(low);
  }
  return levels > OTHERS && steps > sum / 2 && !isConstant;
}
