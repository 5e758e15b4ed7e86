import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Container, fileOf, packetOf } from './compressed-file.js';
import { makeRandom } from './damage.js';
import { joined, partsOf, plainOf } from './parts.js';
import { chunk, f32, format, riff, s16 } from './wav-file.js';

const RATE = 24_000;
/** Number of beginnings of raw samples that are tried. */
const STARTS = process.env.SVC_LONG ? 20_000 : 500;
const CONTAINERS: readonly Container[] = ['mp3', 'adts', 'ogg', 'webm'];
const wav = riff(format(), chunk('data', s16(...Array.from({ length: 5000 }, (_, i) => 100 * (i % 50)))));

/** Parses a stream that has no type, as the worker and the page do. Returns the samples and the packets. */
function guessed(bytes: Uint8Array, size: number, contentType = '') {
  const hints = { contentType, sampleRate: RATE };
  const { samples, rest } = plainOf(bytes, hints, size);
  const parts = rest ? partsOf(rest, hints, size) : [];
  const pcm = parts.flatMap((part) => ('samples' in part ? [...part.samples] : []));
  return { samples: [...samples, ...pcm], packets: parts.flatMap((part) => ('data' in part ? [[...part.data]] : [])) };
}

const compressed = (container: Container): Promise<Uint8Array> =>
  fileOf(
    container,
    Array.from({ length: 40 }, (_, index) => packetOf(container, new Uint8Array(150).fill(index + 1))),
  );

describe('A stream of which only the sample rate is known', () => {
  it('is the file behind zeros, junk or a tag', async () => {
    const random = makeRandom(37);
    const junk = (length: number): Uint8Array => Uint8Array.from({ length }, () => random(256));
    const quiet = s16(...Array.from({ length: 500 }, () => random(400) - 200));
    const tag = joined([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 2, 0], junk(256));
    const heads = [new Uint8Array(1), new Uint8Array(999), new Uint8Array(4096), junk(1), junk(300), quiet, tag];
    for (const container of CONTAINERS) {
      const file = await compressed(container);
      const { packets } = guessed(file, 1000);
      assert.equal(packets.length, 40);
      for (const head of [...heads, joined(new Uint8Array(2000), junk(100)), joined(new Uint8Array(50), tag)]) {
        for (const size of [7, 997, 100_000]) {
          const found = guessed(joined(head, file), size);
          assert.deepEqual(found, { samples: [], packets }, `${container} behind ${head.length} bytes`);
        }
      }
    }
    const right = guessed(wav, 1000);
    assert.deepEqual(guessed(joined(quiet, wav), 997), right);
  });

  it('is samples if it has signatures of which only a part is right', () => {
    const signatures = ['ID3\x07', '\x02E\xdf\xa3', 'RIFF    WAVX', 'ID3\x04'].map((text) =>
      Buffer.from(text, 'latin1'),
    );
    const bytes = joined(s16(5, -5, 5, -5), ...signatures, new Uint8Array(5000), s16(7, 8, 9));
    for (const size of [7, 100_000]) assert.deepEqual(guessed(bytes, size).samples.slice(-3), [7, 8, 9]);
  });

  it('is silence and then a file if many zeros precede it', async () => {
    const file = await compressed('mp3');
    const { packets } = guessed(file, 1000);
    for (const size of [1, 4096, 100_000]) {
      const found = guessed(joined(new Uint8Array(70_000), file), size);
      assert.deepEqual(found, { samples: Array(35_000).fill(0), packets });
    }
  });

  it('is floats if its samples are plausible as floats only', () => {
    for (const level of [1, 0.1, 0.001]) {
      for (const zeros of [0, 1000, 5000]) {
        const floats = Array.from({ length: 6000 }, (_, i) =>
          i < zeros ? 0 : Math.fround(level * Math.sin(0.1 * i + 0.5)),
        );
        const right = floats.map((value) => Math.round(32_768 * value) || 0).map((value) => Math.min(value, 32_767));
        for (const size of [7, 997, 100_000]) {
          const { samples } = guessed(f32(...floats), size);
          assert.deepEqual(samples.slice(zeros - 6000), right.slice(zeros), `${level} behind ${zeros}`);
        }
      }
    }
  });

  const random = makeRandom(38);
  /** A number in [0, 1). */
  const part = (): number => random(1e6) / 1e6;
  /** The sounds that are tried. Each returns the function of one of them, with values in [-1, 1]. */
  const sounds: Record<string, () => (i: number) => number> = {
    'white noise': () => () => 2 * part() - 1,
    silence: () => () => (random(3) - 1) / 32_768,
    'a tone': () => {
      const period = 2 + (random(8) === 0 ? 0 : random(2) > 0 ? random(400) : 400 * part());
      const phase = part();
      return (i) => Math.sin(2 * Math.PI * (i / period + phase));
    },
    'a square wave': () => {
      const period = 2 + (random(8) === 0 ? 0 : random(400));
      return (i) => (i % period < period / 2 ? 1 : -1);
    },
    // A pulse per period of the voice, through two resonances, with pauses.
    speech: () => {
      const period = 60 + random(200);
      const turns = [0.05 + 0.1 * part(), 0.2 + 0.3 * part()];
      const states = turns.map(() => [0, 0]);
      return (i) => {
        if (i % 3000 > 2400) return (random(3) - 1) / 32_768;
        const source = (i % period === 0 ? 1 : 0) + 0.02 * (part() - 0.5);
        return states.reduce((sum, state, index) => {
          const [last, before] = state as [number, number];
          const next = source + 1.94 * Math.cos(2 * Math.PI * turns[index]!) * last - 0.94 * before;
          states[index] = [next, last];
          return sum + 0.2 * next;
        }, 0);
      };
    },
  };
  for (const [name, make] of Object.entries(sounds)) {
    it(`is samples if they are ${name}, in ${STARTS} trials`, () => {
      for (let count = 0; count < STARTS; count++) {
        const sound = make();
        const level = 32_767 * part() ** 2;
        const samples = Array.from({ length: 3000 }, (_, i) =>
          Math.max(-32_768, Math.min(32_767, Math.round(level * sound(i)) || 0)),
        );
        assert.deepEqual(guessed(s16(...samples), 100_000), { samples, packets: [] });
      }
    });
  }
});
