import { estimateSeconds, estimateSpelledSeconds, estimateWordSeconds, WORD_GAP_SECONDS } from './estimate-seconds.js';
import { isSpoken } from './plain-text.js';

/** How a piece of speech ends, which says how long the pause after it is. */
export type PieceEnd = 'sentence' | 'clause' | 'cut';

/** Text that is made into speech in one go. */
export interface Piece {
  readonly text: string;
  readonly end: PieceEnd;
}

/** Longest piece, in characters: what a worker cannot be interrupted at must not take long. */
const PIECE_LENGTH = 200;

/** Words longer than this are cut: no word is, and a voice takes ever so long over one. */
const WORD_LENGTH = 40;

/** A first clause that takes longer than this, in seconds as estimated, is cut where a speaker may draw breath. */
const QUICK_SECONDS = 2.2;

/** Least of it on either side of that cut, in words and in seconds: less sounds chopped. */
const QUICK_WORDS = 3;
const QUICK_SECONDS_LEAST = 0.9;

/** Full stops after these do not end a sentence; nor do those after single letters, as in initials or "e.g.". */
const ABBREVIATIONS = words('mr mrs ms dr prof sr jr st vs vol fig eq approx dept inc ltd co corp capt lt sgt rev hon');

/** Words that open a clause: a speaker draws breath before one. */
const CONJUNCTIONS = words(
  'and but or nor because although though while whereas which who whose when where if unless until since after before',
);

/** Words that open a part of a clause: where there has to be a cut, it is least heard before one. */
const OPENERS = new Set([
  ...CONJUNCTIONS,
  ...words('that with without from for during through between about into than'),
]);

/**
 * Cuts plain text into pieces that are made into speech one at a time: sentences, cut at commas where they are too long,
 * else before a word such as "and", else between words, else anywhere.
 *
 * Pure; linear in the length of the text. Pieces that make no sound are left out.
 *
 * @param maxSeconds - About the longest speech that a piece may make, in seconds; see {@link estimateSeconds}.
 * @param quickStart - Whether the first piece is to be a clause rather than a sentence, or part of a long one, so that
 *   it is made sooner, and the first pieces of others, too.
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
      // Parts of about the same length: a last word by itself would sound forlorn.
      const goal = seconds / Math.ceil(Math.max(seconds / maxSeconds, text.length / PIECE_LENGTH));
      // Others wait for their first piece, too.
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

/** Cuts the beginning of a long clause off, before a word that opens another one; all of it if there is none. */
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

/** Clauses in order, without the space around them. */
function* splitClauses(plain: string): Generator<Piece> {
  let from = 0;
  // Punctuation with what closes after it, before a space or the end; or a dash between spaces; or the end of a line.
  // Runs are bounded, which keeps the search linear whatever the text is.
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

/** Tells whether the word at the end of `text`, before a full stop, is an abbreviation or a single letter. */
function endsInAbbreviation(text: string): boolean {
  const word = /([A-Za-z]+)$/.exec(text)?.[1] ?? '';
  return (word.length === 1 && word !== 'I') || ABBREVIATIONS.has(word.toLowerCase());
}

/** Words in order, and how long they take; those that take longer than `most` says by then are cut. */
function* splitWords(text: string, most: () => number): Generator<[word: string, seconds: number]> {
  for (const [word] of text.matchAll(/\S+/g)) {
    const seconds = estimateSeconds(word.slice(0, WORD_LENGTH));
    if (word.length <= WORD_LENGTH && seconds <= most()) yield [word, seconds];
    else yield* cutWord(word, most);
  }
}

/** Parts of a word that is too long to be one. It is likely to be spelled out, and so are its parts. */
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
