import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PcmReader } from '../../src/speech/pcm-reader.js';
import { readVoice } from '../../src/speech/voice-stream.js';
import { waveHeader } from './support/fake-speech-server.js';

const SAMPLES = Int16Array.from({ length: 500 }, (_, at) => ((at * 7919) % 60_001) - 30_000);
const RAW = Buffer.from(SAMPLES.buffer);

/** Reads bytes in parts of these sizes, repeating the list. */
function readAll(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]): { samples: number[]; rate: number } {
  const reader = new PcmReader(24_000);
  const samples: number[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    samples.push(...reader.read(bytes.subarray(from, from + size)));
    from += size;
  }
  samples.push(...reader.end());
  return { samples, rate: reader.sampleRate };
}

const sizes = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1 });
const chunk = (name: string, size: number): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, Buffer.alloc(size + (size % 2), 0x55)]);
};

describe('PcmReader', () => {
  it('reads raw samples, however they are cut, and drops half a sample at the end', () => {
    fc.assert(
      fc.property(sizes, (cut) => {
        assert.deepEqual(readAll(RAW, cut), { samples: [...SAMPLES], rate: 24_000 });
        assert.deepEqual(readAll(Buffer.concat([RAW, Buffer.of(1)]), cut).samples, [...SAMPLES]);
      }),
    );
  });

  for (const [what, dataSize] of [
    ['none', 0],
    ['the most there is', 0xffff_ffff],
    ['what espeak-ng writes', 0x7fff_f000],
    ['the truth', RAW.length],
  ] as const) {
    it(`reads WAV whose size is ${what}, with other chunks before the samples, however it is cut`, () => {
      const extra = Buffer.concat([chunk('LIST', 31), chunk('fact', 4)]);
      const bytes = Buffer.concat([waveHeader(16_000, { dataSize, extra }), RAW]);
      fc.assert(
        fc.property(sizes, (cut) => {
          assert.deepEqual(readAll(bytes, cut), { samples: [...SAMPLES], rate: 16_000 });
        }),
      );
    });
  }

  it('ignores chunks after the samples', () => {
    const bytes = Buffer.concat([waveHeader(16_000, { dataSize: RAW.length }), RAW, chunk('LIST', 40)]);
    assert.deepEqual(readAll(bytes, [17]).samples, [...SAMPLES]);
  });

  it('mixes stereo down', () => {
    const stereo = Buffer.from(Int16Array.from([100, 300, -5, -7, 32_767, 32_767]).buffer);
    const bytes = Buffer.concat([waveHeader(16_000, { channels: 2 }), stereo]);
    assert.deepEqual(readAll(bytes, [5]).samples, [200, -6, 32_767]);
  });

  it('reads a stream of two bytes', () => {
    assert.deepEqual(readAll(Buffer.of(1, 2)).samples, [513]);
  });

  it('throws if WAV is cut short, in its header or in its samples', () => {
    const bytes = Buffer.concat([waveHeader(16_000, { dataSize: RAW.length }), RAW]);
    for (const length of [6, 30, bytes.length - 2]) {
      assert.throws(() => readAll(bytes.subarray(0, length), [11]), /ended its audio too early/);
    }
  });

  it('throws at what is neither PCM nor WAV, and at WAV that it cannot read', () => {
    for (const start of ['ID3\u0004', 'OggS', 'fLaC', '<!DOCTYPE html>', '{"error":1}']) {
      assert.throws(() => readAll(Buffer.from(`${start} and more`)), /PCM or WAV/);
    }
    const float = waveHeader(16_000);
    float.writeUInt16LE(3, 20);
    assert.throws(() => readAll(Buffer.concat([float, RAW])), /16 bit/);
    assert.throws(() => readAll(Buffer.concat([waveHeader(16_000, { channels: 6 }), RAW])), /6 channels/);
    assert.throws(() => readAll(Buffer.concat([waveHeader(3), RAW])), /3 Hz/);
    const endless = chunk('junk', 70_000);
    assert.throws(() => readAll(Buffer.concat([waveHeader(8000).subarray(0, 36), endless])), /no samples/);
  });
});

describe('readVoice', () => {
  it('converts audio to the sample rate of the voice', async () => {
    async function* bytes(): AsyncGenerator<Buffer> {
      yield waveHeader(12_000);
      yield RAW;
    }
    let length = 0;
    for await (const samples of readVoice(bytes(), 24_000, 24_000)) length += samples.length;
    assert.equal(length, 2 * SAMPLES.length);
  });
});
