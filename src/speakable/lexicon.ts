import { ATTACHED } from './addresses.js';
import type { Lexicon } from './marks.js';
import { originalOf, type Run, spokenOf } from './runs.js';
import { segmentWords, UNSPACED } from './segment-words.js';
import { appendRun, splitRuns } from './spoken-text.js';

interface Entry {
  readonly phrase: string;
  readonly spoken: string;
  /** Matches the phrase at `lastIndex`, in each form in which it may be written. */
  readonly pattern: RegExp;
}

/** Length of the longest word by which entries are found, in characters. */
const LONGEST_KEY = 32;

const WORD = /[\p{L}\p{M}\p{N}]/u;
/** Marks inside a word: "can't", "example.org". The end of "SQL's" is none. */
const INSIDE = /^(?!['’]s(?![\p{L}\p{N}]))['’.·_\u00AD\u200D][\p{L}\p{N}]/u;
const INSIDE_BEFORE = /[\p{L}\p{N}]['’.·_\u00AD\u200D]$/u;
/** The look and the colour of the emoji before them. */
const VARIANT = String.raw`[\uFE0F\p{Emoji_Modifier}]`;
const JOINED = new RegExp(String.raw`\u200D|${VARIANT}`, 'u');
/** Characters that are written in several ways, as contents of classes. */
const FORMS: readonly string[] = ["'’‘ʼ", '\u2010\u2011-', ' \u00A0\u202F'];
/** The end of a text that ends with a letter or a digit, and the beginning of one that begins with one. */
const MEETS = new RegExp(`(?!${ATTACHED})${WORD.source}\\n(?!${ATTACHED})${WORD.source}`, 'u');
/** The beginning of a text by which entries are found: its first word, or a character of a script without spaces. */
const KEY = new RegExp(`^(?:${UNSPACED.source}|(?:(?!${UNSPACED.source})${WORD.source})+|[^])`, 'u');

/**
 * Makes a function that replaces what is spoken for the words and phrases of a lexicon: whole words, the longest entry
 * first.
 *
 * @param language - A BCP 47 tag, for words of scripts without spaces; undefined for that of the browser.
 */
export function makeLexicon(lexicon: Lexicon, language?: string): (runs: readonly Run[]) => readonly Run[] {
  const entries = entriesOf(lexicon);
  return (runs) => {
    const text = spokenOf(runs);
    const isEdge = edgesOf(text, language);
    const result: Run[] = [];
    let rest = runs;
    let passed = 0;
    for (let at = 0; at < text.length; at++) {
      if (!isEdge(at)) continue;
      const isHere = ({ pattern }: Entry): boolean => {
        pattern.lastIndex = at;
        return pattern.test(text) && isEdge(pattern.lastIndex);
      };
      const entry = entries.get(keyOf(text.slice(at, at + LONGEST_KEY)))?.find(isHere);
      if (!entry) continue;
      const end = entry.pattern.lastIndex;
      const [before, from] = splitRuns(rest, at - passed);
      const [covered, after] = splitRuns(from, end - at);
      for (const { original, spoken } of before) appendRun(result, original, spoken);
      // Words may stand beside a sign without a space: 5%, C++11.
      const spoken = spaceBetween(spokenOf(result.slice(-1)), entry.spoken) + entry.spoken;
      result.push({
        original: originalOf(covered),
        spoken: spoken + spaceBetween(spoken, text.slice(end, end + 2)),
      });
      rest = after;
      passed = end;
      at = end - 1;
    }
    return [...result, ...rest];
  };
}

/** Returns a space if two texts would become one word, which no script without spaces needs. */
function spaceBetween(before: string, after: string): string {
  const edge = before.slice(-2) + '\n' + after.slice(0, 2);
  return MEETS.test(edge) ? ' ' : '';
}

/** Returns a function that is true for the positions between whole words. */
function edgesOf(text: string, language: string | undefined): (at: number) => boolean {
  let segments: ReadonlySet<number> | undefined;
  return (at) => {
    const before = /.?$/su.exec(text.slice(Math.max(0, at - 2), at))![0];
    const after = /^.?/su.exec(text.slice(at, at + 2))![0];
    if (JOINED.test(after) || before === '\u200D') return false;
    if (!WORD.test(after)) return !WORD.test(before) || !INSIDE.test(text.slice(at, at + 4));
    if (!WORD.test(before)) return !INSIDE_BEFORE.test(text.slice(Math.max(0, at - 3), at));
    if (/\p{M}/u.test(after) || !UNSPACED.test(before + after)) return false;
    segments ??= new Set(Array.from(segmentWords(text, language), ({ index }) => index));
    return segments.has(at);
  };
}

/** Returns a pattern for a phrase: with any apostrophe, hyphen, space, look of an emoji and composition of accents. */
function patternOf(phrase: string): RegExp {
  const forms = Array.from(phrase.normalize('NFC').replaceAll('\uFE0F', ''), (character) => {
    const form = FORMS.find((one) => one.includes(character));
    if (form !== undefined) return `[${form}]`;
    const parts = character.normalize('NFD');
    const written = character.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
    if (/\p{Extended_Pictographic}/u.test(character)) return `${written}${VARIANT}?`;
    return parts === character ? written : `(?:${written}|${parts})`;
  });
  return new RegExp(forms.join(''), /\p{Lu}/u.test(phrase) ? 'uy' : 'iuy');
}

/** Returns the entries by the key of their beginning, the longest first. */
function entriesOf(lexicon: Lexicon): ReadonlyMap<string, readonly Entry[]> {
  const entries = new Map<string, Entry[]>();
  const phrases = Object.keys(lexicon).filter((phrase) => phrase !== '');
  for (const phrase of phrases.sort((one, other) => other.length - one.length)) {
    const key = keyOf(phrase);
    const entry = { phrase, spoken: lexicon[phrase]!, pattern: patternOf(phrase) };
    entries.set(key, [...(entries.get(key) ?? []), entry]);
  }
  return entries;
}

function keyOf(text: string): string {
  return KEY.exec(text.slice(0, LONGEST_KEY))![0].normalize('NFC').toLowerCase();
}
