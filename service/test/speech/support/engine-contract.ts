import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { SpeechEngine, SpeechRequest } from '../../../src/index.js';
import { joinSamples } from '../../../src/speech/join-samples.js';

/** Creates a request, by default for the engine's first voice. */
export function ask(engine: SpeechEngine, text: string, given: Partial<SpeechRequest> = {}): SpeechRequest {
  return {
    text,
    voice: engine.voices[0]!,
    sampling: {},
    sampleRate: (given.voice ?? engine.voices[0]!).sampleRate,
    normalizeText: true,
    chunkSeconds: 15,
    quickStart: false,
    client: {},
    ...given,
  };
}

/** Speaks a text to its end; resolves with all samples. */
export async function speakAll(
  engine: SpeechEngine,
  text: string,
  given: Partial<SpeechRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Int16Array> {
  const parts: Int16Array[] = [];
  for await (const samples of engine.speak(ask(engine, text, given), signal)) parts.push(samples);
  return joinSamples(parts);
}

/** Returns a predicate for a `SpeechError` with this reason, also for one of the built service. */
export function failsWith(reason: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof Error &&
    error.name === 'SpeechError' &&
    (error as unknown as { reason: string }).reason === reason;
}

/**
 * Adds the tests that every engine passes.
 *
 * @param start - Starts an engine; it is closed after the tests.
 */
export function keepsTheContract(start: () => Promise<SpeechEngine>): void {
  let engine: SpeechEngine;
  before(async () => {
    engine = await start();
  });
  after(() => engine.close());

  it('says the same text the same way, at the rate of its voice', async () => {
    const text = 'Hello there. This is a test, and it goes on.';
    const once = await speakAll(engine, text);
    assert.deepEqual(await speakAll(engine, text), once);
    // Any voice takes more than 0.4 s and less than 6 s for 44 characters.
    const seconds = once.length / engine.voices[0]!.sampleRate;
    assert.ok(seconds > 0.4 && seconds < 6, `${seconds} s`);
    assert.ok(once.some((sample) => Math.abs(sample) > 1000));
  });

  it('says more of more text, sentence after sentence, in order', async () => {
    const text = 'This is one. This is two. This is three.';
    const [whole, first] = [await speakAll(engine, text), await speakAll(engine, 'This is one.')];
    assert.ok(whole.length > 2 * first.length);
    // The first half of the first sentence is the start of the whole.
    const half = first.length >> 1;
    assert.deepEqual((await speakAll(engine, text, { quickStart: true })).subarray(0, half), first.subarray(0, half));
  });

  for (const text of ['', ' \n ', '...', '🎉🎉']) {
    it(`refuses ${JSON.stringify(text)}, which holds nothing to speak`, () =>
      assert.rejects(speakAll(engine, text), failsWith('nothing-to-speak')));
  }

  it('throws the reason of the signal when that is aborted, before and while it speaks, and speaks again', async () => {
    const why = new Error('enough');
    await assert.rejects(speakAll(engine, 'Hello there.', {}, AbortSignal.abort(why)), why);
    const stop = new AbortController();
    const spoken = engine.speak(ask(engine, 'One sentence of many. '.repeat(50)), stop.signal);
    const speech = spoken[Symbol.asyncIterator]();
    assert.ok((await speech.next()).value);
    stop.abort(why);
    await assert.rejects(async () => {
      while (!(await speech.next()).done);
    }, why);
    assert.ok((await speakAll(engine, 'Hello there.')).length > 0);
  });

  it('serves a short text of one client before most of a long one of another', async () => {
    const greedy = engine.speak(
      ask(engine, 'This is a sentence of very many. '.repeat(100), { chunkSeconds: 2 }),
      new AbortController().signal,
    );
    let heard = 0;
    let modest: Promise<Int16Array> = Promise.resolve(new Int16Array());
    let heardBefore = Infinity;
    for await (const samples of greedy) {
      if (heard === 0) {
        modest = speakAll(engine, 'Hello there.');
        void modest.then(() => (heardBefore = heard));
      }
      heard += samples.length;
      if (heardBefore < Infinity) break;
    }
    assert.ok((await modest).length > 0);
    // At most a quarter of the long text, which has some 200 s in real voices, less in the fake ones.
    assert.ok(heardBefore < (await speakAll(engine, 'This is a sentence of very many.')).length * 25);
  });

  it('goes on with others when a reader stops in the middle', async () => {
    const slow = Array.from({ length: 10 }, () =>
      engine.speak(ask(engine, 'A sentence that is not read on. '.repeat(5)), new AbortController().signal),
    ).map((speech) => speech[Symbol.asyncIterator]());
    await Promise.all(slow.map((speech) => speech.next()));
    assert.ok((await speakAll(engine, 'Hello there.')).length > 0);
    await Promise.all(slow.map(async (speech) => speech.return?.()));
  });

  it('fails what is being spoken when it is closed, and all that comes after', async () => {
    const cut = assert.rejects(speakAll(engine, 'One sentence of many. '.repeat(50)), failsWith('unavailable'));
    await engine.close();
    await cut;
    assert.equal(engine.available, false);
    await assert.rejects(speakAll(engine, 'Hello.'), failsWith('unavailable'));
    await engine.close();
  });
}
