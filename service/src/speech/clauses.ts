import { estimateSeconds, estimateSpelledSeconds, estimateWordSeconds, WORD_GAP_SECONDS } from './estimate-seconds.js';
import { isSpoken } from './plain-text.js';

/** Kind of end of a piece, which determines the length of the pause after it. */
export type PieceEnd = 'sentence' | 'clause' | 'cut';

/** Text that is synthesized in one go. */
export interface Piece {
  readonly text: string;
  readonly end: PieceEnd;
}

/** Maximum length of a piece, in characters. A worker cannot be interrupted within a piece, so it must be short. */
const PIECE_LENGTH = 200;

/** Maximum length of a word, in characters; longer ones are cut, because voices are very slow with them. */
const WORD_LENGTH = 40;

/** Estimated length of a first clause, in seconds, above which it is cut where a speaker could take a breath. */
const QUICK_SECONDS = 2.2;

/** Minimum length of both parts of that cut, in words and in seconds. Shorter parts sound chopped. */
const QUICK_WORDS = 3;
const QUICK_SECONDS_LEAST = 0.9;

/** Abbreviations whose full stop does not end a sentence; nor does one after a single letter, as in "e.g.". */
const ABBREVIATIONS = words('mr mrs ms dr prof sr jr st vs vol fig eq approx dept inc ltd co corp capt lt sgt rev hon');

/** Words that begin a clause: a speaker can take a breath before them. */
const CONJUNCTIONS = words(
  'and but or nor because although though while whereas which who whose when where if unless until since after before',
);

/** Words that begin a part of a clause: a cut before them is the least noticeable. */
const OPENERS = new Set([
  ...CONJUNCTIONS,
  ...words('that with without from for during through between about into than'),
]);

/**
 * Cuts plain text into pieces that are synthesized one at a time. Pieces are sentences. Sentences that are too long are
 * cut at commas, else before a word such as "and", else between words, else anywhere.
 *
 * Pure; linear in the length of the text. Silent pieces are left out.
 *
 * @param maxSeconds - Approximate maximum length of a piece, in seconds of speech; see {@link estimateSeconds}.
 * @param quickStart - True if the first piece should be a clause, or part of a long one, instead of a sentence. It is
 *   ready sooner then, and so are the first pieces of other clients.
 */
export function cutIntoPieces(plain: string, maxSeconds: number, quickStart: boolean): Piece[] {
  const pieces: Piece[] = [];
  let open = '';
  let openSeconds = 0;
  const close = (end: PieceEnd): void => {
    if (isSpoken(open)) pieces.push({ text: open, end });
    open = '';
    openSeconds = 0;
  };
  const add = (text: string, seconds: number): void => {
    open = open ? `${open} ${text}` : text;
    openSeconds += seconds;
  };
  for (const { text, end } of splitClauses(plain)) {
    const seconds = estimateSeconds(text);
    if (open && !fits(open, openSeconds, text, seconds, maxSeconds)) close('clause');
    const quick = quickStart && pieces.length === 0 && !open;
    if (fits(open, openSeconds, text, seconds, maxSeconds)) {
      const [start, rest] = quick && seconds > QUICK_SECONDS ? cutStart(text) : [text, ''];
      add(start, estimateSeconds(start));
      if (rest) {
        close('cut');
        add(rest, estimateSeconds(rest));
      }
    } else {
      // Aim at parts of about equal length: a single last word would sound isolated.
      const goal = seconds / Math.ceil(Math.max(seconds / maxSeconds, text.length / PIECE_LENGTH));
      // A short first piece, because other clients also wait for their first piece.
      const most = (): number => (quick && pieces.length === 0 ? Math.min(maxSeconds, QUICK_SECONDS) : maxSeconds);
      for (const [word, wordSeconds] of splitWords(text, most)) {
        const enough = openSeconds > 0.7 * goal && OPENERS.has(word.toLowerCase());
        if (open && (enough || openSeconds > goal || !fits(open, openSeconds, word, wordSeconds, most()))) close('cut');
        add(word, wordSeconds);
      }
    }
    if (end === 'sentence' || (quickStart && pieces.length === 0)) close(end);
  }
  close('sentence');
  return pieces;
}

/** Splits off the start of a long clause before a word that begins another clause; keeps it whole if there is none. */
function cutStart(text: string): [start: string, rest: string] {
  const all = text.split(/\s/);
  let seconds = 0;
  for (let index = 0; index <= all.length - QUICK_WORDS && seconds <= 2 * QUICK_SECONDS; index++) {
    if (index >= QUICK_WORDS && seconds >= QUICK_SECONDS_LEAST && CONJUNCTIONS.has(all[index]!)) {
      const rest = all.slice(index).join(' ');
      if (estimateSeconds(rest) >= QUICK_SECONDS_LEAST) return [all.slice(0, index).join(' '), rest];
    }
    seconds += estimateWordSeconds(all[index]!) + WORD_GAP_SECONDS;
  }
  return [text, ''];
}

function fits(open: string, openSeconds: number, text: string, seconds: number, maxSeconds: number): boolean {
  const length = open ? open.length + 1 + text.length : text.length;
  return length <= PIECE_LENGTH && openSeconds + seconds <= maxSeconds;
}

/** Yields the clauses in order, without surrounding space. */
function* splitClauses(plain: string): Generator<Piece> {
  let from = 0;
  // Matches punctuation and closing marks before a space or the end, a dash between spaces, or the end of a line. Runs
  // have a maximum length, so the search is linear for any text.
  for (const match of plain.matchAll(/([.!?]{1,9}|[,;:])["')\]}]{0,4}(?=\s|$)|\s-{1,9}(?=\s)|\n/g)) {
    const at = match.index + match[0].length;
    const mark = match[1] ?? match[0];
    if (mark === '.' && endsInAbbreviation(plain.slice(Math.max(from, match.index - 12), match.index))) continue;
    const text = plain.slice(from, at).trim();
    from = at;
    if (text) yield { text, end: /[.!?\n]/.test(mark) ? 'sentence' : 'clause' };
  }
  const rest = plain.slice(from).trim();
  if (rest) yield { text: rest, end: 'sentence' };
}

/** Returns true if the last word of `text`, before a full stop, is an abbreviation or a single letter. */
function endsInAbbreviation(text: string): boolean {
  const word = /([A-Za-z]+)$/.exec(text)?.[1] ?? '';
  return (word.length === 1 && word !== 'I') || ABBREVIATIONS.has(word.toLowerCase());
}

/** Yields words in order with their length in seconds. Cuts words longer than the current result of `most`. */
function* splitWords(text: string, most: () => number): Generator<[word: string, seconds: number]> {
  for (const [word] of text.matchAll(/\S+/g)) {
    const seconds = estimateSeconds(word.slice(0, WORD_LENGTH));
    if (word.length <= WORD_LENGTH && seconds <= most()) yield [word, seconds];
    else yield* cutWord(word, most);
  }
}

/** Yields parts of an overlong word. A voice is likely to spell it out, so each letter counts as spelled. */
function* cutWord(word: string, most: () => number): Generator<[part: string, seconds: number]> {
  let part = '';
  let seconds = WORD_GAP_SECONDS;
  for (const character of word) {
    const added = estimateSpelledSeconds(character);
    if (part && (part.length === WORD_LENGTH || seconds + added > most())) {
      yield [part, seconds];
      part = '';
      seconds = WORD_GAP_SECONDS;
    }
    part += character;
    seconds += added;
  }
  yield [part, seconds];
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
