import type { Lexicon } from './marks.js';
import { appendRun, originalOf, type Run, splitRuns, spokenOf } from './spoken-text.js';

interface Entry {
  readonly phrase: string;
  readonly spoken: string;
  /** Only an entry with a capital tells capitals from small letters. */
  readonly isExact: boolean;
}

/** Entries by their first character in lower case, longest first. */
type Index = ReadonlyMap<string, readonly Entry[]>;

const indexes = new WeakMap<Lexicon, { readonly content: string; readonly index: Index }>();

const WORD = /[\p{L}\p{M}\p{N}]/u;
/** Marks inside a word: "can't", "example.org". The end of "SQL's" is none. */
const INSIDE = /^(?!['’]s(?![\p{L}\p{N}]))['’.·_\u00AD\u200D][\p{L}\p{N}]/u;
const INSIDE_BEFORE = /[\p{L}\p{N}]['’.·_\u00AD\u200D]$/u;
/** Scripts that do not put spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Replaces what is spoken for the words and phrases of a lexicon: whole words, the longest entry first.
 *
 * @param language - A BCP 47 tag, for words of scripts without spaces; undefined for that of the browser.
 */
export function applyLexicon(runs: readonly Run[], lexicon: Lexicon, language?: string): readonly Run[] {
  const index = indexOf(lexicon);
  const text = spokenOf(runs);
  let edges: ReadonlySet<number> | undefined;
  const isEdge = (at: number): boolean => {
    const before = /.?$/su.exec(text.slice(Math.max(0, at - 2), at))![0];
    const after = /^.?/su.exec(text.slice(at, at + 2))![0];
    if (!WORD.test(after)) return !WORD.test(before) || !INSIDE.test(text.slice(at, at + 4));
    if (!WORD.test(before)) return !INSIDE_BEFORE.test(text.slice(Math.max(0, at - 3), at));
    if (/\p{M}/u.test(after) || !UNSPACED.test(before + after)) return false;
    return (edges ??= wordEdges(text, language)).has(at);
  };
  let result: Run[] | undefined;
  let rest = runs;
  let passed = 0;
  for (let at = 0; at < text.length;) {
    const entry = index
      .get(text[at]!.toLowerCase())
      ?.find(({ phrase, isExact }) => isAt(text, at, phrase, isExact) && isEdge(at) && isEdge(at + phrase.length));
    if (!entry) {
      at++;
      continue;
    }
    const [before, from] = splitRuns(rest, at - passed);
    const [covered, after] = splitRuns(from, entry.phrase.length);
    result ??= [];
    for (const { original, spoken } of before) appendRun(result, original, spoken);
    result.push({ original: originalOf(covered), spoken: entry.spoken });
    rest = after;
    at += entry.phrase.length;
    passed = at;
  }
  return result ? [...result, ...rest] : runs;
}

function isAt(text: string, at: number, phrase: string, isExact: boolean): boolean {
  return isExact
    ? text.startsWith(phrase, at)
    : text.length >= at + phrase.length && text.slice(at, at + phrase.length).toLowerCase() === phrase;
}

function indexOf(lexicon: Lexicon): Index {
  const content = JSON.stringify(lexicon); // a page may change the object
  const known = indexes.get(lexicon);
  if (known?.content === content) return known.index;
  const index = new Map<string, Entry[]>();
  const entries = Object.entries(lexicon).filter(([phrase]) => phrase !== '');
  for (const [phrase, spoken] of entries.sort(([one], [other]) => other.length - one.length)) {
    const first = phrase[0]!.toLowerCase();
    const isExact = /\p{Lu}/u.test(phrase);
    index.set(first, [...(index.get(first) ?? []), { phrase, spoken, isExact }]);
  }
  indexes.set(lexicon, { content, index });
  return index;
}

/** Returns the positions between words. */
function wordEdges(text: string, language: string | undefined): ReadonlySet<number> {
  const edges = new Set<number>([0, text.length]);
  if (!('Segmenter' in Intl)) return edges;
  for (const { index } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) edges.add(index);
  return edges;
}
