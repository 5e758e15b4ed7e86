import { normalizeText as writeOut } from './normalize-text.js';
import { SpeechError } from './speech-error.js';

/** Letters that have no accent to take off, and how an English voice may read them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'th',
  Ð: 'Th',
  þ: 'th',
  Þ: 'Th',
  ł: 'l',
  Ł: 'L',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
};

/** Typography, brought down to what a typewriter has. Dashes and list dots are pauses. */
const TYPOGRAPHY: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u02bc\u02bb]/g, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb\u2039\u203a]/g, '"'],
  [/[\u2010-\u2012\u2212]/g, '-'],
  [/\s?[\u2013-\u2015]+\s?/g, ', '],
  [/\s?[\u2022\u2023\u00b7]\s?/g, ', '],
  [/\u2044/g, '/'],
  [/\u00bf|\u00a1/g, ' '],
];

/** What makes a sound: letters, digits and the signs of ASCII that are read out. */
const SPOKEN = /[A-Za-z0-9#$%&*+/=@\\^_|~]/;

/**
 * Brings text down to what an English voice of ASCII letters can read: accents are taken off, typography becomes plain,
 * and what makes no sound is left out, letters of other scripts as well. Line feeds are kept, since they end sentences.
 *
 * Pure; linear in the length of the text.
 *
 * @param normalizeText - Whether numbers, abbreviations and signs such as € are written out in words; otherwise numbers
 *   are left to the voice, and what is not ASCII is left out.
 * @throws {SpeechError} If there is nothing to speak: no text, or only text of other scripts.
 */
export function toPlainText(text: string, normalizeText: boolean): string {
  // One space or line feed for each run of them comes first: patterns with space at their ends are linear only then.
  const spaced = text.replace(/[\s\p{Cc}]+/gu, (space) => (/[\n\r\u2028\u2029\u0085]/.test(space) ? '\n' : ' '));
  const worded = normalizeText ? writeOut(spaced) : spaced;
  const folded = replaceAll(worded, TYPOGRAPHY)
    .normalize('NFKD')
    .replace(/\u2044/g, '/')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[^\0-\x7f]/gu, (letter) => LETTERS[letter] ?? letter);
  const plain = folded.replace(/[^\n\x21-\x7e]+/g, ' ').trim();
  if (!isSpoken(plain)) {
    throw /(?=[^\0-\x7f])[\p{L}\p{N}]/u.test(folded)
      ? new SpeechError('foreign-script', 'This voice speaks English: it cannot read the script of this text.')
      : new SpeechError('nothing-to-speak', 'There is nothing in this text that can be spoken.');
  }
  return plain;
}

/** Tells whether plain text makes a sound. */
export function isSpoken(plain: string): boolean {
  return SPOKEN.test(plain);
}

function replaceAll(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((replaced, [pattern, by]) => replaced.replace(pattern, by), text);
}
