import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parserFor, UnsupportedFormat } from '../../../src/formats/index.js';
import { mutated, makeRandom } from './damage.js';
import { chunk, f32, format, riff, s16, s24 } from './wav-file.js';

const FILES = process.env.SVC_LONG ? 1_000_000 : 10_000;
const TYPES = ['audio/wav', '', 'application/octet-stream', 'audio/pcm;rate=24000', 'audio/L16;rate=8000;channels=2'];

const seeds = [
  riff(format(), chunk('data', s16(1, 2, 3, 4, 5))),
  riff(format({ bits: 24, channels: 2 }), chunk('data', s24(1, 2, 3, 4), 0)),
  riff(
    chunk('LIST', new Uint8Array(9)),
    format({ subformat: 3, bits: 32 }),
    chunk('data', f32(1, Number.NaN), 0xffffffff),
  ),
  riff(format(), chunk('fact', s16(1, 2)), chunk('data', s16(7)), chunk('LIST', new Uint8Array(3))),
];

describe('The parsers', () => {
  it(`handle ${FILES} damaged files: they end, return no more samples than bytes, and throw only UnsupportedFormat`, () => {
    const random = makeRandom(16);
    let accepted = 0;
    let refused = 0;
    for (let count = 0; count < FILES; count++) {
      const bytes = mutated(seeds[random(seeds.length)]!, random);
      try {
        const parser = parserFor(TYPES[random(TYPES.length)]!, random(3) === 0 ? undefined : 24000);
        const size = 1 + random(40);
        let samples = 0;
        for (let at = 0; at < bytes.length; at += size) samples += parser.push(bytes.subarray(at, at + size)).length;
        assert.ok(samples * 2 <= bytes.length);
        assert.ok(parser.missing >= 0 && parser.missing < 2 ** 31);
        accepted++;
      } catch (error) {
        if (!(error instanceof UnsupportedFormat)) throw error;
        refused++;
      }
    }
    assert.ok(accepted > FILES / 10 && refused > FILES / 20, `${accepted} accepted, ${refused} refused`);
  });

  it('skip a chunk of 4 GB without buffering it', () => {
    const parser = parserFor('audio/wav', undefined);
    parser.push(riff(format(), chunk('JUNK', new Uint8Array(2), 0xfffffffe)));
    const piece = new Uint8Array(2 ** 20);
    globalThis.gc?.();
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 256; count++) assert.equal(parser.push(piece).length, 0);
    assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 21);
  });
});
