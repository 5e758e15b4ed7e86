import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OtherAudio } from '../../../src/formats/other-audio.js';
import { PlainAudio } from '../../../src/formats/plain-audio.js';
import { joined, pcmOf, plainOf, read, refusalOf } from './parts.js';
import { chunk, f32, format, riff, s16, s24 } from './wav-file.js';

/** Sizes of the pieces in which each file is parsed. */
const SIZES = [1, 2, 3, 5, 13, 10_000];

/** Returns the samples of a file, which are the same in all sizes of pieces. */
function wav(bytes: Uint8Array): number[] {
  const all = SIZES.map((size) => pcmOf(bytes, {}, size).samples);
  for (const samples of all) assert.deepEqual(samples, all[0]);
  return all[0]!;
}

const three = (...samples: number[]): Uint8Array => riff(format(), chunk('data', s16(...samples)));

describe('A WAV file', () => {
  it('may have samples of 24 bits, which are rounded', () => {
    const data = chunk('data', s24(0x7fffff, -0x800000, 256, 127, 128, -384));
    assert.deepEqual(wav(riff(format({ bits: 24 }), data)), [32767, -32768, 1, 0, 1, -1]);
  });

  it('may have floats, which are clamped', () => {
    const data = chunk('data', f32(0.5, -1, 1, 3, -Infinity, Number.NaN, 1 / 32768));
    assert.deepEqual(wav(riff(format({ tag: 3, bits: 32 }), data)), [16384, -32768, 32767, 32767, -32768, 0, 1]);
    const double = new Uint8Array(Float64Array.of(0.25, -2).buffer);
    assert.deepEqual(wav(riff(format({ tag: 3, bits: 64 }), chunk('data', double))), [8192, -32768]);
  });

  it('may have samples of 8 or 32 bits, and 24 bits in 32', () => {
    assert.deepEqual(
      wav(riff(format({ bits: 8 }), chunk('data', Uint8Array.of(0, 128, 129, 255)))),
      [-32768, 0, 256, 32512],
    );
    const data = chunk('data', new Uint8Array(Int32Array.of(0x12345678, -0x80000000).buffer));
    assert.deepEqual(wav(riff(format({ bits: 32 }), data)), [0x1234, -32768]);
    const padded = format({ bits: 24 });
    padded[8 + 12] = 4;
    assert.deepEqual(wav(riff(padded, data)), [0x1234, -32768]);
  });

  // SubtitleEdit/subtitleedit 1264
  it('may have samples of 12 or 20 bits, in 16 or 24', () => {
    for (const [bits, stored] of [
      [12, 16],
      [20, 24],
      [20, 32],
    ] as const) {
      const fmt = format({ bits: stored, channels: 2 });
      fmt[8 + 14] = bits;
      const samples = [0x1230, -0x1230, 0x7ff0, -0x8000];
      const bytes = samples.flatMap((sample) => [...Array<number>(stored / 8 - 2).fill(0), sample & 255, sample >> 8]);
      assert.deepEqual(wav(riff(fmt, chunk('data', Uint8Array.from(bytes)))), [0, -8], `${bits} in ${stored}`);
    }
  });

  it('may have a format of 14 bytes, which does not state the bits', () => {
    for (const bits of [8, 16, 24]) {
      const data = chunk(
        'data',
        Uint8Array.from({ length: 60 }, (_, i) => i),
      );
      const short = chunk('fmt ', format({ bits }).slice(8, 8 + 14));
      assert.deepEqual(wav(riff(short, data)), wav(riff(format({ bits }), data)), `${bits}`);
    }
  });

  it('may have mu-law or A-law (ITU-T G.711)', () => {
    const codes = Uint8Array.of(0x00, 0x80, 0xff, 0x7f, 0x2a, 0xd5);
    assert.deepEqual(wav(riff(format({ tag: 7, bits: 8 }), chunk('data', codes))), [-32124, 32124, 0, 0, -5372, 716]);
    assert.deepEqual(wav(riff(format({ tag: 6, bits: 8 }), chunk('data', codes))), [-5504, 5504, 848, -848, -32256, 8]);
    // GridProtectionAlliance/gsf 392: the bits of the samples before
    for (const tag of [6, 7]) {
      const right = wav(riff(format({ tag, bits: 8 }), chunk('data', codes)));
      for (const bits of [0, 16]) assert.deepEqual(wav(riff(format({ tag, bits }), chunk('data', codes))), right);
    }
  });

  it('is mixed down to mono', () => {
    const stereo = riff(format({ channels: 2 }), chunk('data', s16(100, 200, -3, -6, 32767, 32767)));
    assert.deepEqual(wav(stereo), [150, -4, 32767]);
  });

  it('may name its encoding in WAVE_FORMAT_EXTENSIBLE', () => {
    assert.deepEqual(wav(riff(format({ subformat: 3, bits: 32 }), chunk('data', f32(0.5)))), [16384]);
  });

  it('may be RF64', () => {
    const file = riff(chunk('ds64', new Uint8Array(28)), format(), chunk('data', s16(1, 2), 0xffffffff));
    file.set(new TextEncoder().encode('RF64'));
    assert.deepEqual(wav(file), [1, 2]);
    const endless = riff(format(), chunk('data', s16(3), 0xffffffff));
    assert.deepEqual(wav(joined(endless, file, endless, file)), [3, 1, 2, 3, 1, 2]);
  });

  // MediaArea/MediaInfo 822, libsndfile/libsndfile 399, naudio/NAudio 1231
  it('may be RF64 or BW64, which have their lengths in another chunk', () => {
    const axml = chunk('axml', new Uint8Array(1000).fill(0x91));
    const make = (name: string, low: number, high = 0): Uint8Array => {
      const lengths = new Uint8Array(Uint32Array.of(0, 0, low, high, 0, 0, 0).buffer);
      const file = riff(chunk('ds64', lengths), format(), chunk('data', s16(1, -2, 3), 0xffffffff));
      file.set(new TextEncoder().encode(name));
      return file;
    };
    for (const name of ['RF64', 'BW64']) {
      assert.deepEqual(wav(joined(make(name, 6), axml, make(name, 6))), [1, -2, 3, 1, -2, 3]);
      for (const unknown of [make(name, 0), make(name, 0xffffffff, 0xffffffff)]) {
        assert.deepEqual(wav(joined(unknown, make(name, 6))), [1, -2, 3, 1, -2, 3]);
        assert.equal(plainOf(unknown).missing, 0);
      }
      assert.equal(plainOf(make(name, 1006)).missing, 1000);
      assert.equal(plainOf(make(name, 6, 1)).missing, 2 ** 32);
      for (const contentType of ['audio/pcm;rate=24000', 'application/octet-stream', 'audio/L16;rate=8000']) {
        for (const size of SIZES) assert.deepEqual(read(make(name, 6), contentType, size, 24_000).samples, [1, -2, 3]);
      }
    }
  });

  it('may have other chunks before and behind its samples, of odd lengths too, and without their padding', () => {
    const list = chunk('LIST', new Uint8Array(701));
    const file = riff(
      list,
      chunk('fact', s16(1, 2)),
      format(),
      chunk('JUNK', new Uint8Array(0)),
      chunk('data', s16(5)),
      list,
    );
    assert.deepEqual(wav(file), [5]);
    const unpadded = list.subarray(0, -1);
    assert.deepEqual(wav(riff(unpadded, format(), unpadded, chunk('data', s16(5)), unpadded)), [5]);
    const odd = chunk('data', s24(256)).subarray(0, 8 + 3);
    assert.deepEqual(
      wav(joined(riff(format({ bits: 24 }), odd), three(7), riff(format({ bits: 24 }), odd))),
      [1, 7, 1],
    );
  });

  // polyfloyd/rust-id3 63: a tag with a picture
  it('may have a chunk of any length behind its samples if the name of the chunk is known', () => {
    const long = new Uint8Array(1.5 * 2 ** 20).fill(0x91);
    for (const name of ['id3 ', 'ID3 ', 'LIST', 'bext', 'iXML', 'axml', 'JUNK', 'C2PA']) {
      const file = joined(three(5), chunk(name, long), three(6));
      for (const size of [997, file.length]) assert.deepEqual(pcmOf(file, {}, size).samples, [5, 6], name);
    }
    const twice = joined(three(5), chunk('data', new Uint8Array(2 ** 20)), chunk('data', s16(7)));
    assert.equal(plainOf(twice, {}, 4096).samples.length, 1 + 2 ** 19 + 1);
  });

  // taglib/taglib 733
  it('may have a tag behind its samples', () => {
    const apeTag = (flags: number): Uint8Array =>
      joined(Buffer.from('APETAGEX'), [0xd0, 7, 0, 0, 52, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, flags], new Uint8Array(8));
    const ape = joined(apeTag(0xa0), new Uint8Array(20).fill(0x91), apeTag(0x80));
    const id3 = joined(Buffer.from('TAGA title'), new Uint8Array(118).fill(0x91));
    for (const tags of [[id3], [ape], [ape, id3], [ape.subarray(52), id3]]) {
      for (const size of [...SIZES, 997]) {
        assert.deepEqual(read(joined(three(5), ...tags), '', size).samples, [5]);
        assert.deepEqual(read(joined(three(5), ...tags, three(6)), '', size).samples, [5, 6]);
      }
    }
  });

  // agfline/wavfix 12
  it('may have printable samples of 8 bits or A-law behind the end that its header gives', () => {
    for (const [tag, level] of [
      [1, 0x7e],
      [6, 0x55],
      [7, 0x7d],
    ] as const) {
      const codes = Uint8Array.from({ length: 4000 }, (_, i) => level - (i % 50));
      const right = wav(riff(format({ tag, bits: 8 }), chunk('data', codes)));
      assert.equal(right.length, 4000);
      for (const length of [0, 320, 2001]) {
        assert.deepEqual(wav(riff(format({ tag, bits: 8 }), chunk('data', codes, length))), right, `${tag}, ${length}`);
      }
    }
  });

  // naudio/NAudio 386, FFmpeg/FFmpeg 13
  it('may have any byte as the padding of a chunk', () => {
    for (const pad of [0x20, 0x41, 0x80, 0xff]) {
      const odd = (name: string): Uint8Array => chunk(name, new Uint8Array(27).fill(0x78)).with(8 + 27, pad);
      for (const name of ['LIST', 'PAD ']) {
        const files = [
          riff(odd(name), format(), chunk('data', s16(5))),
          riff(format(), odd(name), chunk('data', s16(5))),
          riff(format(), odd(name), odd('fact'), odd('LIST'), chunk('data', s16(5)), odd(name), odd('LIST')),
        ];
        for (const file of files) assert.deepEqual(wav(file), [5], `${pad}`);
      }
    }
  });

  it('may have a length that its writer did not know', () => {
    const lengths = [0, 0xffffffff, 0x7fffffff, 0x7ffff000, 0x80000000, 2_000_000_000, 3600 * 48_000];
    for (const length of lengths) {
      const file = riff(format(), chunk('data', s16(1, 2, 3), length));
      assert.deepEqual(wav(file), [1, 2, 3], String(length));
      assert.equal(plainOf(file).missing, 0);
    }
  });

  it('may be longer than its header says', () => {
    for (const length of [2, 4, 44]) {
      const samples = Array.from({ length: 100 }, (_, i) => i);
      assert.deepEqual(wav(riff(format(), chunk('data', s16(...samples), length))), samples);
    }
  });

  it('may be followed by others, whatever its length says', () => {
    assert.deepEqual(wav(joined(three(1, 2), three(3), three(4, 5))), [1, 2, 3, 4, 5]);
    const endless = riff(format(), chunk('data', s16(1, 2), 0xffffffff));
    assert.deepEqual(wav(joined(endless, three(3), endless)), [1, 2, 3, 1, 2]);
    const header = riff();
    assert.deepEqual(wav(joined(header, header, three(3), header, three(4))), [3, 4]);
    const empty = three();
    assert.deepEqual(wav(joined(empty, three(3), empty)), [3]);
    assert.deepEqual(plainOf(joined(endless, three(3)), {}, 1), plainOf(joined(endless, three(3))));
  });

  it('may be followed by one of another sample rate', () => {
    const file = joined(three(1), riff(format({ sampleRate: 16_000 }), chunk('data', s16(2))));
    assert.deepEqual(pcmOf(file), { samples: [1, 2], rates: [24_000, 16_000] });
  });

  it('reports how much of it is missing', () => {
    const missingOf = (length: number): number => plainOf(riff(format(), chunk('data', s16(1, 2), length))).missing;
    assert.deepEqual([missingOf(1000), missingOf(2 ** 30 - 1)], [996, 0]);
    assert.throws(() => pcmOf(riff(format({ bits: 8 }), chunk('data', Uint8Array.of(1, 2), 1002))), /1000 bytes more/);
    // Some writers count the header.
    for (const counted of [28, 36, 44]) assert.equal(missingOf(4 + counted), 0);
  });

  it('is refused if it has a megabyte of something else in place of a format', () => {
    const piece = new Uint8Array(2 ** 16);
    for (const [index, parser] of [new PlainAudio('', undefined), new OtherAudio('', undefined)].entries()) {
      const push = (bytes: Uint8Array): unknown[] => [...parser.push(bytes, false)];
      push(riff());
      const feed = (): void => {
        for (let count = 0; count < 17 && !parser.rest; count++) push(piece);
      };
      if (index === 0) feed();
      else assert.match(refusalOf(feed), /WAV that is damaged/);
      assert.ok(parser.rest);
    }
  });

  it('is refused by the name of its encoding', () => {
    const refused = (...chunks: Uint8Array[]): string => refusalOf(() => pcmOf(riff(...chunks)));
    assert.match(refused(format({ tag: 2, bits: 4 })), /ADPCM/);
    assert.match(refused(format({ tag: 85, bits: 0 })), /MP3/);
    const names: [number, RegExp][] = [
      [0xfffe, /EXTENSIBLE/],
      [0x704f, /Opus/],
      [0x566f, /Vorbis/],
      [0x6751, /Vorbis/],
      [0xf1ac, /FLAC/],
      [69, /G\.726/],
      [0x161, /WMA/],
    ];
    for (const [tag, name] of names) assert.match(refused(format({ tag })), name);
    assert.match(refused(format({ tag: 12, bits: 16 })), /16 bits in encoding 12/);
    assert.match(refused(format({ channels: 0 })), /0 channels/);
    assert.match(refused(format({ sampleRate: 0 }), chunk('data', s16(1))), /0 Hz/);
    assert.match(refused(chunk('data', s16(1))), /damaged/);
  });
});
