import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parserFor, type PcmParser, UnsupportedFormat } from '../../../src/formats/index.js';
import { chunk, f32, format, riff, s16, s24 } from './wav-file.js';

/** Parses bytes in pieces of `size`. */
function parse(parser: PcmParser, bytes: Uint8Array, size: number = bytes.length): number[] {
  const samples: number[] = [];
  for (let at = 0; at < bytes.length; at += size) samples.push(...parser.push(bytes.subarray(at, at + size)));
  return samples;
}

const wav = (bytes: Uint8Array, size?: number): number[] => parse(parserFor('audio/wav', undefined), bytes, size);

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof UnsupportedFormat);
    return error.message;
  }
  return assert.fail('It was accepted.');
}

describe('A WAV file', () => {
  const plain = riff(format(), chunk('data', s16(1, -2, 32767, -32768)));

  it('yields its samples, however its bytes are split', () => {
    for (let size = 1; size <= plain.length; size++) assert.deepEqual(wav(plain, size), [1, -2, 32767, -32768]);
  });

  it('may have samples of 24 bits, which are rounded', () => {
    const data = chunk('data', s24(0x7fffff, -0x800000, 256, 127, 128, -384));
    assert.deepEqual(wav(riff(format({ bits: 24 }), data), 7), [32767, -32768, 1, 0, 1, -1]);
  });

  it('may have floats, which are clamped', () => {
    const data = chunk('data', f32(0.5, -1, 1, 3, -Infinity, Number.NaN, 1 / 32768));
    assert.deepEqual(wav(riff(format({ tag: 3, bits: 32 }), data), 5), [16384, -32768, 32767, 32767, -32768, 0, 1]);
  });

  it('is mixed down to mono', () => {
    const stereo = riff(format({ channels: 2 }), chunk('data', s16(100, 200, -3, -6, 32767, 32767)));
    assert.deepEqual(wav(stereo, 3), [150, -4, 32767]);
  });

  it('may name its encoding in WAVE_FORMAT_EXTENSIBLE', () => {
    assert.deepEqual(wav(riff(format({ subformat: 3, bits: 32 }), chunk('data', f32(0.5))), 1), [16384]);
  });

  it('may have other chunks before the data, of odd lengths too, and behind it', () => {
    const list = chunk('LIST', new Uint8Array(701));
    const file = riff(
      list,
      chunk('fact', s16(1, 2)),
      format(),
      chunk('JUNK', new Uint8Array(0)),
      chunk('data', s16(5)),
      list,
    );
    for (const size of [1, 2, 13, file.length]) assert.deepEqual(wav(file, size), [5]);
  });

  it('may have an unknown length', () => {
    for (const length of [0, 0xffffffff, 0x7fffffff]) {
      const parser = parserFor('audio/wav', undefined);
      assert.deepEqual(parse(parser, riff(format(), chunk('data', s16(1, 2, 3), length))), [1, 2, 3]);
      assert.equal(parser.missing, 0);
    }
  });

  it('reports its rate once it is known, and how much of it is missing', () => {
    const parser = parserFor('audio/x-wav; charset=binary', undefined);
    parse(parser, plain.subarray(0, 43));
    assert.equal(parser.sampleRate, 0);
    parse(parser, plain.subarray(43, 49));
    assert.deepEqual([parser.sampleRate, parser.missing], [24000, 3]);
  });

  it('is refused if its encoding is not supported, with the encoding in the message', () => {
    assert.match(
      refusalOf(() => wav(riff(format({ bits: 8 })))),
      /8 bits in encoding 1/,
    );
    assert.match(
      refusalOf(() => wav(riff(format({ tag: 7 })))),
      /encoding 7/,
    );
    assert.match(
      refusalOf(() => wav(riff(format({ channels: 0 })))),
      /0 channels/,
    );
    assert.match(
      refusalOf(() => wav(riff(chunk('data', s16(1))))),
      /before its format/,
    );
    assert.match(
      refusalOf(() => wav(new TextEncoder().encode('<!doctype html>'))),
      /not WAV/,
    );
  });
});

describe('Raw samples', () => {
  it('are little-endian as audio/pcm, and big-endian as audio/L16', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5);
    assert.deepEqual(parse(parserFor('audio/pcm;rate=24000', undefined), bytes, 1), [0x201, 0x403]);
    assert.deepEqual(parse(parserFor('audio/L16; rate="16000"', undefined), bytes, 3), [0x102, 0x304]);
  });

  it('have the rate and channels of their type, or else the rate of the page', () => {
    assert.equal(parserFor('audio/L16;channels=1;rate=44100', 8000).sampleRate, 44100);
    assert.equal(parserFor('audio/pcm', 8000).sampleRate, 8000);
    assert.deepEqual(parse(parserFor('audio/L16;rate=8000;channels=2', undefined), Uint8Array.of(0, 2, 0, 4)), [3]);
  });

  it('without a type are distinguished from WAV by their first bytes', () => {
    for (const type of ['', 'application/octet-stream']) {
      const raw = parserFor(type, 16000);
      assert.deepEqual(parse(raw, s16(7, 8, 9), 1), [7, 8, 9]);
      assert.equal(raw.sampleRate, 16000);
      const file = parserFor(type, 16000);
      assert.deepEqual(parse(file, riff(format(), chunk('data', s16(7))), 1), [7]);
      assert.equal(file.sampleRate, 24000);
    }
  });

  it('are refused without a rate, or with an invalid number of channels', () => {
    assert.match(
      refusalOf(() => parserFor('audio/pcm', undefined)),
      /audio\/pcm without a sample rate/,
    );
    assert.match(
      refusalOf(() => parserFor('', undefined).push(s16(1, 2))),
      /without a type without a sample rate/,
    );
    assert.match(
      refusalOf(() => parserFor('audio/pcm;rate=8000;channels=0.5', undefined)),
      /channels/,
    );
  });
});

describe('Audio of another type', () => {
  for (const type of ['audio/mpeg', 'audio/ogg; codecs=opus', 'text/html']) {
    it(`is refused with its name: ${type}`, () =>
      assert.equal(
        refusalOf(() => parserFor(type, 24000)),
        type,
      ));
  }
});
