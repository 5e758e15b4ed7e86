import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnsupportedFormat } from '../../../src/formats/unsupported-format.js';
import { type Container, fileOf, packetOf } from './compressed-file.js';
import { makeRandom, mutated } from './damage.js';
import { joined, partsOf, plainOf } from './parts.js';
import { chunk, f32, format, riff, s16, s24 } from './wav-file.js';

const FILES = process.env.SVC_LONG ? 1_000_000 : 6000;
/** Bytes of array buffers that parsers may keep between two files. */
const MEMORY_BYTES = 2 ** 26;
const TYPES = [
  'audio/wav',
  '',
  'audio/mpeg',
  'audio/ogg',
  'audio/pcm;rate=24000',
  'audio/L16;rate=8000;channels=2',
  'audio/pcm;rate=24000;bits=24',
];
const CONTAINERS: readonly Container[] = ['mp3', 'adts', 'ogg', 'webm'];

function rf64(): Uint8Array {
  const lengths = new Uint8Array(Uint32Array.of(0, 0, 8, 0, 4, 0, 0).buffer);
  const file = riff(
    chunk('ds64', lengths),
    format(),
    chunk('data', s16(1, 2, 3, 4), 0xffffffff),
    chunk('axml', lengths),
  );
  file.set(Buffer.from('RF64'));
  return file;
}

const wavs = [
  riff(format(), chunk('data', s16(1, 2, 3, 4, 5))),
  riff(format({ bits: 24, channels: 2 }), chunk('data', s24(1, 2, 3, 4), 0)),
  riff(
    chunk('LIST', new Uint8Array(9)),
    format({ subformat: 3, bits: 32 }),
    chunk('data', f32(1, Number.NaN), 0xffffffff),
  ),
  riff(format(), chunk('fact', s16(1, 2)), chunk('data', s16(7)), chunk('LIST', new Uint8Array(3))),
  rf64(),
];

async function seeds(): Promise<Uint8Array[]> {
  const packets = (container: Container): Uint8Array[] =>
    Array.from({ length: 6 }, (_, index) => packetOf(container, new Uint8Array(20 + index).fill(index)));
  const files = await Promise.all(CONTAINERS.map((container) => fileOf(container, packets(container))));
  const text = new TextEncoder().encode('{"error":{"message":"Kein Guthaben für sk-abc: https://a.test/?b=c"}}');
  const joins = [
    joined(wavs[0]!, wavs[3]!),
    joined(files[0]!, files[0]!),
    joined(files[2]!, files[1]!),
    joined(files[3]!, files[3]!),
    joined(wavs[2]!, text),
    joined(s16(...Array.from({ length: 300 }, (_, i) => 20 * i)), text),
    riff(format(), chunk('data', files[0]!)),
    joined(wavs[0]!, Buffer.from('TAG'), new Uint8Array(125), files[1]!),
  ];
  return [...wavs, ...files, ...joins, text, s16(...Array.from({ length: 50 }, (_, i) => 900 * i))];
}

describe('The parsers', () => {
  it(`read ${FILES} damaged files: they end, return no more than they got, and throw only UnsupportedFormat`, async () => {
    const files = await seeds();
    const random = makeRandom(16);
    let accepted = 0;
    let refused = 0;
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < FILES; count++) {
      const bytes = mutated(files[random(files.length)]!, random);
      const hints = { contentType: TYPES[random(TYPES.length)]!, ...(random(3) > 0 && { sampleRate: 24_000 }) };
      const size = 1 + random(300);
      try {
        const { samples, rest, missing } = plainOf(bytes, hints, size);
        assert.ok(samples.length * 2 <= bytes.length && missing >= 0 && missing < 2 ** 53);
        if (rest) {
          assert.ok(rest.length <= bytes.length);
          const parts = partsOf(rest, hints, size);
          const length = parts.reduce(
            (sum, part) => sum + ('data' in part ? part.data.length : part.samples.length),
            0,
          );
          assert.ok(length <= rest.length);
        }
        accepted++;
      } catch (error) {
        const isTruncated = error instanceof Error && /announces \d+ bytes more/.test(error.message);
        if (!(error instanceof UnsupportedFormat) && !isTruncated) throw error;
        refused++;
      }
      if (count % 10_000 === 0) {
        globalThis.gc?.();
        assert.ok(process.memoryUsage().arrayBuffers - before < MEMORY_BYTES);
      }
    }
    assert.ok(accepted > FILES / 4 && refused > FILES / 20, `${accepted} accepted, ${refused} refused`);
  });

  it('return the same for every length of the pieces', async () => {
    const files = await seeds();
    const random = makeRandom(18);
    for (let count = 0; count < FILES / 10; count++) {
      const bytes = mutated(files[random(files.length)]!, random);
      const hints = { contentType: TYPES[random(TYPES.length)]!, sampleRate: 24_000 };
      const outcome = (size: number): string => {
        const { samples, rest } = plainOf(bytes, hints, size);
        if (!rest) return JSON.stringify(samples);
        try {
          const parts = partsOf(rest, hints, size);
          const pcm = parts.flatMap((part) => ('samples' in part ? [...part.samples] : []));
          const packets = parts.flatMap((part) =>
            'data' in part ? [{ data: [...part.data], track: part.track }] : [],
          );
          return JSON.stringify([samples, pcm, packets]);
        } catch (error) {
          return String(error);
        }
      };
      const whole = outcome(bytes.length || 1);
      for (const size of [1, 1 + random(50)]) assert.equal(outcome(size), whole, Buffer.from(bytes).toString('base64'));
    }
  });
});
