/** Tests the recipe of docs/errors.md for a second service: the first one dies in the middle, or does not answer. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it, type TestContext } from 'node:test';
import { startGateway, type Gateway } from '../../src/testing/gateway.js';
import type { GatewayStep } from '../../src/testing/script.js';
import { example } from './example.js';
import { loadWords, startHost, type Host } from './host.js';

const TEXT = 'One two three four five six.';

/** Speech of the first three words, with their times; then the connection breaks. */
const DYING: GatewayStep[] = [
  { wait: 'end' },
  {
    json: {
      type: 'timings',
      words: ['One', 'two', 'three'].map((word, index) => {
        const from = TEXT.indexOf(word);
        return { from, to: from + word.length, start: 0.3 * index, end: 0.3 * (index + 1) };
      }),
    },
  },
  { frames: { tone: 440, seconds: 0.9 } },
  { terminate: true },
];

describe('A second service', () => {
  let host: Host;
  let first: Gateway;

  before(async () => {
    host = await startHost();
    first = await startGateway({ script: () => DYING });
  });

  after(async () => {
    await first.close();
    await host.close();
  });

  /** Speaks on the page of the recipe. Returns the words that were heard, and the routes that were asked. */
  async function speak(t: TestContext, answerFirst: () => { status: number; json: unknown }) {
    const program = await readFile(example('page/two-services.js'), 'utf8');
    const { page } = await host.open(t, '<svc-speaker></svc-speaker><script type="module" src="page.js"></script>', {
      'page.js': program,
    });
    const asked: string[] = [];
    await page.route('**/speech/*/session', async (route) => {
      const name = route.request().url().split('/').at(-2)!;
      asked.push(name);
      if (name === 'first') return route.fulfill(answerFirst());
      const url = route.request().url().replace('/second/', '/');
      return route.fulfill({ response: await route.fetch({ url }) });
    });
    await page.waitForFunction(() => document.querySelector('svc-speaker')?.sessionProvider);
    await loadWords(page);
    const { words, resumed, text } = await page.evaluate(async (spoken) => {
      const speaker = document.querySelector('svc-speaker')!;
      const heard: string[] = [];
      let count = 0;
      speaker.addEventListener('word', ({ word }) => heard.push(word.text));
      speaker.addEventListener('resume', () => count++);
      const utterance = speaker.speak(spoken);
      await utterance.finished;
      return { words: heard, resumed: count, text: utterance.heard.text };
    }, TEXT);
    return { words, resumed, text, asked };
  }

  it('speaks the rest when the first one dies in the middle', async (t) => {
    const session = { ...first.session(), timings: 'words' };
    const { words, resumed, text, asked } = await speak(t, () => ({ status: 200, json: session }));
    assert.deepEqual(words, ['One', 'two', 'three', 'four', 'five', 'six']);
    assert.deepEqual([resumed, text, asked], [1, TEXT, ['first', 'second']]);
  });

  it('speaks all of it when the first one does not answer', async (t) => {
    const { words, resumed, asked } = await speak(t, () => ({ status: 503, json: { detail: 'Down.' } }));
    assert.deepEqual(words, ['One', 'two', 'three', 'four', 'five', 'six']);
    assert.deepEqual([resumed, asked], [0, ['first', 'second']]);
  });
});
