import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { SpeechEngine } from '../src/index.js';
import { createFliteEngine, SpeechError } from './support/built.js';
import { ManualClock } from './support/manual-clock.js';

let engine: SpeechEngine;
afterEach(() => engine.close());

/** Speaks a text with an engine; resolves with the samples. */
async function speak(text: string, signal: AbortSignal = new AbortController().signal): Promise<Int16Array> {
  const request = {
    text,
    voice: engine.voices[0]!,
    sampling: {},
    normalizeText: true,
    chunkSeconds: 15,
    quickStart: false,
    client: {},
  };
  const pieces: number[] = [];
  for await (const samples of engine.speak(request, signal)) pieces.push(...samples);
  return Int16Array.from(pieces);
}

const isSpeechError = (reason: string) => (error: unknown) => error instanceof SpeechError && error.reason === reason;

describe('createFliteEngine', () => {
  it('gives up what takes longer than the limit, and speaks again afterwards', async () => {
    const clock = new ManualClock();
    engine = await createFliteEngine({ clock, timeLimitMs: 1000 });
    const usual = await speak('Hello.');
    const slow = assert.rejects(speak('This takes too long.'), isSpeechError('took-too-long'));
    clock.advance(1000);
    await slow;
    assert.equal(engine.available, true);
    assert.deepEqual(await speak('Hello.'), usual);
  });

  it('does not count the time that text waits for its turn', async () => {
    const clock = new ManualClock();
    engine = await createFliteEngine({ clock, timeLimitMs: 1000 });
    const first = speak('One.');
    const second = speak('Two.');
    clock.advance(900);
    await first;
    clock.advance(900);
    assert.ok((await second).length > 0);
  });

  it('fails what is being spoken when it is closed, and whatever comes after', async () => {
    engine = await createFliteEngine();
    const cut = [speak('One.'), speak('Two.')].map((each) => assert.rejects(each, isSpeechError('unavailable')));
    await engine.close();
    await Promise.all(cut);
    assert.equal(engine.available, false);
    await assert.rejects(speak('Three.'), isSpeechError('unavailable'));
    await engine.close();
  });

  it('drops text whose signal is aborted, before its turn and in it', async () => {
    engine = await createFliteEngine();
    for (const words of [1, 200]) {
      const [kept, dropped] = [new AbortController(), new AbortController()];
      const [first, second] = [speak('word '.repeat(words), kept.signal), speak('Two.', dropped.signal)];
      const refused = assert.rejects(second, { name: 'AbortError' });
      dropped.abort();
      await refused;
      if (words > 1) {
        const cut = assert.rejects(first, { name: 'AbortError' });
        kept.abort();
        await cut;
      } else assert.ok((await first).length > 0);
    }
    assert.ok((await speak('Three.')).length > 0);
  });

  it('keeps to the memory it has, text after text', async () => {
    engine = await createFliteEngine();
    const text = 'The quick brown fox.';
    for (let round = 0; round < 20; round++) await speak(text);
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 100; round++) await speak(text);
    const grownMiB = (process.memoryUsage().rss - before) / 2 ** 20;
    // One instance has 20 MB, so 100 that are not given back have 2000.
    assert.ok(grownMiB < 150, `${grownMiB} MiB`);
  });
});
