import { isWrapped, lineBefore } from '../../../src/speakable/wrapped-line.js';
import { applyRules, MappedText, type Rule } from './mapped-text.js';
import { normalizeText as writeOut } from './normalize-text.js';
import { SpeechError } from './speech-error.js';
import { SPELLED_RULES } from './spelled-words.js';

/** Letters that do not decompose into a base letter and an accent, with a spelling that an English voice can read. */
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

/** A line that ends because it is full, in the middle of a sentence. */
const WRAPPED: Rule = [
  /\r?\n/g,
  (end, at, text) => (isWrapped(lineBefore(text, Number(at)), text.slice(Number(at) + end.length)) ? ' ' : end),
];

/**
 * White space becomes single spaces or line feeds: patterns with \s at their ends are linear only then. A space between
 * thousands that does not break is kept.
 */
const SPACE: Rule = [
  /(?!(?<=\d)[\u00a0\u2009\u202f]\d{3}(?!\d))[\s\p{Cc}]+/gu,
  (space) => (/[\n\r\u2028\u2029\u0085]/.test(space) ? '\n' : ' '),
];

/** Replaces typographic characters by ASCII, and removes accents. Dashes and bullets become pauses. */
const FOLD: readonly Rule[] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u02bc\u02bb]/g, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb\u2039\u203a]/g, '"'],
  [/[\u2010-\u2012\u2212]/g, '-'],
  [/\s?[\u2013-\u2015\u2500\u2501\u2e3a\u2e3b\ufe31\ufe32\ufe58]+\s?/g, ', '],
  [/\s?[\u2022\u2023\u00b7]\s?/g, ', '],
  [/\u2044/g, '/'],
  [/\u00bf|\u00a1/g, ' '],
  [/[^\0-\x7f]/gu, (letter) => letter.normalize('NFKD')],
  [/\u2044/g, '/'],
  [/[\p{M}\p{Cf}]/gu, ''],
  [/[^\0-\x7f]/gu, (letter) => LETTERS[letter] ?? letter],
];

/** Characters that are spoken: letters, digits and the ASCII signs that a voice reads out. */
const SPOKEN = /[A-Za-z0-9#$%&*+/=@\\^_|~]/;

/**
 * Reduces text to what an English voice for ASCII can read. Removes accents, replaces typographic characters, and drops
 * everything that is not spoken, including letters of other scripts. Keeps line feeds, because they end sentences.
 *
 * Pure; linear in the length of the text.
 *
 * @param normalizeText - True to write out numbers, abbreviations and signs such as € in words. Otherwise numbers are
 *   left to the voice, and characters outside ASCII are dropped.
 * @throws {SpeechError} If there is nothing to speak: no text, or only text of other scripts.
 */
export function toPlainText(text: string, normalizeText: boolean): MappedText {
  const spaced = applyRules(MappedText.of(text), [WRAPPED, SPACE]);
  const folded = applyRules(normalizeText ? writeOut(spaced) : spaced, FOLD);
  const ascii = applyRules(folded, SPELLED_RULES).replace([/[^\n\x21-\x7e]+/g, ' ']);
  const plain = ascii.slice(ascii.text.length - ascii.text.trimStart().length, ascii.text.trimEnd().length);
  if (!isSpoken(plain.text)) {
    throw /(?=[^\0-\x7f])[\p{L}\p{N}]/u.test(folded.text)
      ? new SpeechError('foreign-script', 'This voice speaks English: it cannot read the script of this text.')
      : new SpeechError('nothing-to-speak', 'There is nothing in this text that can be spoken.');
  }
  return plain;
}

/** Returns true if plain text contains something to speak. */
export function isSpoken(plain: string): boolean {
  return SPOKEN.test(plain);
}
