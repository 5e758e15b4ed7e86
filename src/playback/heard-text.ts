/** Speech whose length is known. */
export interface KnownSpeech {
  readonly text: string;
  readonly seconds: number;
}

/** Usual pace of speech, in letters per second, weighted as below. */
const PACE = 16;
/** Weight of the usual pace in the average with the pace of earlier speech, as seconds of such speech. */
const PACE_SECONDS = 10;
/** Pause after a punctuation mark, in letters. */
const PAUSE = 4;

/** Scripts in which one character takes as long to speak as three letters. */
const SYLLABLES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Scripts that do not put spaces between words. */
const DIVIDED_BY_MARKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Estimates how much of a text has been heard.
 *
 * The protocol has no word times, so the function counts letters and adds a pause for each punctuation mark. If the
 * service reports word times one day, they replace this function.
 *
 * With a known length, 93 % of the estimates are within one word of the truth and 99.8 % within three; while the length
 * is unknown, 71 % and 92 % (`bench/heard`). Pure.
 *
 * @param text - The whole text, or the part that is known so far.
 * @param seconds - Seconds of its speech that have been heard.
 * @param duration - Length of its whole speech in seconds; null while that is unknown.
 * @param earlier - Earlier speech of the same voice; gives the pace while `duration` is null.
 * @returns Number of characters of `text`, up to the end of a word; all of them once `seconds` reaches `duration`.
 */
export function heardCharacters(
  text: string,
  seconds: number,
  duration: number | null,
  earlier: readonly KnownSpeech[] = [],
): number {
  if (!(seconds > 0)) return 0;
  if (duration !== null && seconds >= duration) return text.length;
  const known = earlier.reduce((sum, one) => sum + one.seconds, PACE_SECONDS);
  const pace = earlier.reduce((sum, one) => sum + lettersIn(one.text), PACE * PACE_SECONDS) / known;
  const reached = duration === null ? seconds * pace : (seconds / duration) * lettersIn(text);
  let letters = 0;
  let end = 0;
  for (const word of wordsOf(text)) {
    const [spoken, pause] = weigh(word.text);
    if (letters + spoken > reached) break;
    letters += spoken + pause;
    end = word.index + word.text.length;
  }
  return end;
}

function lettersIn(text: string): number {
  return wordsOf(text).reduce((sum, word) => sum + weigh(word.text)[0] + weigh(word.text)[1], 0);
}

/** Returns the length of a word and of the pause after it, in letters. */
function weigh(word: string): [number, number] {
  let letters = 0;
  for (const character of word) {
    if (SYLLABLES.test(character)) letters += 3;
    else if (/\p{L}/u.test(character)) letters += 1;
    else if (/\p{N}/u.test(character)) letters += 2;
  }
  // Without a mark, the gap to the next word.
  return [letters, /[.,;:!?…。、，；：！？]["'”’»)\]]*$/u.test(word) ? PAUSE : 0.2];
}

interface Word {
  readonly text: string;
  readonly index: number;
}

/** Splits a text into words, each with the marks that belong to it. */
function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S+/gu)].flatMap(({ 0: word, index }) => {
    if (!DIVIDED_BY_MARKS.test(word) || !('Segmenter' in Intl)) return { text: word, index };
    const parts: Word[] = [];
    for (const { segment, isWordLike, index: at } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
      word,
    )) {
      const last = parts.at(-1);
      if (isWordLike || !last) parts.push({ text: segment, index: index + at });
      else parts[parts.length - 1] = { ...last, text: last.text + segment };
    }
    return parts;
  });
}
