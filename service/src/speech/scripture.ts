import { keys } from './abbreviations.js';
import type { Rule } from './mapped-text.js';
import { rule } from './number-patterns.js';
import { sayOrdinal } from './number-words.js';

/** Books of the Bible by their names and abbreviations in small letters. */
const BOOKS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'Gen Genesis;Ex Exod Exodus;Lev Leviticus;Num Numbers;Deut Dt Deuteronomy;Josh Joshua;Judg Judges;Sam Samuel;' +
    'Kgs Kings;Chr Chron Chronicles;Neh Nehemiah;Esth Esther;Ps Pss Psalm;Prov Proverbs;Eccl Ecclesiastes;Isa Isaiah;' +
    'Jer Jeremiah;Lam Lamentations;Ezek Ezekiel;Dan Daniel;Hos Hosea;Mic Micah;Hab Habakkuk;Zeph Zephaniah;' +
    'Hag Haggai;Zech Zechariah;Mal Malachi;Matt Mt Matthew;Mk Mark;Lk Luke;Jn John;Rom Romans;Cor Corinthians;' +
    'Gal Galatians;Eph Ephesians;Phil Philippians;Col Colossians;Thess Thessalonians;Tim Timothy;Heb Hebrews;' +
    'Jas James;Pet Peter;Rev Revelation'
  )
    .split(';')
    .flatMap((line) => {
      const names = line.split(' ');
      return names.map((name) => [name.toLowerCase(), names.at(-1)!]);
    }),
);

/** Names of all books, also those that are not abbreviated, and of the Koran. */
const NAMES = [
  ...new Set(Object.values(BOOKS)),
  'Psalms',
  'Ruth|Ezra|Job|Joel|Amos|Acts|Titus|Jude',
  "Qur['’]?an|Surah",
].join('|');

/** Abbreviations that are no other word or name, even without a full stop. */
const CLEAR = 'Gen|Exod|Deut|Isa|Jer|Ezek|Ps|Prov|Rom|Cor|Gal|Eph|Thess|Heb|Rev';

/**
 * Rules of places in the Bible: 1 Cor. 13:4. An abbreviation without a full stop and a number before it may be a name: "Ask
 * Tim 3:30".
 */
export const SCRIPTURE_RULES: readonly Rule[] = [
  [
    rule(`(?<![\\p{L}\\p{N}.:,-])(?:([123])\\s(${keys(BOOKS)})\\.?|(${keys(BOOKS)})\\.)(?=\\s\\d{1,3}:\\d)`, 'giu'),
    (_, number, numbered, book) => (number ? `${sayOrdinal(number)} ${nameOf(numbered)}` : nameOf(book)),
  ],
  [rule(`(?<![\\p{L}\\p{N}])(?:${CLEAR})(?=\\s\\d{1,3}:\\d)`), nameOf],
];

/** A rule of chapters and verses: John 3:16-18. */
export const VERSE_RULE: Rule = [
  rule(`(?<=\\b(?:${NAMES}|${NAMES.toUpperCase()})\\s)(\\d{1,3}):(\\d{1,3})(?:[-\\u2013](\\d{1,3}))?(?![\\d:])`),
  (_, chapter, verse, last) => `${chapter} ${verse}${last ? ` to ${last}` : ''}`,
];

/** @param book - As it is written. A full name stays so. */
function nameOf(book: string): string {
  const name = BOOKS[book.toLowerCase()]!;
  return book.length < name.length ? name : book;
}
