import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { readText } from '../../../src/text/read-text.js';
import { type Run, spokenOf } from '../../../src/speakable/runs.js';
import { FakeClock } from '../fake-clock.js';

type Heard = readonly [sentence: string, atMs: number];

/**
 * Reads a script: strings are tokens, numbers are pauses in ms. Returns each sentence, and when it was passed on.
 */
async function read(...script: readonly (string | number)[]): Promise<Heard[]> {
  const clock = new FakeClock();
  const begin = clock.now();
  const heard: Heard[] = [];
  const stream = new ReadableStream<string>({
    async start(controller) {
      for (const step of script) {
        if (typeof step === 'string') controller.enqueue(step);
        // Read what there is before time passes.
        for (let turn = 0; turn < 5; turn++) await setImmediate();
        if (typeof step === 'number') clock.advance(step);
      }
      controller.close();
    },
  });
  const add = (part: readonly Run[]): void => void heard.push([spokenOf(part), clock.now() - begin]);
  await readText(stream, AS_MARKDOWN, '', add, new AbortController().signal, clock);
  assert.equal(clock.pending, 0);
  return heard;
}

/** How a text is spoken that may have marks. */
const AS_MARKDOWN = { markup: 'markdown', lexicon: null } as const;

async function* streamOf(chunks: readonly unknown[]): AsyncGenerator<string> {
  await setImmediate();
  yield* chunks as string[];
}

describe('readText', () => {
  it('passes a whole sentence on after 200 ms without more text', async () => {
    for (const sentence of ['The total is 42.', 'See you at 5 p.m.', 'I am from the U.S.', 'यह ठीक है।', 'Really?)']) {
      assert.deepEqual(await read(sentence, 4000, ' Go on.'), [
        [sentence, 200],
        [' Go on.', 4000],
      ]);
    }
  });

  it('waits longer where a full stop that came alone may be inside a number or a name', async () => {
    const numbers = ['It is 98', '.', 300, '6', ' today.', ' It costs $3', '.', 300, '50.', ' Pi is 3.', 300, '14159.'];
    assert.deepEqual(
      (await read(...numbers)).map(([sentence]) => sentence),
      ['It is 98.6 today. ', 'It costs $3.50. ', 'Pi is 3.14159.'],
    );
    assert.deepEqual(await read('The total is 42', '.', 4000, ' Go on.'), [
      ['The total is 42.', 600],
      [' Go on.', 4000],
    ]);
  });

  it('adapts to the pace of a slow model', async () => {
    const tokens = [
      'Node',
      '.',
      'js',
      ' is',
      ' fast',
      '.',
      ' Open',
      ' v2',
      '.',
      '0',
      ' of',
      ' example',
      '.',
      'org',
      '.',
    ];
    const heard = await read(...tokens.flatMap((token) => [token, 300]), 4000, ' Done.');
    assert.deepEqual(heard, [
      ['Node.js is fast. ', 1800],
      ['Open v2.0 of example.org.', 14 * 300 + 750],
      [' Done.', 15 * 300 + 4000],
    ]);
  });

  it('does not take a stall for the pace', async () => {
    const heard = await read('One moment', '.', 5000, ' Here', ' it is', '.', 4000, ' Bye.');
    assert.deepEqual(heard, [
      ['One moment.', 200],
      [' Here it is.', 5200],
      [' Bye.', 9000],
    ]);
  });

  it('reads and ends an iterator whose methods return no promises (sindresorhus/p-event 20)', async () => {
    const tokens = ['One. ', 'Two.'];
    let ends = 0;
    const iterator = {
      next: () => {
        if (ends > 0) throw new Error('It has ended.');
        return { value: tokens.shift(), done: false };
      },
      return: () => {
        ends += 1;
        throw new Error('It cannot end.');
      },
    };
    const over = new AbortController();
    const heard: string[] = [];
    const add = (part: readonly Run[]): void => {
      heard.push(spokenOf(part));
      over.abort();
    };
    const text = { [Symbol.asyncIterator]: () => iterator } as unknown as AsyncIterable<string>;
    await readText(text, AS_MARKDOWN, '', add, over.signal, new FakeClock());
    assert.deepEqual([heard, ends], [['One. '], 1]);
  });

  it('passes over chunks without text, and refuses a stream of nothing else (BerriAI/litellm 2010)', async () => {
    const heardOf = async (chunks: readonly unknown[]): Promise<string[]> => {
      const heard: string[] = [];
      const add = (part: readonly Run[]): void => void heard.push(spokenOf(part));
      await readText(streamOf(chunks), AS_MARKDOWN, '', add, new AbortController().signal, new FakeClock());
      return heard;
    };
    assert.deepEqual(await heardOf([undefined, 'Half a', null, ' word.', undefined]), ['Half a word.']);
    assert.deepEqual(await heardOf(['', undefined]), []);
    await assert.rejects(heardOf([undefined, null]), /^TypeError: .* must give strings/);
    await assert.rejects(heardOf(['One. ', { content: 'Two.' }]), /^TypeError: .* must give strings/);
  });

  it('holds back what is no whole sentence, however long the pause is', async () => {
    assert.deepEqual(await read('Ask Dr', '.', 60_000, ' Lee', 60_000, ' now.'), [['Ask Dr. Lee now.', 120_000]]);
  });
});
