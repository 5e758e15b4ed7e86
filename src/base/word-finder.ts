/** Place of a word: UTF-16 offset of its first character, and the offset after its last. */
export interface WordPlace {
  readonly from: number;
  readonly to: number;
}

/** Scripts that put no space between words, as the content of a class. */
const UNSPACED = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}';
export const UNSPACED_LETTER = new RegExp(`^[${UNSPACED}]`, 'u');
/** A number, or an abbreviation in capitals: a voice says several words for it. */
const SPELLED_WORD = /\p{N}|^(?=.*\p{Lu})\P{Ll}{2,}$/u;
/** A character that a voice can speak. */
export const LETTER = /[\p{L}\p{N}]/u;
/** Signs that belong to the letter before them, such as accents and the vowels of Thai, as the content of a class. */
const SIGNS = '\\p{M}\\u0E33\\u0EB3\\u200C\\u200D\\uFF9E\\uFF9F';
export const SIGN = new RegExp(`^[${SIGNS}]`, 'u');
/** Two characters of one word. */
const IN_WORD = /^[\p{L}\p{N}\p{M}]{2}$/u;
/** Marks and accents that are not compared. */
const UNCOMPARED =
  /[^\p{L}\p{N}\p{M}]|[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED\u093C]/gu;
/** Marks and spaces around a word. */
const EDGES = /^[\s\p{P}]+|[\s\p{P}]+$/gu;
/** A written word: what stands between spaces, without the marks around it; in an unspaced script, each letter. */
const WRITTEN = new RegExp(
  `[${UNSPACED}][${SIGNS}]*|[^\\s\\p{P}${UNSPACED}](?:[^\\s${UNSPACED}]*[^\\s\\p{P}${UNSPACED}])?%?`,
  'gu',
);
/** A tag. With a slash or an attribute, such as `<break time="1s"/>`, it is a mark for the voice, which is not spoken. */
const TAG = /<\w[^<>]*>/g;
const IN_MARK = /[/=]/;
/** Number of reported words that are compared to find the place of one. */
const REACH = 16;
/** Number of written words that must follow a word that is not found, if the text goes on. */
const AHEAD = 6;
/** Number of written words, and of characters, in which the place of one that is not the next is looked for. */
const FAR = 8 * REACH;
const FAR_CHARACTERS = 4000;
/** Number of characters in which the next word is looked for. */
const WINDOW = 1000;
/** Number of characters of a word that are compared. */
const LONGEST = 100;

// Costs of a difference between what is reported and what is written. A single word that stands further on is found there if
// it is near; otherwise it takes several words that fit to leave out what is before them.
/** A word for one that is short for it ("mm" for "millimetres") or begins with it ("can't" with "ca"). */
const SIMILAR = 16;
/** A word for a number or a sign. */
const NUMBER = 32;
/** One more word for what is written: "nine" after "twenty" for "29". */
const FURTHER = 40;
/** The first written word that is not spoken, and each after that. */
const UNSPOKEN = 32;
const UNSPOKEN_NEXT = 1;
/** In addition, after a number or capitals: one more word is rather a part of them than a word that stands further on. */
const SPELLED = 16;
/** A word for any other: one more word for what is written, and one that is not spoken. */
const OTHER = FURTHER + UNSPOKEN + SPELLED;

/**
 * Finds the words that a voice reports in the text that it speaks. A voice may report what it says ("nine thirty") rather
 * than what is written ("9:30"), or parts of words ("ca", "n't"), and may leave words out. Each word is looked for where the
 * one before it ends. Where the two differ, the words around it are compared, and the difference that costs least counts.
 *
 * Takes linear time. Never throws; any thread.
 */
export class WordFinder {
  /** With spaces in place of marks for the voice. */
  #text = '';
  /** Offset behind the last word that was found. */
  #at = 0;
  /** Words that were not found since the last that was, and the offset behind that one. */
  #missed: string[] = [];
  #missedAt = 0;
  /** Number of words in a row that have no place. */
  #misses = 0;

  /** Length of the text so far. */
  get length(): number {
    return this.#text.length;
  }

  /** Adds a piece to the text. */
  add(text: string): void {
    this.#text += text.replaceAll(TAG, (tag) => (IN_MARK.test(tag) ? ' '.repeat(tag.length) : tag));
  }

  /**
   * @param words - The next words that are reported. Marks around them belong to their places, if they are written so.
   * @param isOpen - True if the text goes on. Then the result may be shorter: words near the end of the text that are not
   *   found there are left for a later call.
   * @returns For each word its place, in order; null if it belongs to the place of the word before it, or is none.
   */
  find(words: readonly string[], isOpen: boolean = false): (WordPlace | null)[] {
    const places: (WordPlace | null)[] = [];
    const bare = words.map((word) => word.replaceAll(EDGES, ''));
    for (const [index, word] of bare.entries()) {
      let place: WordPlace | null = null;
      if (word) {
        const [next, text, at] = [bare[index + 1], this.#text, this.#at];
        place = placeAt(words[index]!, next, text, at) ?? placeAt(word, next, text, at);
        if (place) this.#missed = [];
        else if (isOpen && writtenFrom(text, at, AHEAD).length < AHEAD) break;
        else place = this.#compare(bare.slice(index, index + REACH).filter(Boolean));
        this.#misses = place ? 0 : this.#misses + 1;
        this.#at = Math.max(at, place?.to ?? 0);
        if (this.#missed.length === 0) this.#missedAt = this.#at;
      }
      places.push(place);
    }
    return places;
  }

  /** Returns the place of the first of `words`: compares what was reported and written since both were the same. */
  #compare(words: readonly string[]): WordPlace | null {
    const missed = this.#missed;
    this.#missed = missed.length < REACH ? [...missed, words[0]!] : [];
    // Words of another text are not compared one by one.
    if (this.#misses > REACH && this.#misses % REACH > 0) return null;
    const written = writtenFrom(this.#text, this.#missedAt, FAR, FAR_CHARACTERS);
    const texts = written.map(({ from, to }) => this.#text.slice(from, to));
    const found = written[pairOf(missed.length, [...missed, ...words], texts)];
    return found && found.from >= this.#at ? found : null;
  }
}

/** Returns the place of a word that stands at `at`, after marks and spaces. `next` is the word after it. */
function placeAt(word: string, next: string | undefined, text: string, at: number): WordPlace | null {
  const nearby = text.slice(at, at + WINDOW);
  const begin = nearby.search(LETTER);
  const found = folded(begin < 0 ? nearby : nearby.slice(0, begin + word.length)).indexOf(folded(word));
  if (found < 0) return null;
  const [from, to] = [at + found, at + found + word.length];
  const after = text.charAt(to);
  const isPart = IN_WORD.test(text.slice(to - 1, to + 1)) && (SIGN.test(after) || !UNSPACED_LETTER.test(after));
  // The beginning of a written word is one only if the rest of it follows.
  if (isPart && (!next || folded(text.slice(to, to + next.length)) !== folded(next))) return null;
  return { from, to };
}

/** Returns the next `count` written words, if there are as many within `length` characters. */
function writtenFrom(text: string, at: number, count: number, length: number = WINDOW): WordPlace[] {
  const places: WordPlace[] = [];
  for (const { 0: word, index } of text.slice(at, at + length).matchAll(WRITTEN)) {
    if (places.push({ from: at + index, to: at + index + word.length }) === count) break;
  }
  return places;
}

/**
 * Finds the cheapest way to pair reported words with written ones, as an edit distance, whose end may leave written words
 * over.
 *
 * @returns Index of the written word of the reported word `wanted`; -1 if it has none of its own.
 */
function pairOf(wanted: number, reported: readonly string[], written: readonly string[]): number {
  const letters = written.map(lettersOf);
  const isSpelled = written.map((word) => SPELLED_WORD.test(word));
  /** For each number of written words that were passed: the least cost so far, and the pair on the way to it. */
  let costs = [0, ...written.map(() => Infinity)];
  let pairs = costs.map(() => -1);
  for (const [index, word] of reported.map(lettersOf).entries()) {
    const nextCosts = costs.map((cost) => cost + FURTHER);
    const nextPairs = [...pairs];
    /** The least cost if written words before the current one are not spoken, and the pair on the way to it. */
    let skipping = Infinity;
    let pair = -1;
    for (let at = 0; at < letters.length; at++) {
      const here = costs[at]!;
      const cost = Math.min(here, skipping) + difference(word, letters[at]!);
      if (cost < nextCosts[at + 1]!) {
        nextCosts[at + 1] = cost;
        nextPairs[at + 1] = index === wanted ? at : skipping < here ? pair : pairs[at]!;
      }
      skipping += UNSPOKEN_NEXT;
      const leaving = here + UNSPOKEN + (isSpelled[at - 1] ? SPELLED : 0);
      if (leaving < skipping) [skipping, pair] = [leaving, pairs[at]!];
    }
    [costs, pairs] = [nextCosts, nextPairs];
  }
  return pairs[costs.indexOf(Math.min(...costs))]!;
}

function difference(reported: string, written: string): number {
  if (reported === written) return 0;
  if (isShortFor(written, reported) || written.startsWith(reported)) return SIMILAR;
  return /^\p{L}/u.test(written) ? OTHER : NUMBER;
}

/** True if a word begins with the same letter as a longer one, and has only letters of it, in their order. */
function isShortFor(short: string, long: string): boolean {
  // "two" is no long form of "to".
  let found = short[0] === long[0] && long.length > short.length + 1 ? 0 : -1;
  for (let at = 1; at < short.length && found >= 0; at++) found = long.indexOf(short[at]!, found + 1);
  return found >= 0;
}

/**
 * Returns the letters and digits of a word for comparison, without accents, and without the vowels of Hebrew and Arabic, which
 * are seldom written; the word itself if it is a sign.
 */
function lettersOf(word: string): string {
  const letters = folded(word.slice(0, LONGEST).normalize('NFKD'));
  return letters.replaceAll(UNCOMPARED, '') || word;
}

/** Returns a text of the same length for comparison: in lower case, with one kind of apostrophe. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text).replaceAll(/[‘’ʼ]/g, "'");
}
