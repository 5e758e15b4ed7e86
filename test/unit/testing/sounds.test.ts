import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { joined, noise, silence, tone, wav } from '../../../src/testing/index.js';
import { encodeWav } from '../../../src/testing/wav.js';
import { drawWaveform } from '../../../src/testing/waveform.js';

describe('Sounds', () => {
  it('have the requested length, at any rate', () => {
    assert.equal(tone(440, 0.5).samples.length, 12_000);
    assert.equal(tone(440, 0.5, { sampleRate: 8000 }).samples.length, 4000);
    assert.equal(silence(2).samples.length, 48_000);
  });

  it('of noise differ by seed, and are equal for the same seed', () => {
    assert.deepEqual(noise(1, 0.01), noise(1, 0.01));
    assert.notDeepEqual(noise(1, 0.01), noise(2, 0.01));
  });

  it('are joined one after the other', () => {
    const { samples } = joined(tone(440, 0.1), silence(0.1), tone(220, 0.1));
    assert.equal(samples.length, 7200);
    assert.deepEqual(samples.slice(4800), tone(220, 0.1).samples);
  });

  it('of two rates cannot be joined', () => {
    assert.throws(() => joined(tone(1, 1), tone(1, 1, { sampleRate: 8000 })), /24000 and 8000 Hz cannot be joined/);
  });
});

describe('WAV files', () => {
  it('contain the encoded samples', () => {
    fc.assert(
      fc.property(fc.int16Array({ maxLength: 50 }), fc.integer({ min: 8000, max: 96_000 }), (samples, sampleRate) => {
        const read = wav(
          encodeWav(
            Float32Array.from(samples, (sample) => sample / 32768),
            sampleRate,
          ),
        );
        assert.deepEqual(read, { samples: Int16Array.from(samples), sampleRate });
      }),
    );
  });

  it('are read from a path, and may have unknown chunks', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wav-'));
    const plain = encodeWav(Float32Array.of(0.5, -0.5), 24_000);
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    const path = join(folder, 'a.wav');
    writeFileSync(path, Buffer.concat([plain.subarray(0, 36), list, plain.subarray(36)]));
    assert.deepEqual(wav(path).samples, Int16Array.of(16_384, -16_384));
    rmSync(folder, { recursive: true });
  });

  it('that are stereo are refused with the way to make them mono', () => {
    const file = encodeWav(Float32Array.of(0, 0), 24_000);
    file.writeUInt16LE(2, 22);
    assert.throws(() => wav(file), /2 channel\(s\) of 16 bits.*sox in\.wav -c 1/);
  });

  it('are distinguished from other data', () => {
    assert.throws(() => wav(Buffer.alloc(60)), /This is no WAV file/);
  });
});

describe('The picture of a recording', () => {
  it('has a row for each interval of time', () => {
    const view = { from: 0, to: 5000, rowSamples: 2000, rowHeight: 10 };
    const png = drawWaveform(new Float32Array(5000), [{ from: 1, to: 2, colour: [255, 0, 0] }], view);
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1500, 30]);
  });

  it('has a time axis, the names of marks, and flags at ranges that are too short to be seen', () => {
    const marks = [{ name: 'pause', at: 10_000 }];
    const view = { from: 0, to: 40_000, rowSamples: 48_000, rowHeight: 60, axis: { sampleRate: 24_000, marks } };
    const png = drawWaveform(new Float32Array(40_000), [{ from: 20_000, to: 20_001, colour: [240, 120, 120] }], view);
    const columnsOf = columnsByColour(png);
    // A tick every 0.05 s; a dotted line and five letters; a triangle of eleven pixels whose point is at the place.
    assert.equal(columnsOf('90,90,90').size, 1500);
    const name = columnsOf('0,130,60');
    assert.equal(Math.min(...name), Math.floor((10_000 / 48_000) * 1500));
    assert.ok(name.size > 20 && name.size <= 35, `${name.size}`);
    const flag = [...columnsOf('180,36,36')];
    assert.equal(flag.length, 11);
    assert.equal((Math.min(...flag) + Math.max(...flag)) / 2, Math.floor((20_000 / 48_000) * 1500));
  });
});

/** Returns a function that finds the columns of a picture in which a colour occurs. */
function columnsByColour(png: Buffer): (colour: string) => Set<number> {
  const width = png.readUInt32BE(16);
  // Skip the signature, the header, and the length and name of the only chunk of pixels.
  const lines = inflateSync(png.subarray(41));
  const columns = new Map<string, Set<number>>();
  for (let at = 0; at < lines.length; at += width * 3 + 1) {
    for (let x = 0; x < width; x++) {
      const colour = lines.subarray(at + 1 + 3 * x, at + 4 + 3 * x).join(',');
      columns.set(colour, (columns.get(colour) ?? new Set()).add(x));
    }
  }
  return (colour) => columns.get(colour) ?? new Set();
}
