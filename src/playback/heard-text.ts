import { segmentWords, UNSPACED } from '../speakable/segment-words.js';
import { type Fit, fitPauses, type Mark, PAUSE_LETTERS, paceAfter, type QuietPart, type Spoken } from './pause-fit.js';

/** Speech whose length is known. */
export interface KnownSpeech {
  readonly text: string;
  readonly seconds: number;
}

/** Usual pace of speech, in letters per second, weighted as below. */
const PACE = 15;
/** Weight of the usual pace in the average with the measured pace, as seconds of speech. */
const PACE_SECONDS = 1;
/** Minimum length of a pause, in seconds. Shorter quiet parts belong to a consonant. */
const LEAST_PAUSE = 0.09;
/** The word before a punctuation mark is spoken more slowly, by this many letters. */
const LENGTHENING = 2;

/** Scripts in which one character takes as long to speak as three letters. */
const SYLLABLES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Characters that are read as words, about as long as five letters. */
const READ_AS_WORDS = /[\p{N}\p{Sc}%]/u;
const ENDS_IN_MARK = /[\p{Terminal_Punctuation}\p{Dash}…]["'\p{Pi}\p{Pf}\p{Pe}]*$/u;

/**
 * Estimates how much of a text has been heard.
 *
 * For a service that does not report word times: counts letters, and assigns the pauses of the speech to punctuation
 * marks. `docs/conversations.md` has its accuracy, measured by `bench/heard`. Pure.
 *
 * @param text - The whole text, or the part that is known so far.
 * @param seconds - Seconds of its speech that have been heard.
 * @param duration - Length of its whole speech in seconds; null while that is unknown.
 * @param earlier - Earlier speech of the same voice; gives the pace until the speech itself does.
 * @param quiet - Quiet parts of the speech, in order; those that are known so far.
 * @returns Number of characters of `text`, up to the end of a word; all of them once `seconds` reaches `duration`.
 */
export function heardCharacters(
  text: string,
  seconds: number,
  duration: number | null,
  earlier: readonly KnownSpeech[] = [],
  quiet: readonly QuietPart[] = [],
): number {
  if (!(seconds > 0)) return 0;
  if (duration !== null && seconds >= duration) return text.length;
  const { words, now, pace, fit } = fitText(text, seconds, duration, earlier, quiet);
  const reached = fit.letters + (now - fit.seconds) * paceAfter(fit, pace);
  let { letters } = fit;
  let end = words[fit.words - 1]?.end ?? 0;
  for (const word of words.slice(fit.words)) {
    if (letters + word.letters > reached) break;
    letters += word.letters + word.pause;
    end = word.end;
  }
  return end;
}

/** Assigns the pauses in the first `seconds` of speech to the marks of its text. */
export function fitText(
  text: string,
  seconds: number,
  duration: number | null,
  earlier: readonly KnownSpeech[],
  quiet: readonly QuietPart[],
): { words: Word[]; begin: number; now: number; pace: Spoken; fit: Fit } {
  const words = wordsOf(text);
  // Times are counted from the end of a silence at the beginning.
  const begin = quiet[0]?.from === 0 ? quiet[0].to : 0;
  const now = seconds - begin;
  const pace = duration === null ? paceOf(earlier) : { letters: lettersIn(words), seconds: duration - begin };
  const pauses = quiet
    .filter(({ from, to }) => from > 0 && from < seconds && to - from >= LEAST_PAUSE)
    .map(({ from, to }) => ({ from: from - begin, to: to - begin }));
  return { words, begin, now, pace, fit: fitPauses(marksIn(words), pauses, now, pace) };
}

/** Returns the usual pace, averaged with that of earlier speech. */
function paceOf(earlier: readonly KnownSpeech[]): Spoken {
  return earlier.reduce(
    ({ letters, seconds }, one) => ({
      letters: letters + lettersIn(wordsOf(one.text)),
      seconds: seconds + one.seconds,
    }),
    { letters: PACE * PACE_SECONDS, seconds: PACE_SECONDS },
  );
}

interface Word {
  /** Range in the text, without the marks around it. */
  readonly from: number;
  readonly to: number;
  /** Index in the text after its last character. */
  readonly end: number;
  /** Length of the word in letters, and of the pause after it; 0 without a punctuation mark. */
  readonly letters: number;
  readonly pause: number;
}

export function lettersIn(words: readonly Word[]): number {
  return words.reduce((sum, { letters, pause }) => sum + letters + pause, 0);
}

function marksIn(words: readonly Word[]): Mark[] {
  let before = 0;
  return words.flatMap((word, index) => {
    const letters = before + word.letters;
    before = letters + word.pause;
    return word.pause > 0 ? { letters, words: index + 1 } : [];
  });
}

function wordsOf(text: string): Word[] {
  return splitWords(text).map(({ word, end }) => {
    const isMarked = ENDS_IN_MARK.test(word) || text[end] === '\n';
    let letters = isMarked ? LENGTHENING : 0;
    for (const character of word) {
      if (SYLLABLES.test(character)) letters += 3;
      else if (/\p{L}/u.test(character)) letters += 1;
      else if (READ_AS_WORDS.test(character)) letters += 5;
    }
    const [, before, , after] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}\p{M}]*)$/su.exec(word)!;
    // Marks alone, such as a dash, are a word.
    const isMarks = before!.length === word.length;
    const from = end - word.length + (isMarks ? 0 : before!.length);
    const to = isMarks ? end : end - after!.length;
    return { from, to, end, letters, pause: isMarked ? PAUSE_LETTERS : 0 };
  });
}

/** Splits a text into words, each with the marks that belong to it. */
function splitWords(text: string): { word: string; end: number }[] {
  return [...text.matchAll(/\S+/gu)].flatMap(({ 0: word, index }) => {
    const end = index + word.length;
    if (!UNSPACED.test(word) || !('Segmenter' in Intl)) return { word, end };
    const parts: { word: string; end: number }[] = [];
    for (const { segment, isWordLike, index: at } of segmentWords(word)) {
      const before = isWordLike ? '' : (parts.pop()?.word ?? '');
      parts.push({ word: before + segment, end: index + at + segment.length });
    }
    return parts;
  });
}
