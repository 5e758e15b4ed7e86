/** Seconds per character, measured with flite's slowest voices and rounded up. A spelled "w" has three syllables. */
const SECONDS = {
  letter: 0.06,
  oddLetter: 0.32,
  oddW: 0.56,
  digit: 0.5,
  sign: 0.5,
  pause: 0.2,
  ideograph: 0.25,
} as const;

/** Seconds per word in addition to its letters: short words have more sounds per letter. */
export const WORD_GAP_SECONDS = 0.15;

/**
 * Estimates the length of the speech of a text, in seconds. Words that cannot be pronounced, short words in capitals,
 * and words that are too long count as spelled out.
 *
 * Pure; linear in the length of the text.
 */
export function estimateSeconds(text: string): number {
  let seconds = 0;
  for (const [word] of text.matchAll(/\S+/g)) seconds += estimateWordSeconds(word) + WORD_GAP_SECONDS;
  return seconds;
}

/** Estimates a single word, without the gap that follows it, in seconds. */
export function estimateWordSeconds(word: string): number {
  return sumSeconds(word, isSpelledOut(word));
}

/** Estimates a word that is spelled out, in seconds. */
export function estimateSpelledSeconds(word: string): number {
  return sumSeconds(word, true);
}

function sumSeconds(word: string, odd: boolean): number {
  let seconds = 0;
  for (const character of word) seconds += secondsOf(character, odd);
  return seconds;
}

/** Returns true if a voice is likely to spell the word out. */
function isSpelledOut(word: string): boolean {
  if (word.length > 20 || /^ok$/i.test(word)) return true;
  if (/(?<![A-Za-z])[A-Z]{2,3}(?![a-z])/.test(word)) return true; // most abbreviations
  if (/[bcdfghjklmnpqrstvwxz]{6}/i.test(word)) return true;
  return /[bcdfghjklmnpqrstvwxz]{2}/i.test(word) && !/[aeiouy\u0080-\uffff]/i.test(word);
}

function secondsOf(character: string, odd: boolean): number {
  if (/[A-Za-z]/.test(character)) {
    if (!odd) return SECONDS.letter;
    return /w/i.test(character) ? SECONDS.oddW : SECONDS.oddLetter;
  }
  if (/\d/.test(character)) return SECONDS.digit;
  if (/[#$%&*+/=@\\^_|~]/.test(character)) return SECONDS.sign;
  if (character < '\u0080') return SECONDS.pause;
  if (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character))
    return SECONDS.ideograph;
  return /\p{L}/u.test(character) ? SECONDS.letter : SECONDS.pause;
}
