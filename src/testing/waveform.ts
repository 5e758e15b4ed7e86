import { crc32, deflateSync } from 'node:zlib';

/** Pixels across. */
const WIDTH = 1500;

/** Red, green and blue, each 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

const PAPER: Colour = [255, 255, 255];
const SPEECH: Colour = [60, 80, 130];

/** Samples `[from, to)`, and the colour behind them. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly colour: Colour;
}

/** What part of a recording is drawn, and how. */
export interface View {
  /** In samples. */
  readonly from: number;
  readonly to: number;
  readonly rowSamples: number;
  /** In pixels. */
  readonly rowHeight: number;
}

/**
 * Draws a recording as a waveform, in rows.
 *
 * @param stretches - What to colour; a later one covers those before.
 * @returns A PNG file.
 */
export function drawWaveform(
  samples: Float32Array,
  stretches: readonly Stretch[],
  { from: start, to: end, rowSamples, rowHeight }: View,
): Buffer {
  const perPixel = rowSamples / WIDTH;
  const rows = Math.max(1, Math.ceil((end - start) / rowSamples));
  const image = Buffer.alloc(WIDTH * 3 * rows * rowHeight);
  const behind: Colour[] = Array.from({ length: rows * WIDTH }, () => PAPER);
  for (const { from, to, colour } of stretches) {
    const first = Math.max(0, Math.floor((from - start) / perPixel));
    behind.fill(colour, first, Math.max(first, Math.floor((to - start) / perPixel) + 1));
  }
  for (let column = 0; column < rows * WIDTH; column++) {
    const first = start + Math.floor(column * perPixel);
    let low = samples[first] ?? 0;
    let high = low;
    // One sample more than there are, so that neighbouring columns meet.
    for (let i = first + 1; i <= Math.min(end - 1, first + Math.ceil(perPixel)); i++) {
      low = Math.min(low, samples[i]!);
      high = Math.max(high, samples[i]!);
    }
    const top = Math.floor((1 - high) * (rowHeight / 2));
    const bottom = Math.floor((1 - low) * (rowHeight / 2));
    for (let y = 0; y < rowHeight; y++) {
      const colour = first < end && y >= top && y <= bottom ? SPEECH : behind[column]!;
      const row = Math.floor(column / WIDTH) * rowHeight + y;
      image.set(colour, (row * WIDTH + (column % WIDTH)) * 3);
    }
  }
  return encodePng(image, WIDTH, rows * rowHeight);
}

/** A PNG file of 8-bit red, green and blue (ISO/IEC 15948). */
function encodePng(pixels: Buffer, width: number, height: number): Buffer {
  const lines = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y++) {
    // The byte before each line is its filter: none.
    pixels.copy(lines, y * (width * 3 + 1) + 1, y * width * 3, (y + 1) * width * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}
