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

/** Seconds that a character takes to say, measured with the voices of flite, and rounded up. */
const SECONDS = { letter: 0.075, oddLetter: 0.3, digit: 0.3, sign: 0.45, pause: 0.2 } as const;

/** Full stops after these do not end a sentence; nor do those after single letters, as in initials or "e.g.". */
const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof sr jr st vs vol fig eq approx dept inc ltd co corp capt lt sgt rev hon'.split(' '),
);

/**
 * Cuts plain text into pieces that are made into speech one at a time: sentences, cut at commas where they are too long,
 * else between words, else anywhere.
 *
 * Pure; linear in the length of the text. Pieces that make no sound are left out.
 *
 * @param maxSeconds - About the longest speech that a piece may make, in seconds; see {@link estimateSeconds}.
 * @param quickStart - Whether the first piece is to be a clause rather than a sentence, so that it is made sooner.
 */
export function cutIntoPieces(plain: string, maxSeconds: number, quickStart: boolean): Piece[] {
  const pieces: Piece[] = [];
  let open = '';
  const close = (end: PieceEnd): void => {
    if (isSpoken(open)) pieces.push({ text: open, end });
    open = '';
  };
  for (const { text, end } of splitClauses(plain)) {
    if (open && !fits(`${open} ${text}`, maxSeconds)) close('clause');
    if (open || fits(text, maxSeconds)) {
      open = open ? `${open} ${text}` : text;
    } else {
      for (const word of splitWords(text, maxSeconds)) {
        if (open && !fits(`${open} ${word}`, maxSeconds)) close('cut');
        open = open ? `${open} ${word}` : word;
      }
    }
    if (end === 'sentence' || (quickStart && pieces.length === 0)) close(end);
  }
  close('sentence');
  return pieces;
}

/**
 * About how long plain text takes to say, in seconds. Words of capitals only, and words too long to be words, count as
 * spelled out.
 */
export function estimateSeconds(plain: string): number {
  let seconds = 0;
  for (const [word] of plain.matchAll(/\S+/g)) {
    const odd = word.length > 20 || /[A-Z]{2}/.test(word);
    for (const character of word) {
      if (/[A-Za-z]/.test(character)) seconds += odd ? SECONDS.oddLetter : SECONDS.letter;
      else if (/\d/.test(character)) seconds += SECONDS.digit;
      else seconds += isSpoken(character) ? SECONDS.sign : SECONDS.pause;
    }
    seconds += SECONDS.letter;
  }
  return seconds;
}

function fits(text: string, maxSeconds: number): boolean {
  return text.length <= PIECE_LENGTH && estimateSeconds(text) <= maxSeconds;
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

/** Words in order; those that are too long are cut. */
function* splitWords(text: string, maxSeconds: number): Generator<string> {
  for (const [word] of text.matchAll(/\S+/g)) {
    let rest = word;
    while (rest.length > WORD_LENGTH || (rest.length > 1 && !fits(rest, maxSeconds))) {
      let length = Math.min(rest.length, WORD_LENGTH);
      while (length > 1 && !fits(rest.slice(0, length), maxSeconds)) length >>= 1;
      yield rest.slice(0, length);
      rest = rest.slice(length);
    }
    if (rest) yield rest;
  }
}
