import { crc32, deflateSync } from 'node:zlib';
import { GLYPH_HEIGHT, GLYPH_WIDTH, isInk } from './pixel-font.js';

/** Width of a picture in pixels. */
const WIDTH = 1500;

/** Red, green and blue, each 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

const PAPER: Colour = [255, 255, 255];
const SPEECH: Colour = [60, 80, 130];
const AXIS: Colour = [90, 90, 90];
const MARK: Colour = [0, 130, 60];

/** Height in pixels of the time axis below each row, and of the mark names above it. */
const AXIS_HEIGHT = 18;
const NAMES_HEIGHT = 14;
/** Seconds per tick, and ticks per label. */
const TICK_SECONDS = 0.05;
const LABEL_TICKS = 4;
/** Height of a flag, the triangle at a narrow stretch, and the width below which a stretch gets one. In pixels. */
const FLAG = 11;

/** Samples `[from, to)` and their background colour. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly colour: Colour;
}

/** A named moment. */
export interface NamedInstant {
  readonly name: string;
  /** In samples. */
  readonly at: number;
}

/** The drawn part of a recording, and its layout. */
export interface View {
  /** In samples. */
  readonly from: number;
  readonly to: number;
  readonly rowSamples: number;
  /** Height of the waveform, in pixels. */
  readonly rowHeight: number;
  /** Adds a time axis, names of moments, and flags at narrow stretches. */
  readonly axis?: { readonly sampleRate: number; readonly marks: readonly NamedInstant[] };
}

/**
 * Draws a recording as a waveform, in rows.
 *
 * @param stretches - Parts to colour; later ones cover earlier ones.
 * @returns A PNG file.
 */
export function drawWaveform(samples: Float32Array, stretches: readonly Stretch[], view: View): Buffer {
  const { from: start, to: end, rowSamples, rowHeight, axis } = view;
  const perPixel = rowSamples / WIDTH;
  const rows = Math.max(1, Math.ceil((end - start) / rowSamples));
  const top = axis ? NAMES_HEIGHT : 0;
  const pitch = top + rowHeight + (axis ? AXIS_HEIGHT : 0);
  const image = new Image(WIDTH, rows * pitch);
  const columnOf = (at: number): number => Math.floor((at - start) / perPixel);
  const behind: Colour[] = Array.from({ length: rows * WIDTH }, () => PAPER);
  for (const { from, to, colour } of stretches) {
    const first = Math.max(0, columnOf(from));
    behind.fill(colour, first, Math.max(first, columnOf(to)) + 1);
  }
  for (let column = 0; column < rows * WIDTH; column++) {
    const first = start + Math.floor(column * perPixel);
    let low = samples[first] ?? 0;
    let high = low;
    // One more sample than in the column, so that neighbouring columns join.
    for (let i = first + 1; i <= Math.min(end - 1, first + Math.ceil(perPixel)); i++) {
      low = Math.min(low, samples[i]!);
      high = Math.max(high, samples[i]!);
    }
    const upper = Math.floor((1 - high) * (rowHeight / 2));
    const lower = Math.floor((1 - low) * (rowHeight / 2));
    const y0 = Math.floor(column / WIDTH) * pitch + top;
    for (let y = 0; y < rowHeight; y++) {
      const colour = first < end && y >= upper && y <= lower ? SPEECH : behind[column]!;
      image.set(column % WIDTH, y0 + y, colour);
    }
  }
  if (!axis) return image.encode();

  const rowOf = (column: number): number => Math.floor(column / WIDTH) * pitch;
  for (let row = 0; row < rows; row++) drawAxis(image, axis.sampleRate, view, row, row * pitch + top + rowHeight);
  for (const { name, at } of axis.marks) {
    const column = columnOf(at);
    if (column < 0 || column >= rows * WIDTH) continue;
    const x = column % WIDTH;
    for (let y = 0; y < top + rowHeight; y += 2) image.set(x, rowOf(column) + y, MARK);
    const width = name.length * (GLYPH_WIDTH + 1);
    image.write(name, x + 3 + width > WIDTH ? x - 2 - width : x + 3, rowOf(column) + 3, MARK);
  }
  for (const { from, to, colour } of stretches) {
    const column = Math.max(0, columnOf(from));
    if ((to - from) / perPixel >= FLAG || column >= rows * WIDTH) continue;
    drawFlag(image, column % WIDTH, rowOf(column) + top, colour);
  }
  return image.encode();
}

/** Draws the ticks of a row and their labels in seconds. */
function drawAxis(image: Image, sampleRate: number, { from, rowSamples }: View, row: number, y: number): void {
  const start = (from + row * rowSamples) / sampleRate;
  const seconds = rowSamples / sampleRate;
  for (let x = 0; x < WIDTH; x++) image.set(x, y, AXIS);
  for (let tick = Math.ceil(start / TICK_SECONDS - 1e-6); tick * TICK_SECONDS < start + seconds; tick++) {
    const x = Math.round(((tick * TICK_SECONDS - start) / seconds) * WIDTH);
    const isLabelled = tick % LABEL_TICKS === 0;
    for (let height = 0; height < (isLabelled ? 7 : 4); height++) image.set(x, y + height, AXIS);
    if (isLabelled) image.write(`${(tick * TICK_SECONDS).toFixed(1)} s`, x + 3, y + 6, AXIS);
  }
}

/** Draws a triangle that points down, in a darker shade of a colour. */
function drawFlag(image: Image, x: number, y: number, [red, green, blue]: Colour): void {
  const dark: Colour = [red * 0.75, green * 0.3, blue * 0.3];
  for (let height = 0; height < FLAG; height++) {
    const half = (FLAG - 1 - height) >> 1;
    for (let dx = -half; dx <= half; dx++) image.set(x + dx, y + height, dark);
  }
}

/** An RGB image, initially white. */
class Image {
  readonly #pixels: Buffer;
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number) {
    this.#pixels = Buffer.alloc(width * height * 3, 255);
    this.#width = width;
    this.#height = height;
  }

  /** Sets a pixel if it lies inside the image. */
  set(x: number, y: number, colour: Colour): void {
    if (x >= 0 && x < this.#width && y >= 0 && y < this.#height) this.#pixels.set(colour, (y * this.#width + x) * 3);
  }

  /** Writes a text; `x` and `y` are its top left corner. */
  write(text: string, x: number, y: number, colour: Colour): void {
    for (let dy = 0; dy < GLYPH_HEIGHT; dy++) {
      for (let dx = 0; dx < text.length * (GLYPH_WIDTH + 1); dx++) {
        if (isInk(text, dx, dy)) this.set(x + dx, y + dy, colour);
      }
    }
  }

  encode(): Buffer {
    return encodePng(this.#pixels, this.#width, this.#height);
  }
}

/** Encodes a PNG file of 8-bit red, green and blue (ISO/IEC 15948). */
function encodePng(pixels: Buffer, width: number, height: number): Buffer {
  const lines = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y++) {
    // Each line begins with its filter type: 0, none.
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
