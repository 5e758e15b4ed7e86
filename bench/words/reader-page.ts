/** Reads an article in a page of the bench, and notes where the highlight is in each frame. */
import type { SvcSpeakerElement } from '../../src/index.js';
import { read } from '../../src/reader/index.js';
import type { Found } from './engine-page.js';

/**
 * Reads `markup` aloud. In each animation frame, looks for the word of the page that has the rectangle of the highlight. An
 * event is the first frame of a word.
 *
 * @returns The times of the events, and the number of the word at each of them; -1 if no word has that rectangle.
 */
export async function readArticle(speaker: SvcSpeakerElement, markup: string): Promise<Found> {
  const article = document.createElement('article');
  article.innerHTML = markup;
  document.body.append(article);
  const words = rangesOfWords(article);
  const [events, shown, frames]: [number[], number[], number[]] = [[], [], []];
  let isOver = false;
  let frameBefore = performance.now();
  const look = (): void => {
    const now = performance.now();
    const [highlighted] = (CSS.highlights.get('svc-word') ?? []) as Iterable<Range>;
    if (highlighted && !haveSameRectangle(highlighted, words[shown.at(-1)!])) {
      const found = words.findIndex((word) => haveSameRectangle(highlighted, word));
      if (found !== shown.at(-1)) {
        shown.push(found);
        events.push(performance.timeOrigin + now);
        frames.push(now - frameBefore);
      }
    }
    frameBefore = now;
    if (!isOver) requestAnimationFrame(look);
  };
  const { finished } = read(speaker, article);
  await speaker.play();
  look();
  await finished;
  isOver = true;
  return { since: 0, events, words: shown, frames };
}

/** Returns the ranges of what is between spaces, from the text of the page and not from the reader's. */
function rangesOfWords(article: Element): Range[] {
  const letters: [Node, number][] = [];
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = 0; at < node.nodeValue!.length; at++) letters.push([node, at]);
  }
  return Array.from(article.textContent.matchAll(/\S+/g), ({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(...letters[index]!);
    const [last, at] = letters[index + word.length - 1]!;
    range.setEnd(last, at + 1);
    return range;
  });
}

/** True if the rectangles of two ranges differ by less than a pixel. */
function haveSameRectangle(one: Range, other: Range | undefined): boolean {
  if (!other) return false;
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return (['left', 'top', 'right', 'bottom'] as const).every((side) => Math.abs(a[side] - b[side]) < 1);
}
