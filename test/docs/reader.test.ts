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
import { loadWords, startHost, type Host } from './host.js';

declare global {
  var reader: { read: typeof read; listen: () => void; note: () => void; readonly reading: Reading };
  var noted: { word: string; sentence: string; spoken: string }[];
  var shownWord: () => string;
  var words: (count: number) => Promise<string[]>;
  var firstParagraph: () => Promise<void>;
  var nextWord: () => Promise<unknown>;
  var firstWordAfter: (jump: () => unknown) => Promise<string>;
}

/**
 * `firstWordAfter()` makes a jump, and resolves with the text from the first word on that is heard there. Words that were
 * heard before the jump are dispatched before `seeking`, or before the new utterance starts.
 */
const FIRST_WORD = `globalThis.firstWordAfter = (jump) => new Promise((heard) => {
  const speaker = document.querySelector('svc-speaker');
  const once = new AbortController();
  const listen = () => {
    once.abort();
    speaker.addEventListener('word', ({ utterance, word }) => heard(utterance.text.slice(word.from)), { once: true });
  };
  speaker.addEventListener('seeking', listen, once);
  speaker.addEventListener('utterancestart', listen, once);
  jump();
});`;

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
      ${FIRST_WORD}
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
      globalThis.shownWord = () => shown('svc-word');
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
    await loadWords(page);
    return page;
  }

  it('reads an article to its end, and highlights each word and its sentence without a change to the page', async (t) => {
    const page = await open(t);
    const outcome = await page.evaluate(async () => {
      const markup = document.querySelector('article')!.innerHTML;
      const wordsAtFirst: string[] = [];
      globalThis.reader.listen();
      const { reading } = globalThis.reader;
      // Called after the reader's own listener, and before the first word.
      document
        .querySelector('svc-speaker')!
        .addEventListener('utterancestart', () => wordsAtFirst.push(globalThis.shownWord()));
      await reading.finished;
      const isSame = document.querySelector('article')!.innerHTML === markup;
      const left = (CSS.highlights.get('svc-sentence') as unknown as Set<Range>).size;
      return { wordsAtFirst, noted: globalThis.noted, isSame, left };
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
    assert.deepEqual([outcome.wordsAtFirst, outcome.isSame, outcome.left], [['', '', ''], true, 0]);
  });

  // readest/readest 3825: it jumps back to the beginning of the chapter.
  it('reads each word once if it is paused nine times a second', long, async (t) => {
    const page = await open(t);
    const heard = await page.evaluate(async () => {
      globalThis.reader.listen();
      const { reading } = globalThis.reader;
      const timer = setInterval(() => {
        reading.pause();
        // As in HTML, play() rejects if playback is paused again before it plays.
        setTimeout(() => void reading.play().catch(() => {}), 20);
      }, 110);
      await reading.finished;
      clearInterval(timer);
      return globalThis.noted.map(({ spoken }) => spoken).join(' ');
    });
    assert.equal(
      heard,
      'The tide It was late The tide had turned by then Nobody had seen the boat It lay behind the pier',
    );
  });

  it('reads with the bar of docs/reader.md', async (t) => {
    const markup = await readFile(example('page/reader-bar.html'), 'utf8');
    // Long enough to be read still when a slow machine has clicked.
    const { page } = await host.open(
      t,
      markup.replace('</article>', `${'<p>It goes on and on.</p>'.repeat(60)}</article>`),
    );
    await page.evaluate(() => localStorage.clear());
    await loadWords(page);
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
    const script = `<script>${FIRST_WORD}
      globalThis.nextWord = () => new Promise((heard) => document.querySelector('svc-speaker').addEventListener(
        'word', heard, { once: true }));
    </script>`;
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
        const heard = await globalThis.firstWordAfter(() => element.dispatchEvent(new MouseEvent('click', at)));
        const rest = (word.startContainer as Text).data.slice(word.startOffset).replaceAll(/\s+/g, ' ').trimEnd();
        if (!heard.startsWith(rest)) others.push(`${word}: ${heard}`);
        for (let later = 0; later < wordsLater; later++) {
          await Promise.race([globalThis.nextWord(), reader.reading?.finished]);
        }
      }
      return others;
    }, choices);
    assert.deepEqual(wrong, []);
  });

  it('goes to the next and the previous sentence, and to a word of the page', async (t) => {
    const page = await open(t);
    const heard = await page.evaluate(async () => {
      const [title, first, last] = document.querySelectorAll('h1, p');
      // So long that each is still read when a slow page goes on.
      title!.append(' and the moon, and the wind from the west, and the boats that did not come back that night');
      first!.textContent =
        'It was late, and the lamps along the pier had been lit, and the nets had been hung up to dry. ' +
        'The tide had turned by then, and the water ran out between the piles, and the gulls went with it.';
      last!.append(' It had done so for a year, and the rain had filled it, and grass grew along its keel.');
      const parts: string[] = [];
      globalThis.reader.listen();
      const { reading } = globalThis.reader;
      await globalThis.words(1);
      parts.push(await globalThis.firstWordAfter(() => reading.next()));
      parts.push(await globalThis.firstWordAfter(() => reading.next()));
      const text = first!.firstChild!;
      parts.push(
        await globalThis.firstWordAfter(() => {
          // From the first word of a sentence, however late the page is.
          reading.seekTo(text, text.textContent!.indexOf('The tide'));
          reading.previous();
        }),
      );
      parts.push(await globalThis.firstWordAfter(() => reading.seekTo(last!.firstChild!, 'Nobody had se'.length)));
      reading.stop();
      return [...parts, await reading.finished.catch(({ name }: Error) => name)];
    });
    assert.deepEqual(
      heard.map((text) => text?.split(' ')[0]),
      ['It', 'The', 'It', 'seen', 'AbortError'],
    );
  });

  // daisy/accessible-books-in-browsers 33: the highlight goes to the next sentence, back, and to the next one again.
  it('shows nothing of the sentence that it leaves, on a page that was blocked', async (t) => {
    const page = await open(t);
    const seen = await page.evaluate(async () => {
      // So long that it is still read when a slow page has been blocked.
      const first = document.querySelector('p')!;
      first.append(' It did so twice a day, and it had always done so, and nobody asked why.');
      globalThis.reader.listen();
      const { reading } = globalThis.reader;
      const speaker = document.querySelector('svc-speaker')!;
      await new Promise<void>((heard) =>
        speaker.addEventListener('word', ({ word }) => word.text === 'had' && heard()),
      );
      // Some more words are heard meanwhile.
      for (const from = performance.now(); performance.now() < from + 900;);
      const seeking = new Promise<void>((begun) => speaker.addEventListener('seeking', () => begun(), { once: true }));
      reading.seekTo(first.firstChild!, 0);
      await seeking;
      const sentence = [...CSS.highlights.get('svc-sentence')!].map(String).join('|');
      const atFirst = [globalThis.shownWord(), sentence, reading.position.after.slice(0, 11)];
      const [next] = await new Promise<string[]>((heard) =>
        speaker.addEventListener('word', ({ word }) => heard([word.text]), { once: true }),
      );
      reading.stop();
      return [...atFirst, next];
    });
    assert.deepEqual(seen, ['', 'It was late.', 'It was late', 'It']);
  });

  it('goes on where it was left, on a page that was loaded again', async (t) => {
    const page = await open(t);
    await page.evaluate(async () => {
      globalThis.reader.listen();
      const { reading } = globalThis.reader;
      const speaker = document.querySelector('svc-speaker')!;
      // In the event of the word: several may be due.
      speaker.addEventListener('word', ({ word }) => word.text === 'was' && reading.stop());
      await reading.finished.catch(() => {});
    });
    await page.reload();
    await page.waitForFunction(() => 'reader' in globalThis);
    await loadWords(page);
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
      const [first, last] = document.querySelectorAll('p');
      // So long that it is still read when a slow page goes on.
      first!.append(' It did so twice a day, and it had always done so, and nobody asked why.');
      const folded = new CSSStyleSheet();
      folded.replaceSync('.folded { display: none }');
      document.adoptedStyleSheets.push(folded);
      last!.insertAdjacentHTML('beforebegin', '<p class="folded">A bell rang.</p>');
      // The second paragraph has been requested by then.
      await globalThis.firstParagraph();
      last!.insertAdjacentHTML('beforebegin', '<p>A lamp was lit.</p>');
      document.querySelector('.folded')!.className = '';
      last!.className = 'folded';
      await reading.finished;
      return globalThis.noted.map(({ spoken }) => spoken).join(' ');
    });
    const appended = 'It did so twice a day and it had always done so and nobody asked why';
    assert.equal(heard, `The tide It was late The tide had turned by then ${appended} A bell rang A lamp was lit`);
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

  // ken107/read-aloud 275 and 322. Books are shown in frames, too.
  it('reads and highlights the text of a frame', async (t) => {
    const page = await open(t);
    const shown = await page.evaluate(async () => {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<article><h1>One</h1><p>It was <b>late</b>.<p hidden>Not this.</article>';
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await loaded;
      const { CSS: styles, Selection: Selected } = frame.contentWindow as Window & typeof globalThis;
      const article = frame.contentDocument!.querySelector('article')!;
      const speaker = document.querySelector('svc-speaker')!;
      const selection = frame.contentWindow!.getSelection()!;
      selection.selectAllChildren(article.querySelector('b')!);
      const words: string[] = [];
      for (const target of [article, selection]) {
        const reading = globalThis.reader.read(speaker, target);
        const over = new AbortController();
        speaker.addEventListener(
          'word',
          () => words.push([...styles.highlights.get('svc-word')!].map(String).join()),
          over,
        );
        await reading.finished;
        over.abort();
      }
      return { words, isOfFrame: selection instanceof Selected && !(selection instanceof Selection) };
    });
    assert.deepEqual(shown, { words: ['One', 'It', 'was', 'late', 'late'], isOfFrame: true });
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
