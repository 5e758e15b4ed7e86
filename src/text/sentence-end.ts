import type { SentenceRules } from './sentence-rules.js';
import { isSpeakable } from '../speakable/spoken-text.js';
import { isWrapped, lineBefore, mayBeWrapped } from '../speakable/wrapped-line.js';

/** Marks that end a sentence without a space after them, too. */
const FULL = '。！？｡؟۔।॥።፧။։។៕།༎᠃';
/** All marks that may end a sentence. */
const MARKS = `.!?…‽⁇⁈⁉．${FULL}`;
const EMOJI = `\\p{Extended_Pictographic}\\p{Regional_Indicator}`;
/**
 * Ends of quotes, brackets and emphasis; emoji, which belong to the sentence before them; and invisible characters. Some
 * marks end a quote in one language, and begin it in another: there, a word or a bracket follows.
 */
const CLOSING = `(?!⁉|[“‘«][\\p{L}\\p{N}\\p{Ps}])["'”’»“‘«)\\]}」』】）〉》*_~\`${EMOJI}\\p{Emoji_Modifier}\\uFE0F\\p{Cf}]`;
const OPENING = `"'“‘«(\\[{「『【（〈《¿¡*_~\`#>•–—\\-`;
/**
 * The end of a quotation behind a space, as in French; not the beginning of one, as in German. And the space before an
 * emoji.
 */
const SPACED_CLOSING = `[ \\u00A0\\u202F](?:»(?![\\p{L}\\p{N}])|(?=[${EMOJI}]))`;
/** A reference, such as [3]. */
const REFERENCE = ` ?\\[\\p{N}{1,3}\\]`;
const ENDS = `(?:[${MARKS}](?:${CLOSING}|${SPACED_CLOSING}|${REFERENCE})*)+`;

/** Where a sentence may end: marks, with what closes after them; or the end of a line. */
const CANDIDATE = new RegExp(`${ENDS}|[\\n\\u2028\\u2029]`, 'gu');
const LAST_CANDIDATE = new RegExp(`(${ENDS})\\s*$`, 'u');
/** Signs before the first word of a sentence, and short words before its capital: "'s Morgens". */
const OPENERS = new RegExp(`^[${OPENING}]*(?:(?<=['‘])[kmnrst][ -](?=\\p{Lu}))?`, 'u');
const HAS_FULL = new RegExp(`[${FULL}]`, 'u');
const IS_CLOSED = new RegExp(`[^${MARKS}]$`, 'u');

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Addresses and names of files, which may contain marks. */
const ADDRESS = /:\/\/|^www\.|[@/\\=_&]/iu;
/** "U.S", "p.m", "Ph.D", "z.B"; without vowel signs also "यू.एस". */
const DOTTED = /^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u;
/** "Dr", "Mrs", "Hbf": consonants only, but not "Hmm" or "Shh". */
const CONSONANTS = /^(?!(?:[HM]m+|Sh+|[BG]r+|Pst|Tsk|Pff)$|[AEIOUÄÖÜ])\p{Lu}[b-df-hj-np-tv-xzß]{1,3}$/u;
/** A word that begins with a small letter, other than "iPhone". */
const LOWER = /^\p{Ll}+(?!\p{Ll}|\p{Lu})/u;
/** Signs and spaces before the first word of a text. */
const BEFORE_WORDS = /^[^\p{L}\p{N}]*/u;
/** After a time of day, only its zone or day begins with a capital. */
const DAYTIME = /^[ap]\.m$/iu;
const ZONE_OR_DAY = /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Eastern|Central|Mountain|Pacific)/u;

/** A letter without a case. After "...", it rarely begins a sentence. */
const UNCASED = new RegExp(`(?!${CJK.source})\\p{Lo}`, 'u');
/** The first numbers of a date: "2024. 5", or of one in Korean: "회의는 5". */
const DATE = /(?:(?<!\p{N})\p{N}{4}|\p{Script=Hangul} ['‘’]?\p{N}{1,2})(\. ?\p{N}{1,2}){0,2}$/u;
/** Names with an exclamation mark, after which more of the name may follow. */
const NAME = /\b(?:Yahoo|Joomla|Kahoot|Yum)!$/;
/** The title of a book or a film, or its beginning, which belongs to a sentence. */
const TITLE = /[》〉]$|[《〈][^》〉]*$/;
/** Words with which a sentence of Chinese or Korean goes on after a quotation; and the beginnings of these words. */
const AFTER_QUOTATION =
  /^(?:的(?!确)|[之和吗嗎呢吧]|是(?!的)|[这這那]句|[一两兩][句声聲]|[时時后後][，,]|地[一大叫喊]|이?라[고며는니]|하[고며는면]|했|[她他它我你您][^\s\p{P}]{0,5}[说說问問道喊叫答][着著道]?[，。])/u;
const MAY_BE_AFTER_QUOTATION = /^(?:[的是这這那一两兩时時后後地이라하].?|[她他它我你您][^\s\p{P}]{0,7})$/u;
/** The end of a word in a script without capitals whose words have no full stops inside. */
const UNDOTTED = new RegExp(`(?:${CJK.source}|[\\p{Script=Hangul}\\p{Script=Hebrew}\\p{Script=Arabic}]{2})$`, 'u');
/** Japanese particles, after which a word of the same sentence follows. */
const PARTICLE = /^(?:を|[はがのに](?=[\p{Script=Han}\p{Script=Katakana}]))/u;

/** A question mark of Greek. In other scripts, it is a semicolon. */
const GREEK_MARK = /(\p{Script=Greek}["'”’»)\]]?)[;\u037E]/gu;

/** Number of characters before, and after, a mark on which its meaning may depend. */
export const LOOKAHEAD = 64;
/** Longest space between sentences. What is beyond it belongs to the next sentence. */
const LONGEST_SPACE = 32;

/**
 * Finds the end of the first sentence of a text that goes on: the position after it and its space.
 *
 * A sentence ends where the next one begins. That it begins is known from its first letter; after an abbreviation, from
 * its first word.
 *
 * @param from - Nothing before it is the end of a sentence.
 * @param line - The beginning of the first line, if the text has only its rest.
 * @returns Without an end, `from` for the next call, when there is more text.
 */
export function findEnd(
  written: string,
  from: number,
  rules: SentenceRules,
  line: string,
): { end: number | null; from: number } {
  const text = written.replaceAll(GREEK_MARK, '$1?');
  CANDIDATE.lastIndex = from;
  for (let match = CANDIDATE.exec(text); match; match = CANDIDATE.exec(text)) {
    const isLineEnd = /^\s/u.test(match[0]);
    const end = isLineEnd ? lineEndAt(line, text, match.index) : endAt(line, text, match.index, match[0], rules);
    if (end === null) return { end, from: match.index };
    if (end > 0 && isSpeakable(text.slice(0, end))) return { end, from: end };
  }
  return { end: null, from: text.length };
}

/**
 * Returns what the end of a text looks like if nothing follows for a while: the end of a sentence (`whole`), or of one to
 * which more may belong (`doubtful`: "98." before "6", "U.S." before "Army"), or none (`open`).
 */
export function endingOf(written: string, rules: SentenceRules): 'whole' | 'doubtful' | 'open' {
  const text = written.replaceAll(GREEK_MARK, '$1?');
  const match = LAST_CANDIDATE.exec(text);
  if (!isSpeakable(text)) return 'open';
  // A line, which may be wrapped.
  if (!match) return /\n\s*$/.test(text) ? 'doubtful' : 'open';
  const marks = match[1]!;
  const before = text.slice(Math.max(0, match.index - LOOKAHEAD), match.index);
  if (HAS_FULL.test(marks)) return 'whole';
  if (ADDRESS.test(tokenBefore(before))) return 'doubtful';
  // The number of an item, or a number that is all of an answer.
  if (isListMark(text.slice(0, match.index + marks.length))) return 'doubtful';
  if (!isStop(marks)) return 'whole';
  const word = wordBefore(before);
  if (includes(rules.titles, word)) return 'open';
  return /\p{N}$/u.test(word) || isOrdinal(word, rules) || isAbbreviation(word, rules) ? 'doubtful' : 'whole';
}

/**
 * Returns the position after the end of a line at `at`; 0 if the sentence goes on in the next line, null if that is not
 * known yet.
 *
 * @param begin - The beginning of the first line, if the text has only its rest.
 */
function lineEndAt(begin: string, text: string, at: number): number | null {
  const line = lineBefore(begin + text.slice(0, at), begin.length + at);
  const next = text.slice(at + 1);
  if (!mayBeWrapped(line)) return at + 1;
  if (/^[ \t]*["“‘'«(]?$/.test(next)) return null;
  return isWrapped(line, next) ? 0 : at + 1;
}

/**
 * Returns the position after the space after `marks`; 0 if the sentence goes on, null if that is not known yet.
 *
 * @param begin - The beginning of the first line, if the text has only its rest.
 */
function endAt(begin: string, text: string, at: number, marks: string, rules: SentenceRules): number | null {
  const after = at + marks.length;
  if (after === text.length) return null;
  const space = /^[^\S\n]*\n?/u.exec(text.slice(after, after + LONGEST_SPACE))![0];
  const next = after + space.length;
  if (space.endsWith('\n') || space.length === LONGEST_SPACE) return next;
  if (next === text.length) return null;
  if (isListMark(text.slice(0, after))) return 0;
  const before = text.slice(Math.max(0, at - LOOKAHEAD), at);
  if (TITLE.test(before + marks) || (space === '' && NAME.test(before + marks))) return 0;
  const rest = text.slice(next, next + LOOKAHEAD);
  if (/^\[\p{N}{0,3}$/u.test(rest)) return null; // perhaps a reference
  // A quote opens if it has none to close in the line: 他走了。"真的？"
  if (space === '' && begin.length < LOOKAHEAD && /."$/.test(marks) && /^[\p{L}¿¡]/u.test(rest)) {
    const line = lineBefore(begin + text.slice(0, at), begin.length + at);
    if (line.split('"').length % 2 === 1) return endAt(begin, text, at, marks.slice(0, -1), rules);
  }
  if (IS_CLOSED.test(marks)) {
    if (MAY_BE_AFTER_QUOTATION.test(rest)) return null;
    if (AFTER_QUOTATION.test(rest)) return 0;
  }
  const isEnd =
    space === ''
      ? isEndInside(before, marks, rest, rules)
      : isEndBefore(before, marks, rest, rules, text.slice(0, at).replace(BEFORE_WORDS, ''));
  return isEnd === null ? null : isEnd ? next : 0;
}

/**
 * Decides whether a sentence ends before a space and `rest`. Null: not known yet.
 *
 * @param sentence - The sentence up to the marks, from its first word.
 */
function isEndBefore(
  before: string,
  marks: string,
  rest: string,
  rules: SentenceRules,
  sentence: string,
): boolean | null {
  const openers = OPENERS.exec(rest)![0];
  const first = /^.?/su.exec(rest.slice(openers.length))![0];
  if (first === '' && openers.length < LOOKAHEAD) return null;
  if (openers === '' && /[.!?…,;:]/u.test(first)) return false;
  // Words between dashes, or what is said about a speech that begins with one.
  if (/^[-–—]+[^\S\n]*\p{Ll}/u.test(rest)) return false;
  if (rest.length < LOOKAHEAD && /^[-–—]+[^\S\n]*$/.test(rest)) return null;
  if (HAS_FULL.test(marks)) return true;
  const word = rest.slice(openers.length);
  if (/['‘]$/.test(openers) && /^[kmnrst][ -]?$/.test(word)) return null;
  const last = wordBefore(before);
  const isCall = /[!?‽⁇⁈⁉]/u.test(marks);
  // The writer may do without capitals.
  const isLower = LOWER.test(sentence);
  const isName = NAME.test(before + marks);
  // "I saw Oklahoma! last night", but "Thanks! that is great! bye".
  const mayBeName = marks === '!' && !isLower && openers === '' && /^\p{Lu}/u.test(last) && last !== sentence;
  if (isCall && !isName && !mayBeName && !IS_CLOSED.test(marks)) return true;
  if (rest.length < LOOKAHEAD && /^\p{Ll}+$/u.test(word)) return null;
  // "iPhone" and "eBay" begin a sentence as a capital does.
  const isNextLower = LOWER.test(word);
  if (isCall) return !isNextLower && (!isName || beginsWithStarter(word, rules));
  if (isNextLower && !(isLower && isStop(marks))) return false;
  // "[...]" stands for words that are left out.
  if (!isStop(marks)) return !/[[(]$/u.test(before) && !(/\.\.|…/.test(marks) && UNCASED.test(first));
  if (includes(rules.titles, last)) return false;
  const date = DATE.exec(before);
  if (date) {
    if (date[1] && /^ ?[\p{Lo}\p{N}]/u.test(word)) return false;
    if (/^(?: |\p{N}{1,2}\.?)$/u.test(word)) return null;
    if (/^\p{N}{1,2}\.(?!\p{N})/u.test(word)) return false;
  }
  const isKnown = isOrdinal(last, rules) || (isAbbreviation(last, rules) && !ADDRESS.test(tokenBefore(before)));
  if (!isKnown && !rules.numbered.test(last.toLowerCase())) return true;
  const isNumber = beginsWithNumber(word);
  if (isNumber !== false) return isNumber && false;
  if (!isKnown) return true;
  if (/^nos?$/iu.test(last)) return true; // an answer rather than a number
  const isStarter = beginsWithStarter(word, rules);
  if (isStarter !== false || !DAYTIME.test(last)) return isStarter;
  return /^\p{Lu}\p{Ll}/u.test(word) && !ZONE_OR_DAY.test(word);
}

/** Decides whether a sentence ends before `rest` without a space in between. Null: not known yet. */
function isEndInside(before: string, marks: string, rest: string, rules: SentenceRules): boolean | null {
  const isClosed = IS_CLOSED.test(marks);
  if (!isClosed && /^[はがのに]$/.test(rest)) return null;
  if (!isClosed && PARTICLE.test(rest)) return false;
  const openers = /^["“‘„«「『【《（¿¡]*/u.exec(rest)![0];
  const word = rest.slice(openers.length);
  const first = /^.?/su.exec(word)![0];
  if (openers === '' && /[,;:、，；：]/u.test(first)) return false;
  // A Japanese sentence goes on after a quotation, 「はい。」と言った, unless a word begins that is no particle: これ.
  if (isClosed && openers === '' && /(?![こそあどまいおわすき])\p{Script=Hiragana}/u.test(first)) return false;
  if (HAS_FULL.test(marks) || /[¿¡]/.test(openers)) return true;
  if (first === '') return rest.length < LOOKAHEAD ? null : false;
  const isCall = /[!?]/u.test(marks);
  const isCJK = CJK.test(first);
  if (isCJK || (!isClosed && /\p{Lo}/u.test(first))) {
    if (isCall) return isCJK || /[\p{Lo}\p{M}]$/u.test(before);
    return (isCJK ? /[.．]/u.test(marks) : isStop(marks)) && UNDOTTED.test(before);
  }
  // Two sentences without a space between them, or a name with a full stop in it.
  if (!/\p{Lu}/u.test(first) || !/[\p{L}\p{N}]$/u.test(before) || ADDRESS.test(tokenBefore(before))) return false;
  // Capitals before it may be part of a name: "FRITZ!Box".
  if (isCall && !/\p{Lu}{2}$/u.test(before)) return true;
  const title = /^\p{L}*/u.exec(word)![0];
  if (title.length === word.length && title.length < LOOKAHEAD) return null;
  // "v" is a title too, but not in "R.S.V.P."
  if (title.length > 1 && includes(rules.titles, title) && word[title.length] === '.') {
    return !includes(rules.titles, wordBefore(before));
  }
  return !/\.\p{L}*$/u.test(before) && beginsWithStarter(word, rules);
}

function beginsWithStarter(rest: string, rules: SentenceRules): boolean | null {
  const word = /^[\p{L}\p{M}]*/u.exec(rest)![0];
  if (word.length === rest.length && word.length < LOOKAHEAD) return null;
  // An initial.
  if (word.length === 1 && rest[1] === '.') return false;
  return rules.starters.has(word.normalize('NFC').toLowerCase());
}

/** True for "5 kg" and "IV.", but not for "I am". */
function beginsWithNumber(rest: string): boolean | null {
  if (rest.length < LOOKAHEAD && /^[IVXLC]+$/.test(rest)) return null;
  return /^(?:\p{N}|[IVXLC]{2,}(?![\p{L}\p{M}'’]))/u.test(rest);
}

/** True for a full stop alone, without other marks or closing ones. */
function isStop(marks: string): boolean {
  return marks === '.' || marks === '．';
}

/** True for "5", "7.10" and "XIV", if the language writes a full stop after them. */
function isOrdinal(word: string, { hasOrdinals }: SentenceRules): boolean {
  return hasOrdinals && /^(?:(?:\p{N}{1,2}[.٫]){0,3}\p{N}{1,3}|[IVXL]{2,6})$/u.test(word);
}

function isAbbreviation(word: string, rules: SentenceRules): boolean {
  return (
    /^\p{L}$/u.test(word) ||
    DOTTED.test(word.replaceAll(/\p{M}/gu, '')) ||
    CONSONANTS.test(word) ||
    includes(rules.abbreviations, word) ||
    rules.isAbbreviation?.(word) === true
  );
}

/** True if a list of {@link SentenceRules} has a word, or all parts of it: "Prof.Dr". */
function includes(list: ReadonlySet<string>, word: string): boolean {
  const has = (one: string): boolean => list.has(one) || list.has(one.toLowerCase());
  return has(word) || word.split('.').every(has);
}

/** True for what precedes an item of a list: "1.", "- 2.)", "b)", "iv.". */
function isListMark(text: string): boolean {
  return /^[^\p{L}\p{N}]*(?:\p{N}{1,3}|\p{L}|[ivx]{2,4})[.．]?\)?$/u.test(text);
}

function tokenBefore(before: string): string {
  return /\S*$/u.exec(before)![0];
}

/** Returns the word at the end of a text. Letters with full stops are one, with spaces between them too: "z. B". */
function wordBefore(before: string): string {
  const word = /(?:(?<![\p{L}\p{M}\p{N}])\p{L}\.\s)*\p{L}$|[\p{L}\p{M}\p{N}.٫°]*$/u.exec(before)![0];
  return word.replaceAll(/\s/g, '').normalize('NFC');
}
