import { keys } from './abbreviations.js';
import type { Rule } from './mapped-text.js';
import { rule } from './number-patterns.js';

const ORDINALS: Readonly<Record<string, string>> = {
  1: 'first',
  2: 'second',
  3: 'third',
  I: 'first',
  II: 'second',
  III: 'third',
};

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
  'Ruth|Ezra|Job|Joel|Amos|Obadiah|Jonah|Nahum|Acts|Titus|Philemon|Jude|Tobit|Judith|Maccabees',
  'Song of (?:Solomon|Songs)',
  "Qur['’]?an|Surah",
].join('|');

/** Words before the name of a person whom one meets: "lunch with Mark 12:30". */
const MEETINGS =
  '(?:[Mm]eeting|[Ll]unch|[Dd]inner|[Cc]offee|[Aa]ppointment|[Cc]all|[Ii]nterview|[Cc]hat|[Ss]ession|1:1) (?:with|w/)';

/** Abbreviations that are no other word or name, even without a full stop. */
const CLEAR =
  'Gen|Exod|Deut|Dt|Judg|Neh|Esth|Eccl|Isa|Jer|Lam|Ezek|Hos|Hab|Zeph|Hag|Zech|Ps|Prov|Mt|Mk|Lk|Jn|Rom|Cor|Gal|Eph|Thess|Heb|Rev|Kgs|Chron';

/** Books of which there are several. */
const SEVERAL = 'Samuel|Kings|Chronicles|Maccabees|Corinthians|Thessalonians|Timothy|Peter|John';

/** Beginning of a verse after the name of a book. A time of day follows a first name, too: "Call John 9:00". */
const VERSE = String.raw`\s\d{1,3}:(?!00)\d{1,3}(?![\d:]|(?:\s?[-\u2013]\s?\d{1,2}(?::\d{2})?)?\s?(?:[aApP]\.?[mM](?!\p{L})|o['’]clock|[ECMP][SD]?T\b))`;

/**
 * Rules of places in the Bible: 1 Cor. 13:4. An abbreviation without a full stop and a number before it may be a name: "Ask
 * Tim 3:30".
 */
export const SCRIPTURE_RULES: readonly Rule[] = [
  [
    rule(`(?<![\\p{L}\\p{N}.:,-])(?:([123]|I{1,3})\\s(${keys(BOOKS)})\\.?|(${keys(BOOKS)})\\.)(?=${VERSE})`, 'giu'),
    (_, number, numbered, book) => (number ? `${ORDINALS[number.toUpperCase()]} ${nameOf(numbered)}` : nameOf(book)),
  ],
  [rule(`(?<![\\p{L}\\p{N}])(?:${CLEAR})(?=${VERSE})`), nameOf],
  // 1 Corinthians 13, II Kings 2, 1 Cor. 13
  [
    rule(
      `(?<![\\p{L}\\p{N}.:,-])([123]|I{1,3})\\s(${SEVERAL}|(?:Cor|Thess|Kgs|Chron)(?!\\p{L}))\\.?(?=\\s\\d{1,3}(?!\\d))`,
    ),
    (_, number, book) => `${ORDINALS[number]} ${nameOf(book)}`,
  ],
];

/** A rule of chapters and verses: John 3:16-18. */
export const VERSE_RULE: Rule = [
  rule(
    `(?<=(?<!\\b(?:[Aa]sk|[Cc]all|[Mm]eet|[Pp]hone|[Tt]ext|${MEETINGS})\\s)\\b(?:${NAMES}|${NAMES.toUpperCase()})(?=${VERSE})\\s)(\\d{1,3}):(\\d{1,3})(?:[-\\u2013](\\d{1,3})(?::(\\d{1,3}))?)?(?![\\d:])`,
  ),
  (_, chapter, verse, last, lastVerse) =>
    `${chapter} ${verse}${last ? ` to ${last}` : ''}${lastVerse ? ` ${lastVerse}` : ''}`,
];

/** @param book - As it is written. A full name stays so. */
function nameOf(book: string): string {
  const name = BOOKS[book.toLowerCase()] ?? book;
  return book.length < name.length ? name : book;
}
