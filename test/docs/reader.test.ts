/** Tests the reader on a page, with the real service, which reports the times of words. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright';
import type { read, Reading } from '../../src/reader/index.js';
import { Random } from '../../src/testing/random.js';
import { long } from '../long.js';
import { example, ROOT } from './example.js';
import { startHost, type Host } from './host.js';

declare global {
  var reader: { read: typeof read; listen: () => void; note: () => void; readonly reading: Reading };
  var noted: { word: string; sentence: string; spoken: string }[];
  var words: (count: number) => Promise<string[]>;
  var firstParagraph: () => Promise<void>;
  var firstWord: (wanted: string) => Promise<string>;
}

describe('svc-speaker/reader.js', () => {
  let host: Host;

  before(async () => {
    host = await startHost();
  });

  after(() => host.close());

  /** Opens the page of docs/reader.md. `words(n)` waits for n words, and returns those since it was called last. */
  async function open(t: TestContext): Promise<Page> {
    const files = ['page/reader.html', 'page/reader.js', 'page/reader.css'];
    const [markup, program, colours] = await Promise.all(files.map((file) => readFile(example(file), 'utf8')));
    const script = `<script type="module">
      import * as page from './reader.js';
      import { read } from 'svc-speaker/reader.js';
      const listen = () => {
        page.listen();
        note();
      };
      globalThis.reader = { read, listen, note: () => note(), get reading() { return page.reading; } };
      const speaker = document.querySelector('svc-speaker');
      // The controls highlight the word in their caption, too.
      const shown = (name) => [...(CSS.highlights.get(name) ?? [])]
        .filter((range) => document.querySelector('article').contains(range.startContainer)).map(String).join('|');
      globalThis.noted = [];
      // Called after the reader has added its own listener, so that the highlights are those of the word.
      const note = () => {
        speaker.removeEventListener('word', noteWord);
        speaker.addEventListener('word', noteWord);
      };
      const noteWord = ({ word }) => {
        noted.push({ spoken: word.text, word: shown('svc-word'), sentence: shown('svc-sentence') });
      };
      globalThis.words = async (count) => {
        while (noted.length < count) await new Promise((next) => speaker.addEventListener('word', next, { once: true }));
        return noted.splice(0).map(({ spoken }) => spoken);
      };
      // Resolves when the first paragraph begins, behind the heading.
      globalThis.firstParagraph = async () => {
        for (const _ of [1, 2]) await new Promise((begun) => reader.reading.addEventListener('paragraph', begun, { once: true }));
      };
    </script>`;
    const { page } = await host.open(t, `<style>${colours}</style>${markup}${script}`, { 'reader.js': program! });
    await page.waitForFunction(() => 'reader' in globalThis);
    await page.evaluate(() => localStorage.clear());
    return page;
  }

  it('reads an article to its end, and highlights each word and its sentence without a change to the page', async (t) => {
    const page = await open(t);
    const outcome = await page.evaluate(async () => {
      const markup = document.querySelector('article')!.innerHTML;
      let paragraphs = 0;
      globalThis.reader.listen();
      const { reading } = globalThis.reader;
      reading.addEventListener('paragraph', () => paragraphs++);
      await reading.finished;
      const isSame = document.querySelector('article')!.innerHTML === markup;
      const left = (CSS.highlights.get('svc-sentence') as unknown as Set<Range>).size;
      return { paragraphs, noted: globalThis.noted, isSame, left };
    });
    assert.deepEqual(
      outcome.noted.map(({ spoken }) => spoken).join(' '),
      'The tide It was late The tide had turned by then Nobody had seen the boat It lay behind the pier',
    );
    assert.deepEqual(
      outcome.noted.map(({ word }) => word),
      outcome.noted.map(({ spoken }) => spoken),
    );
    const late = outcome.noted.findLast(({ spoken }) => spoken === 'lay')!;
    assert.equal(late.sentence, 'It lay behind the pier.');
    assert.deepEqual([outcome.paragraphs, outcome.isSame, outcome.left], [3, true, 0]);
  });

  it('reads with the bar of docs/reader.md', async (t) => {
    const markup = await readFile(example('page/reader-bar.html'), 'utf8');
    const { page } = await host.open(t, markup);
    await page.evaluate(() => localStorage.clear());
    const heard = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const words: string[] = [];
          document.querySelector('svc-speaker')!.addEventListener('word', ({ word }) => {
            words.push(word.text);
            if (words.length === 5) resolve(words.join(' '));
          });
        }),
    );
    await page.getByRole('button', { name: 'Play' }).click();
    assert.equal(await heard, 'The tide It was late');
    await page.getByRole('button', { name: 'Pause' }).click();
    assert.equal(await page.evaluate(() => document.querySelector('svc-speaker')!.paused), true);
  });

  it('begins at the word that is clicked, for 200 random words of the demo', long, async (t) => {
    const [article] = /<article[^]*<\/article>/.exec(await readFile(join(ROOT, 'demo/reader/index.html'), 'utf8'))!;
    const markup = await readFile(example('page/reader-bar.html'), 'utf8');
    // Resolves with the text from the first word on that an utterance has from now on: at once if it is the wanted one, else
    // after three more words. What was cancelled may still have a word in the output.
    const script = `<script>globalThis.firstWord = (wanted) => new Promise((found) => {
      const speaker = document.querySelector('svc-speaker');
      const heard = new Map();
      speaker.addEventListener('word', function note({ utterance, word }) {
        const texts = heard.get(utterance) ?? [];
        heard.set(utterance, [...texts, utterance.text.slice(word.from)]);
        const [first, , , fourth] = heard.get(utterance);
        if (!first.startsWith(wanted) && !fourth) return;
        speaker.removeEventListener('word', note);
        found(first);
      });
    });</script>`;
    const body = markup.replace(/<article[^]*<\/article>/, () => article) + script;
    const { page } = await host.open(t, body);
    const random = new Random(1);
    const choices = Array.from({ length: 200 }, () => ({ share: random.unit(), wordsLater: random.below(3) }));
    const wrong = await page.evaluate(async (clicks) => {
      const reader = document.querySelector('svc-reader')!;
      const words: Range[] = [];
      const walker = document.createTreeWalker(document.querySelector('article')!, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
        if (node.parentElement!.closest('nav, aside, sup')) continue; // not read
        for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]\S*/gu)) {
          words.push(new Range());
          words.at(-1)!.setStart(node, index);
          words.at(-1)!.setEnd(node, index + word.length);
        }
      }
      const others: string[] = [];
      for (const { share, wordsLater } of clicks) {
        if (!reader.reading) await reader.play();
        const word = words[Math.floor(share * words.length)]!;
        const element = word.startContainer.parentElement!;
        element.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { x, y, width, height } = word.getBoundingClientRect();
        const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true };
        element.dispatchEvent(new MouseEvent('click', at));
        const rest = (word.startContainer as Text).data.slice(word.startOffset).replaceAll(/\s+/g, ' ').trimEnd();
        const heard = await globalThis.firstWord(rest);
        if (!heard.startsWith(rest)) others.push(`${word}: ${heard}`);
        for (let later = 0; later < wordsLater; later++) {
          await Promise.race([globalThis.firstWord(''), reader.reading?.finished]);
        }
      }
      return others;
    }, choices);
    assert.deepEqual(wrong, []);
  });

  it('goes to the next and the previous sentence, and to a word of the page', async (t) => {
    const page = await open(t);
    const heard = await page.evaluate(async () => {
      const parts: string[] = [];
      globalThis.reader.listen();
      const { reading } = globalThis.reader;
      await globalThis.words(1);
      reading.next();
      parts.push((await globalThis.words(2)).at(-1)!);
      reading.next();
      globalThis.noted.length = 0;
      parts.push((await globalThis.words(2))[0]!);
      reading.previous();
      globalThis.noted.length = 0;
      parts.push((await globalThis.words(1))[0]!);
      const [text] = document.querySelectorAll('p')[1]!.childNodes;
      reading.seekTo(text!, 'Nobody had se'.length);
      globalThis.noted.length = 0;
      parts.push((await globalThis.words(1))[0]!);
      reading.stop();
      return [...parts, await reading.finished.catch(({ name }: Error) => name)];
    });
    assert.deepEqual(heard.slice(1), ['The', 'It', 'seen', 'AbortError']);
  });

  it('goes on where it was left, on a page that was loaded again', async (t) => {
    const page = await open(t);
    await page.evaluate(async () => {
      globalThis.reader.listen();
      await globalThis.words(4);
      globalThis.reader.reading.stop();
    });
    await page.reload();
    await page.waitForFunction(() => 'reader' in globalThis);
    const [first] = await page.evaluate(() => {
      globalThis.reader.listen();
      return globalThis.words(1);
    });
    assert.equal(first, 'It');
  });

  it('skips what has gone from the page, and reads what is new', async (t) => {
    const page = await open(t);
    const heard = await page.evaluate(async () => {
      globalThis.reader.listen();
      const { reading } = globalThis.reader;
      // The second paragraph has been requested by then.
      await globalThis.firstParagraph();
      const [, last] = document.querySelectorAll('p');
      last!.insertAdjacentHTML('beforebegin', '<p>A lamp was lit.</p>');
      last!.remove();
      await reading.finished;
      return globalThis.noted.map(({ spoken }) => spoken).join(' ');
    });
    assert.equal(heard, 'The tide It was late The tide had turned by then A lamp was lit');
  });

  it('goes on behind a paragraph that is removed while it is read', async (t) => {
    const page = await open(t);
    const heard = await page.evaluate(async () => {
      globalThis.reader.listen();
      const { reading } = globalThis.reader;
      await globalThis.firstParagraph();
      document.querySelector('p')!.remove();
      await reading.finished;
      return globalThis.noted.map(({ spoken }) => spoken).join(' ');
    });
    assert.match(heard, / had turned by then Nobody had seen the boat It lay behind the pier$/);
  });

  it('reads the selection, and refuses what is no part of a page', async (t) => {
    const page = await open(t);
    const heard = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      const { read } = globalThis.reader;
      const problems = [null, getSelection()].map((target) => {
        try {
          read(speaker, target as never);
          return 'none';
        } catch (error) {
          return (error as Error).message;
        }
      });
      const text = document.querySelector('p')!.firstChild!;
      getSelection()!.setBaseAndExtent(text, 'It was late. '.length, text, 'It was late. The tide'.length);
      const { finished } = read(speaker, getSelection()!);
      globalThis.reader.note();
      await finished;
      const [empty] = [document.createElement('div')];
      await read(speaker, empty).finished;
      return { problems, words: globalThis.noted.map(({ spoken }) => spoken) };
    });
    assert.deepEqual(heard.words, ['The', 'tide']);
    assert.match(heard.problems[0]!, /needs an element/);
    assert.match(heard.problems[1]!, /nothing is selected/);
  });
});
