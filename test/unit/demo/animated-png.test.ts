import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { animatedPng, decodePng, type Pixels } from '../../demo/animated-png.js';

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];

/** Makes a row of three pixels. */
const row = (...pixels: readonly number[][]): Pixels => ({ width: 3, height: 1, data: Buffer.from(pixels.flat()) });

/** Returns the content of all chunks of a type. */
function chunksOf(png: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === type)
      found.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return found;
}

describe('animatedPng', () => {
  it('shows the first frame where animations are not known', () => {
    const frame = row(RED, BLUE, RED);
    assert.deepEqual(decodePng(animatedPng([frame, row(RED, RED, RED)], 100)), frame);
  });

  it('stores only the rectangle that changes', () => {
    const png = animatedPng([row(RED, BLUE, RED), row(RED, RED, RED)], 100);
    const control = chunksOf(png, 'fcTL')[1]!;
    const [width, height, left, top] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at));
    assert.deepEqual({ width, height, left, top }, { width: 1, height: 1, left: 1, top: 0 });
  });

  it('shows equal frames as one that lasts longer', () => {
    const png = animatedPng([row(RED, RED, RED), row(RED, RED, RED), row(RED, RED, BLUE)], 100);
    assert.deepEqual(
      chunksOf(png, 'fcTL').map((control) => control.readUInt16BE(20)),
      [200, 100],
    );
  });
});

describe('decodePng', () => {
  it('reverses every filter of a PNG', () => {
    const rows = [
      [0, 10, 20, 30, 40, 50, 60],
      [1, 1, 2, 3, 4, 5, 6],
      [2, 1, 2, 3, 4, 5, 6],
      [3, 1, 2, 3, 4, 5, 6],
      [4, 1, 2, 3, 4, 5, 6],
    ];
    const { data } = decodePng(rgb(2, rows));
    const colors = rows.map((_, y) => [...data.subarray(8 * y, 8 * y + 8)].filter((_value, index) => index % 4 < 3));
    assert.deepEqual(colors, [
      [10, 20, 30, 40, 50, 60],
      [1, 2, 3, 5, 7, 9],
      [2, 4, 6, 9, 12, 15],
      [2, 4, 6, 9, 13, 16],
      [3, 6, 9, 13, 18, 22],
    ]);
  });
});

/** Makes a PNG of RGB from rows that begin with the number of their filter. */
function rgb(width: number, rows: readonly number[][]): Buffer {
  const png = animatedPng([{ width, height: rows.length, data: Buffer.alloc(4 * width * rows.length) }], 100);
  png[25] = 2;
  const head = png.subarray(0, 33);
  const data = deflateSync(Buffer.from(rows.flat()));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([head, length, Buffer.from('IDAT'), data, Buffer.alloc(4)]);
}
