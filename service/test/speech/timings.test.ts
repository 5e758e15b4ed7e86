import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { SpeechEngine, SpeechRequest, Voice } from '../../src/index.js';
import { loadFlite } from '../../src/speech/flite-module.js';
import { FliteProgram } from '../../src/speech/flite-program.js';
import { FLITE_VOICES } from '../../src/speech/flite-voices.js';
import type { SpokenToken } from '../../src/speech/flite-words.js';
import type { TimedWord } from '../../src/speech/speech-engine.js';
import { MemoryWasi, ProgramExit } from '../../src/speech/wasi.js';
import { createFliteEngine } from '../support/built.js';
import { speakAll } from './support/engine-contract.js';

const TEXTS = [
  'Hello there, Dr. Smith has 25 cats. And one (big) dog.',
  'Is it? Yes! No. A "quoted" word; and MP3 at 3/4 speed.',
  'The dog said woof\nand left the house at noon, with a smile.',
];

/** Returns the sounds that flite itself prints, each with its end in seconds. */
function printedSounds(module: WebAssembly.Module, text: string, voice: string): string[] {
  let memory!: WebAssembly.Memory;
  let printed = '';
  const wasi = new MemoryWasi(() => memory);
  const print = (_file: number, vectors: number, count: number, result: number): number => {
    const view = new DataView(memory.buffer);
    let written = 0;
    for (let at = vectors; at < vectors + 8 * count; at += 8) {
      const length = view.getUint32(at + 4, true);
      printed += new TextDecoder().decode(new Uint8Array(memory.buffer, view.getUint32(at, true), length));
      written += length;
    }
    view.setUint32(result, written, true);
    return 0;
  };
  const instance = new WebAssembly.Instance(module, {
    wasi_snapshot_preview1: { ...wasi.imports, fd_write: print },
  });
  memory = instance.exports['memory'] as WebAssembly.Memory;
  const args = ['flite', '-voice', voice, '-psdur', '-o', 'none', '-t', text];
  wasi.args = args.map((arg) => new TextEncoder().encode(arg));
  try {
    (instance.exports['_start'] as () => void)();
  } catch (error) {
    if (!(error instanceof ProgramExit && error.code === 0)) throw error;
  }
  return printed.trim().split(/\s+/);
}

describe('readTokens', () => {
  it('reads the sounds and times that flite prints', async () => {
    const module = await loadFlite();
    const program = new FliteProgram(module);
    for (const { id } of FLITE_VOICES) {
      for (const text of TEXTS) {
        const tokens: SpokenToken[] = [];
        program.speak(
          { text, voice: id, stretch: null, pitch: 1 },
          () => {},
          (more) => tokens.push(...more),
        );
        program.recover();
        const sounds = tokens.flatMap(({ phones }) => phones.map(({ phone, end }) => `${phone}:${end.toFixed(3)}`));
        const printed = printedSounds(module, text, id).filter((sound) => !sound.startsWith('pau'));
        assert.deepEqual(sounds, printed, id);
        const words = text.match(/[A-Za-z\d/]+(?:\.(?=\w))?/g);
        assert.deepEqual(
          tokens.map(({ token }) => token),
          words,
          id,
        );
      }
    }
  });
});

describe('Words of the flite engine', () => {
  let engine: SpeechEngine;
  before(async () => {
    engine = await createFliteEngine();
  });
  after(() => engine.close());

  async function speak(
    text: string,
    given: Partial<SpeechRequest> = {},
  ): Promise<{ words: TimedWord[]; samples: Int16Array }> {
    const words: TimedWord[] = [];
    const samples = await speakAll(engine, text, { onWords: (more) => words.push(...more), ...given });
    return { words, samples };
  }

  const wordsOf = (text: string, words: readonly TimedWord[]): string[] =>
    words.map(({ from, to }) => text.slice(from, to));

  it('have the offsets of the text of the client, whatever is spoken for it', async () => {
    const text = 'Zoë 🎉 paid $3.50 for 25 cats (big ones). See a@b.com — in 2026, pages 10–12. Это ok';
    const { words } = await speak(text);
    assert.deepEqual(
      wordsOf(text, words),
      'Zoë paid $3.50 for 25 cats big ones See a @b. com in 2026 pages 10 – 12 ok'.split(' '),
    );
    const { phones } = words[0]!;
    assert.equal(phones.map(({ phone }) => phone).join(' '), 'z ow iy');
  });

  it('have the sounds of letters where people spell a word, and none is lost', async () => {
    const sounds = async (text: string): Promise<string[]> =>
      (await speak(text)).words.map(({ phones }) => phones.map(({ phone }) => phone).join(' '));
    assert.deepEqual(await sounds('AI, CEO, US, CO2, 9 AM'), [
      'ey ay',
      's iy iy ow',
      'y uw eh s',
      's iy ow t uw',
      'n ay n',
      'ey eh m',
    ]);
    assert.deepEqual(await sounds('GitHub APIs'), ['g ih t hh ah b', 'ey p iy ay z']);
  });

  it('lie within the speech, in order, each once, for any text', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        'Hello ',
        'world. ',
        '25 ',
        '$3.50, ',
        'a',
        '"',
        '(x) ',
        '\n',
        '. ',
        '— ',
        'e.g. ',
        'Dr. ',
        '10:30',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    const property = fc.asyncProperty(fc.array(part, { maxLength: 12 }), fc.boolean(), async (parts, quickStart) => {
      const text = `Go ${parts.join('')}`;
      const { words, samples } = await speak(text, { quickStart, sampleRate: 24000 });
      assert.ok(words.length > 0);
      let last = { to: 0, start: 0 };
      for (const { from, to, start, end } of words) {
        assert.ok(from >= last.to && to > from && to <= text.length, `${from} to ${to}`);
        assert.ok(start >= last.start && end >= start && end <= samples.length / 24000, `${start} to ${end}`);
        last = { to, start };
      }
    });
    await fc.assert(property, { numRuns: process.env.SVC_LONG ? 500 : 20 });
  });

  it('are silent before and after themselves where flite pauses, at any pace and pitch', async () => {
    const voices: readonly Voice[] = process.env.SVC_LONG ? engine.voices : engine.voices.slice(0, 2);
    const text = 'One, two, three. Four, five; six.';
    for (const voice of voices) {
      for (const sampling of [{}, { rate: 0.5 }, { rate: 2 }, { pitch: 1.5 }, { pitch: 0.75, rate: 1.5 }]) {
        const { words, samples } = await speak(text, { voice, sampling });
        assert.equal(words.length, 6);
        for (const [index, { end }] of words.slice(0, -1).entries()) {
          // Within 30 ms of its ends, a pause has sound.
          const [from, to] = [end + 0.03, words[index + 1]!.start - 0.03].map((at) =>
            Math.round(at * voice.sampleRate),
          );
          if (to! - from! < 0.01 * voice.sampleRate) continue;
          const loudest = samples.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
          const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
          assert.ok(loudest < 0.05 * peak, `${voice.id} ${JSON.stringify(sampling)} after ${index}: ${loudest}`);
        }
      }
    }
  });

  it('do not change the speech, and are not made unless they are asked for', async () => {
    const { samples } = await speak(TEXTS[0]!);
    assert.deepEqual(samples, await speakAll(engine, TEXTS[0]!));
  });
});
