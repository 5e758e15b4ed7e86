import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PlainAudio } from '../../../src/formats/plain-audio.js';
import { joined, plainOf } from './parts.js';
import { chunk, format, riff, s16 } from './wav-file.js';

const file = riff(format(), chunk('data', s16(1, -2, 32767, -32768)));
const pcm = { contentType: 'audio/pcm;rate=24000' };

describe('Plain audio', () => {
  it('is WAV of any Content-Type, however its bytes are split', () => {
    for (const contentType of ['audio/wav', 'audio/mpeg', '', 'text/plain', 'audio/pcm;rate=8000']) {
      for (let size = 1; size <= file.length; size++) {
        const { samples, rest, sampleRate } = plainOf(file, { contentType }, size);
        assert.deepEqual([samples, rest, sampleRate], [[1, -2, 32767, -32768], null, 24_000]);
      }
    }
  });

  it('is raw samples that begin below a sixteenth of full scale', () => {
    const samples = [2047, -2048, 8191, 32767];
    for (const contentType of ['', 'application/octet-stream', 'audio/pcm', 'audio/x-pcm', 'audio/pcm;rate=16000']) {
      for (const size of [1, 3, 8]) {
        const plain = plainOf(s16(...samples), { contentType, sampleRate: 16_000 }, size);
        assert.deepEqual(plain, { samples, rest: null, sampleRate: 16_000, missing: 0 });
      }
    }
    const stereo = plainOf(s16(2, 4, 6, 8), {
      contentType: 'audio/pcm; Rate="8000"; channels=2',
    });
    assert.deepEqual([stereo.samples, stereo.sampleRate], [[3, 7], 8000]);
    assert.deepEqual(plainOf(s16(7), pcm).samples, [7]);
  });

  it('ends where another sample rate or encoding begins', () => {
    const slow = riff(format({ sampleRate: 16_000 }), chunk('data', s16(3)));
    const law = riff(format({ tag: 7, bits: 8 }), chunk('data', s16(3)));
    for (const other of [slow, law]) {
      for (const size of [1, 7, 1000]) {
        const { samples, rest } = plainOf(joined(file, file, other, file), {}, size);
        assert.deepEqual(samples, [1, -2, 32767, -32768, 1, -2, 32767, -32768]);
        assert.deepEqual(rest, joined(other, file));
      }
    }
  });

  it('is nothing that may be something else', () => {
    const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
    const others = [
      ascii('{"error":1}'),
      ascii('{\n  "error": 1}'),
      ascii('<html></html>'),
      ascii('ID3 the tag'),
      ascii('OggS and so on'),
      ascii('fLaC and so on'),
      ascii('失敗しました'),
      joined([0, 0, 0, 24], ascii('ftypM4A ')),
      joined([0x1a, 0x45, 0xdf, 0xa3], ascii('more of it')),
      joined([0xff, 0xfb, 0x90, 0x64], new Uint8Array(20)),
      joined([0xff, 0xf1, 0x50, 0x80], new Uint8Array(20)),
      riff(format({ tag: 7, bits: 8 }), chunk('data', s16(1))),
      s16(20_000, 1, 2, 3),
    ];
    for (const bytes of others) {
      assert.deepEqual(plainOf(bytes, pcm), { samples: [], rest: bytes, sampleRate: 0, missing: 0 });
    }
    for (const contentType of [
      'audio/L16;rate=8000',
      'audio/pcm;rate=8000;endianness=big-endian',
      'audio/mpeg',
      'audio/pcm',
    ]) {
      assert.deepEqual(plainOf(s16(1, 2, 3, 4), { contentType }).rest, s16(1, 2, 3, 4), contentType);
    }
    assert.deepEqual(plainOf(s16(1), { contentType: 'audio/pcm;rate=8000;channels=0.5' }).rest, s16(1));
  });

  it('skips a chunk of 4 GB without buffering it', () => {
    const parser = new PlainAudio('', undefined);
    parser.push(riff(format(), chunk('JUNK', new Uint8Array(2), 0xfffffffe)), false);
    const piece = new Uint8Array(2 ** 20);
    globalThis.gc?.();
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 256; count++) assert.deepEqual(parser.push(piece, false), []);
    assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 22);
  });
});
