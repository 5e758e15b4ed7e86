import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Bytes per pixel of an animation: red, green, blue and alpha. */
const RGBA = 4;

/** Bytes per pixel by PNG colour type. Browsers write screenshots as RGB. */
const BYTES_PER_PIXEL: Readonly<Record<number, number>> = { 2: 3, 6: RGBA };

/** An image as rows of RGBA, 8 bits each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** The part of a frame that differs from the frame before. */
interface Change extends Pixels {
  readonly left: number;
  readonly top: number;
}

/**
 * Makes an animated PNG that loops forever. Each frame stores only the pixels that differ from the frame before; equal
 * frames become one that lasts longer. Viewers without animations show the first frame.
 *
 * @param frames - Of equal size, at least one.
 * @param frameMs - Duration of each frame, in milliseconds.
 * @see https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
export function animatedPng(frames: readonly Pixels[], frameMs: number): Buffer {
  const steps: { change: Change; ms: number }[] = [];
  for (const [index, frame] of frames.entries()) {
    const change = index === 0 ? { ...frame, left: 0, top: 0 } : changeOf(frame, frames[index - 1]!);
    if (change) steps.push({ change, ms: frameMs });
    else steps.at(-1)!.ms += frameMs;
  }
  const { width, height } = frames[0]!;
  let sequence = 0;
  const parts = steps.flatMap(({ change, ms }, index) => {
    const blendOver = index > 0 ? 1 : 0;
    const control = chunk(
      'fcTL',
      numbers(sequence++, change.width, change.height, change.left, change.top),
      Buffer.from([ms >> 8, ms & 255, 1000 >> 8, 1000 & 255, 0, blendOver]),
    );
    const data = compressed(change);
    return [control, index === 0 ? chunk('IDAT', data) : chunk('fdAT', numbers(sequence++), data)];
  });
  const header = chunk('IHDR', numbers(width, height), Buffer.from([8, 6, 0, 0, 0]));
  return Buffer.concat([SIGNATURE, header, chunk('acTL', numbers(steps.length, 0)), ...parts, chunk('IEND')]);
}

/**
 * Decodes a PNG of 8-bit RGB or RGBA, without interlacing; of an animation, the first frame.
 *
 * @throws {TypeError} If it is of another kind.
 */
export function decodePng(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const bytes = BYTES_PER_PIXEL[png[25]!];
  if (png[24] !== 8 || bytes === undefined || png[28] !== 0) {
    throw new TypeError(
      `A PNG of ${png[24]} bits and colour type ${png[25]} cannot be decoded: use 8-bit RGB or RGBA.`,
    );
  }
  const stored: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      stored.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const filtered = inflateSync(Buffer.concat(stored));
  const data = Buffer.alloc(width * height * RGBA, 255);
  const length = width * bytes;
  let above: Buffer = Buffer.alloc(length);
  for (let y = 0; y < height; y++) {
    const from = y * (length + 1);
    const row = unfiltered(filtered[from]!, filtered.subarray(from + 1, from + 1 + length), above, bytes);
    for (let x = 0; x < width; x++) row.copy(data, (y * width + x) * RGBA, x * bytes, (x + 1) * bytes);
    above = row;
  }
  return { width, height, data };
}

/** Returns the smallest rectangle that differs, with its equal pixels transparent; null if the frames are equal. */
function changeOf(frame: Pixels, before: Pixels): Change | null {
  const { width, height, data } = frame;
  const differs = (x: number, y: number): boolean => {
    const at = (y * width + x) * RGBA;
    return data.readUInt32BE(at) !== before.data.readUInt32BE(at);
  };
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!differs(x, y)) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), y + 1];
    }
  }
  if (right === 0) return null;
  const change = { left, top, width: right - left, height: bottom - top };
  const pixels = Buffer.alloc(change.width * change.height * RGBA);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * RGBA;
      if (differs(x, y)) data.copy(pixels, ((y - top) * change.width + x - left) * RGBA, at, at + RGBA);
    }
  }
  return { ...change, data: pixels };
}

/** Compresses pixels, with the filter "Up" in each row: most rows of a page equal the row above. */
function compressed({ width, height, data }: Pixels): Buffer {
  const length = width * RGBA;
  const rows = Buffer.alloc((length + 1) * height);
  for (let y = 0; y < height; y++) {
    rows[y * (length + 1)] = 2;
    for (let i = 0; i < length; i++) {
      const above = y > 0 ? data[(y - 1) * length + i]! : 0;
      rows[y * (length + 1) + 1 + i] = data[y * length + i]! - above;
    }
  }
  return deflateSync(rows, { level: 9 });
}

/** Reverses the filter of one row. `bytes`: bytes per pixel. */
function unfiltered(filter: number, stored: Buffer, above: Buffer, bytes: number): Buffer {
  const row = Buffer.alloc(stored.length);
  for (let i = 0; i < stored.length; i++) {
    const a = i < bytes ? 0 : row[i - bytes]!;
    const b = above[i]!;
    const c = i < bytes ? 0 : above[i - bytes]!;
    row[i] = stored[i]! + [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter]!;
  }
  return row;
}

/** PNG's predictor: the neighbour that is nearest to `a + b - c`. */
function paeth(a: number, b: number, c: number): number {
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (toA <= toB && toA <= toC) return a;
  return toB <= toC ? b : c;
}

function chunk(type: string, ...data: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...data]);
  return Buffer.concat([numbers(body.length - 4), body, numbers(crc32(body))]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
