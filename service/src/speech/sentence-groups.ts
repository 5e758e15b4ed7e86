import { estimateSeconds, estimateSpelledSeconds } from './estimate-seconds.js';

/** Limits for cutting text for an engine that splits sentences itself. */
export interface GroupBounds {
  /** Approximate maximum length of a group, in seconds of speech; see {@link estimateSeconds}. */
  readonly maxSeconds: number;
  /** Maximum length of a group, in UTF-16 code units, from 2. */
  readonly maxLength: number;
  /** True if the first group should be a single sentence, so that it is ready sooner. */
  readonly quickStart: boolean;
}

/** Ends of sentences in any script, with closing marks; ends of lines; and, as `weak`, ends of clauses. */
const ENDS = /(?:[.!?…]{1,9}["')\]}”’»]{0,4}(?=\s|$)|[。！？]{1,9}[」』）”]{0,4}|\n)|(?<weak>[,;:](?=\s)|[，、；：])/g;

/** Abbreviations whose full stop does not end a sentence. */
const ABBREVIATED = /(?:^|[\s(])(?:\p{L}|Mr|Mrs|Ms|Dr|Prof|St|vs|approx|bzw|usw|Sr|Sra)\.$/u;

/**
 * Cuts text of any script into groups of sentences. A sentence that is too long is cut at its commas, else between
 * words, else between characters.
 *
 * Pure; linear in the length of the text. Groups without a letter or a digit are left out.
 */
export function groupSentences(text: string, bounds: GroupBounds): string[] {
  const groups: string[] = [];
  let open = '';
  let openSeconds = 0;
  const close = (): void => {
    if (/[\p{L}\p{N}]/u.test(open)) groups.push(open);
    open = '';
    openSeconds = 0;
  };
  const add = (part: string): void => {
    const seconds = estimateSeconds(part);
    const tooMuch = openSeconds + seconds > bounds.maxSeconds || open.length + 1 + part.length > bounds.maxLength;
    if (open && tooMuch) close();
    open = open ? `${open} ${part}` : part;
    openSeconds += seconds;
  };
  for (const sentence of split(text, false)) {
    const fits = sentence.length <= bounds.maxLength && estimateSeconds(sentence) <= bounds.maxSeconds;
    if (fits) add(sentence);
    else for (const part of cutSentence(sentence, bounds)) add(part);
    if (bounds.quickStart && groups.length === 0) close();
  }
  close();
  return groups;
}

function* cutSentence(sentence: string, { maxSeconds, maxLength }: GroupBounds): Generator<string> {
  const fits = (part: string): boolean => part.length <= maxLength && estimateSeconds(part) <= maxSeconds;
  for (const clause of split(sentence, true)) {
    if (fits(clause)) yield clause;
    else {
      for (const [word] of clause.matchAll(/\S+/g)) {
        if (word.length <= maxLength && fits(word)) yield word;
        else yield* cutWord(word, maxSeconds, maxLength);
      }
    }
  }
}

/** Yields parts of an overlong word: text in a script without spaces, or text that is not meant to be read. */
function* cutWord(word: string, maxSeconds: number, maxLength: number): Generator<string> {
  let part = '';
  let seconds = 0;
  for (const character of word) {
    const added = estimateSpelledSeconds(character);
    if (part && (part.length + character.length > maxLength || seconds + added > maxSeconds)) {
      yield part;
      part = '';
      seconds = 0;
    }
    part += character;
    seconds += added;
  }
  yield part;
}

/** Yields the sentences, or with `weak` their clauses, without surrounding space. */
function* split(text: string, weak: boolean): Generator<string> {
  let from = 0;
  for (const match of text.matchAll(ENDS)) {
    if (match.groups?.weak && !weak) continue;
    const to = match.index + match[0].length;
    if (ABBREVIATED.test(text.slice(Math.max(from, to - 10), to))) continue;
    const part = text.slice(from, to).trim();
    from = to;
    if (part) yield part;
  }
  const rest = text.slice(from).trim();
  if (rest) yield rest;
}
