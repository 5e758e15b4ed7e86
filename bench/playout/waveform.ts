import { crc32, deflateSync } from 'node:zlib';
import type { Alignment } from './alignment.js';
import type { Run } from './silence.js';
import { OUTPUT_PER_MS } from './simulate.js';

/** Pixels across. */
const WIDTH = 1500;

/** What part of a recording is drawn, and how. */
export interface View {
  /** In output samples. */
  readonly from: number;
  readonly to: number;
  readonly rowMs: number;
  /** In pixels. */
  readonly rowHeight: number;
}

/** Red, green and blue of the paper, of speech, and of what may lie behind it: see `drawWaveform`. */
const COLOURS = [
  [255, 255, 255],
  [60, 80, 130],
  [230, 60, 50],
  [255, 205, 110],
  [180, 225, 180],
] as const;
const [PAPER, SPEECH, SILENT, PUT_IN, TOUCHED] = [0, 1, 2, 3, 4] as const;

/**
 * Draws what was played: speech in blue; behind it red where the player was silent, yellow where it put sound in, green
 * where it took some out or faded.
 *
 * @returns A PNG file.
 */
export function drawWaveform(
  output: Float32Array,
  silent: readonly Run[],
  { breaks }: Alignment,
  { from: start, to: end, rowMs, rowHeight }: View,
): Buffer {
  const perPixel = (rowMs * OUTPUT_PER_MS) / WIDTH;
  const rows = Math.ceil((end - start) / (rowMs * OUTPUT_PER_MS));
  const image = Buffer.alloc(WIDTH * 3 * rows * rowHeight);
  const behind = new Uint8Array(rows * WIDTH).fill(PAPER);
  const paint = (colour: number, from: number, to: number): void => {
    const first = Math.max(0, Math.floor((from - start) / perPixel));
    behind.fill(colour, first, Math.max(first, Math.floor((to - start) / perPixel) + 1));
  };
  for (const { from, to, speech, silence } of breaks) {
    paint(to - from - silence - speech > OUTPUT_PER_MS ? PUT_IN : TOUCHED, from, to);
  }
  for (const { from, to } of silent) paint(SILENT, from, to);
  for (let column = 0; column < rows * WIDTH; column++) {
    const first = start + Math.floor(column * perPixel);
    let low = output[first]!;
    let high = low;
    // One sample more than there are, so that neighbouring columns meet.
    for (let i = first + 1; i <= Math.min(end - 1, first + Math.ceil(perPixel)); i++) {
      low = Math.min(low, output[i]!);
      high = Math.max(high, output[i]!);
    }
    const top = Math.floor((1 - high) * (rowHeight / 2));
    const bottom = Math.floor((1 - low) * (rowHeight / 2));
    for (let y = 0; y < rowHeight; y++) {
      const colour = first < end && y >= top && y <= bottom ? SPEECH : behind[column]!;
      const row = Math.floor(column / WIDTH) * rowHeight + y;
      image.set(COLOURS[colour]!, (row * WIDTH + (column % WIDTH)) * 3);
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
