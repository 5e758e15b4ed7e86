/** Measures when the reader's highlight reaches a word, beside the sound of the word. */
import type { Gateway } from '../../src/testing/gateway.js';
import { Random } from '../../src/testing/random.js';
import type { Reply } from '../../src/testing/reply.js';
import { joined, silence, tone } from '../../src/testing/sounds.js';
import { bundlePage } from '../bundle-page.js';
import { quantile, rounded } from '../timing.js';
import type { EnginePages } from './engine-page.js';

/** Short, because the clock of the recording is estimated. */
const ARTICLES = 5;
const PARAGRAPHS = 5;
const WORDS_PER_PARAGRAPH = 40;
const CLICK_SECONDS = 0.02;
/** Error that is allowed, in ms. */
const LIMIT = 50;
/** A word may be this much early after the one before, in ms. */
const EARLY = 30;

/** Markup around words: none for most of them. */
const MARKUP = [
  (word: string) => `<em>${word}</em>`,
  (word: string) => `<a href="#">${word}</a>`,
  (word: string) => `<b>${word.slice(0, 1)}</b>${word.slice(1)}`,
  (word: string) => `${word.slice(0, 2)}&shy;${word.slice(2)}`,
];

const random = new Random(1);

/** A paragraph, its speech, and the silence before each word in seconds. */
interface Paragraph {
  readonly markup: string;
  readonly reply: Reply;
  readonly gaps: readonly number[];
}

const articles = Array.from({ length: ARTICLES }, () => Array.from({ length: PARAGRAPHS }, makeParagraph));

/**
 * Reads 1000 random words, each a click, and compares the frames in which the highlight changes with a recording of the sound
 * card.
 *
 * @returns A row of the table.
 */
export async function measureReader(
  pages: EnginePages,
  gateway: Gateway,
  transport: 'shared' | 'message',
): Promise<Record<string, unknown>> {
  const script = await bundlePage(new URL('reader-page.ts', import.meta.url));
  const errors: number[] = [];
  let [heard, wrong, stalled] = [0, 0, 0];
  for (const paragraphs of articles) {
    gateway.reply(...paragraphs.map(({ reply }) => reply));
    const act = `const { readArticle } = await import('/page.js');
      speaker.transport = '${transport}';
      speaker.sessionProvider = async () => (${JSON.stringify(gateway.session({ timings: 'words' }))});
      return readArticle(speaker, ${JSON.stringify(paragraphs.map(({ markup }) => markup).join('\n'))});`;
    const { found, clicks } = await pages.hear(act, transport === 'shared', script);
    const words = wordsIn(clicks, paragraphs);
    heard += words.length;
    for (const [index, word] of found.words!.entries()) {
      const at = words[word];
      if (at === undefined) wrong++;
      else errors.push(found.events[index]! - at);
      if (Math.abs(errors.at(-1)!) > LIMIT && found.frames![index]! > LIMIT) stalled++;
    }
  }
  const amounts = errors.map(Math.abs);
  return {
    player: `reader, ${transport}`,
    words: heard,
    'highlights of words': errors.length,
    'of something else': wrong,
    'p50 (ms)': rounded(quantile(errors, 0.5), 1),
    'p95 of the amount (ms)': rounded(quantile(amounts, 0.95), 1),
    'largest amount (ms)': rounded(quantile(amounts, 1), 1),
    [`beyond ${LIMIT} ms`]: amounts.filter((amount) => amount > LIMIT).length,
    'of these, after a frame as long': stalled,
  };
}

/**
 * Returns the clicks that begin words, in ms. A sound card that stalls cuts a click in two: the second part comes before the
 * next word is due.
 */
function wordsIn(clicks: readonly number[], paragraphs: readonly Paragraph[]): number[] {
  const intervals = paragraphs.flatMap(({ gaps }) => gaps.map((gap) => 1000 * (gap + CLICK_SECONDS)));
  const words: number[] = [];
  for (const click of clicks) {
    const due = (words.at(-1) ?? -Infinity) + (intervals[words.length] ?? Infinity);
    if (click > due - EARLY) words.push(click);
  }
  return words;
}

/** Returns a paragraph of random words, and the speech of the service for it. */
function makeParagraph(): Paragraph {
  const spoken = Array.from({ length: WORDS_PER_PARAGRAPH }, makeWord);
  const gaps = spoken.map(() => rounded(random.uniform(0.14, 0.4), 2));
  const text = spoken.join(' ');
  let end = 0;
  const words = Array.from(text.matchAll(/\S+/g), ({ 0: word, index }, number) => {
    const start = end + gaps[number]!;
    end = start + CLICK_SECONDS;
    return { from: index, to: index + word.length, start, end };
  });
  const sounds = gaps.flatMap((seconds) => [silence(seconds), tone(1000, CLICK_SECONDS)]);
  const marked = spoken.map((word) => MARKUP[random.below(4 * MARKUP.length)]?.(word) ?? word);
  return { markup: `<p>${marked.join(' ')}</p>`, reply: { audio: joined(...sounds, silence(0.5)), words }, gaps };
}

/** Returns 3 to 12 letters. */
function makeWord(): string {
  return Array.from({ length: 3 + random.below(10) }, () => String.fromCodePoint(97 + random.below(26))).join('');
}
