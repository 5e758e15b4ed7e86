import { ATTACHED } from './addresses.js';
import { linkEnd, MORE } from './scan.js';

/** Stands for a source that was left out, in the text before another one. */
export const SOURCE_LEFT_OUT = '\uE202';
/** Number of characters before a source on which its meaning may depend. */
export const SOURCE_LOOKBEHIND = 32;

/** Numbers of sources, such as `[2]`, `[2, 3]`, `[4-6]`, `[4]–[6]`, `[[2]]` or `【2】`, which may be words. */
const NUMBERS =
  /^[ \t]*(?:\[\[\d{1,3}\]\]|\[[1-9]\d{0,2}((?:, ?|[-–])\d{1,3}){0,9}\](?:[-–]\[\d{1,3}\])?|【\d{1,3}(?:[-–]\d{1,3})?】)/;
/**
 * Named ones, which may be links: `[citation:2]`, `[oai_citation:0‡example.com](https://example.com)`. Also the key
 * of a book, `[see @smith2020, p. 3]`, but not if an address follows: then it is a link to a person.
 */
const NAMED =
  /^[ \t]*\[(?:(?:(?:cite|citation|web|reference|page|post|source|file|attached_file|memory|ID): ?|doc)\d{1,3}(?:, ?\d{1,3}){0,9}|oai_cit[^\]]{1,200}|(?:cite)?turn\d[^\]]{1,60}|[^\][@]{0,30}@[\w:.+-]{0,60}\d\d[a-z]?(?:[,;] ?[^\]]{0,160})?(?=\](?!\()))\]/;
/**
 * Other marks for sources and notes: `[^note]`, `^[note]`, `{>> note <<}`, `%%note%%`, `【4:0†name】`, `[1†name]`, `##0$$`, and those
 * of ChatGPT, `:contentReference[oaicite:0]{index=0}` and `citeturn0search1`, which stand between U+E200 and U+E201 or
 * alone; and those of models for where a citation or a turn begins.
 */
const MARK =
  /^[ \t]*(?:\[\^[^\]]{1,99}\]|\^\[[^\]]{1,300}\]\^?|\{>>[^]{1,300}?<<\}|%%[^]{1,300}?%%|\[(?:\/?INST|\/THINK|cite_start)\]|[[【]\d{1,3}(?::\d{1,3})?†[^\]】]{0,200}[\]】]|##\d{1,3}\$\$|:[a-z+-][\w+-]{1,31}:(?=[\s.,!?]|$|:[a-z+-][\w+-]{1,31}:)|:contentReference\[[^\]]{1,40}\]\{[^}]{1,40}\}|\uE200[^\uE201]{0,300}\uE201|[\uE203\uE204]|cite(?:turn\d{1,4}[a-z]{1,12}\d{1,4}){1,9}(?![a-z\d]))/;
/** Pattern of the first characters of the mark of a source or a note, without spaces before it. */
export const SOURCE_BEGIN =
  '[[【\\uE200\\uE203\\uE204]|\\^\\[|\\{>>|%%|##\\d|:contentR|:[a-z+-][\\w+-]{1,31}:|\\bciteturn';
/** Pattern of the end of a text that may become {@link SOURCE_BEGIN}. */
export const SOURCE_BEGINNING = '(?:\\^|\\{>?|%|##?|:(?:[a-z+-][\\w+-]{0,31})?|\\bc(?:i|it|ite|itetu?r?)?)$';
/** A mark that is not complete yet. */
const BEGINNING = new RegExp(
  String.raw`^[ \t]*(?:${SOURCE_BEGINNING}|(?:\[(?:[^\]]{0,300}|\[\d{0,3}\]?)|【(?:\d[\d:–-]{0,6}(?:†[^\]】]{0,200})?)?|\^\[[^\]]{0,300}|\{>>[^]{0,300}|%%[^]{0,300}|##\d{1,3}\$?|:[a-z+-][\w+-]{1,31}::[\w+-]{0,32}|:contentR\w{0,8}(?:\[[^\]]{0,40}(?:\](?:\{[^}]{0,40})?)?)?|\uE200[^\uE201]{0,300}|citeturn[a-z\d]{0,200})$)`,
);

/** The end of a clause, of a line or of a cell. */
const CLAUSE_END = /^(?:[.,;!?…。、，；！？)）]|[ \t]*(?:\||\r?\n|$)|[ \t]?[[【]\d)/;
/** Text after a number that belongs to a word or a formula. */
const GOES_ON = /^(?:[(\p{L}\p{N}_]|\[(?!\d)| ?[=*/+])/u;
/** Words of Chinese, Japanese and Korean before a number that is no source: 第[6]章, 如[7]所示. */
const BEFORE_NUMERAL = /[第図图圖表章節节页頁題题按選选擇择据據如見见제]$/;
/** The ends of a text before a number, and the beginnings of one after it, where a word needs no space: 研究[1]表明. */
const BEFORE_WORD = new RegExp(`(?:${ATTACHED}|[ー」』”）%％])$`, 'u');
const WORD = new RegExp(`^${ATTACHED}`, 'u');
/** More numbers after one, and what may become one. */
const CHAIN = String.raw`^(?:[ \t]?(?:\[\d[\d, –-]{0,20}\]|【\d[\d–-]{0,8}】)(?!\())`;
const AFTER_CHAIN = new RegExp(`${CHAIN}+`);
const MAY_GO_ON = new RegExp(
  String.raw`${CHAIN}*[ \t]*(?:[\r\uD800-\uDBFF]|[-–]?(?:\[[\d, –-]{0,22}\]?)?|【[\d–-]{0,9})$`,
);
/** Names of variables: `x`, `my_list`, `userIds`; and a capital, which may be one. */
const VARIABLE = /(?:^|[^\p{L}\p{N}_])(?:\p{Ll}|arr|argv|args|\w*_\w*|\w*\p{Ll}\p{Lu}\w*)$/u;
const CAPITAL = /(?:^|[^\p{L}\p{N}_])[A-Z]$/u;
/** A quotation mark that opens, or a bracket. */
const OPENED = /(?:^|\s)["']$|[\p{Pi}\p{Ps}„]$/u;
/** A number in brackets that was spoken, and what may stand before the next one. */
const AFTER_SPOKEN = /[[【]\d[\d, –-]*[\]】][,;–-]?(?: ?\p{L}{1,4})?$/u;
const AFTER_LEFT_OUT = new RegExp(`${SOURCE_LEFT_OUT}[,;、，]$`);

/** Words that are followed by what they are about: "chapter [3]", "according to [1]". */
const BEFORE_NUMBER = new RegExp(
  `(?:^|[^\\p{L}])(?:${(
    'the in by of from to at on for with per than and or see is are was were option key number step page chapter section item ' +
    'row line level error code figure table question exercise example equation press select choose type enter pick say ' +
    'die das der von aus nach siehe und oder ist sind wähle drücke taste schritt seite kapitel frage abschnitt ' +
    'le la les de dans voir selon et ou est sont étape chapitre touche el en ver según es son paso página capítulo opción'
  ).replaceAll(' ', '|')})$`,
  'iu',
);

/**
 * Returns the length of the mark of a source or a note with which a text begins, after spaces; null if there is none. A
 * number in brackets is one if it follows a word without a space, or stands before the end of a clause, unless it may be
 * a word or an index.
 *
 * @param before - The end of the text before it, at most {@link SOURCE_LOOKBEHIND} characters.
 * @param isOpenEnded - True if more text may follow.
 */
export function sourceEnd(text: string, before: string, isOpenEnded: boolean): number | typeof MORE | null {
  const mark = MARK.exec(text);
  if (mark && /^:.*:$/.test(mark[0]) && !/(?:^|[\s\uE202])$/.test(before)) return null;
  if (mark?.[0].endsWith('%%') && /\d$/.test(before)) return null;
  if (mark)
    return isOpenEnded && mark[0].length === text.length && /[\d:]$|^[ \t]*\^/.test(text) ? MORE : mark[0].length;
  const named = NAMED.exec(text);
  const numbers = named ?? NUMBERS.exec(text);
  if (!numbers) return isOpenEnded && BEGINNING.test(text) ? MORE : null;
  let { length } = numbers[0];
  if (text[length] === '(') {
    const link = linkEnd(text.slice(length));
    if (link === MORE && isOpenEnded) return MORE;
    if (link !== MORE && link !== null) length += link;
  }
  const after = text.slice(length);
  if (isOpenEnded && MAY_GO_ON.test(after)) return MORE;
  return named || isSource(before, numbers, after) ? length : null;
}

function isSource(before: string, { 0: text, 1: isList }: RegExpExecArray, after: string): boolean {
  if (AFTER_SPOKEN.test(before)) return false;
  // The first of a chain decides for all of it.
  if (before.endsWith(SOURCE_LEFT_OUT)) return true;
  const next = after.replace(AFTER_CHAIN, '');
  const isWord = WORD.test(next);
  const goesOn = GOES_ON.test(next);
  if (AFTER_LEFT_OUT.test(before)) return isWord || !goesOn;
  if (/^[ \t]/.test(text)) {
    return (
      /[\p{L}\p{M}\p{N}\p{Pe}\p{Pf}"'.!?。！？%]$/u.test(before) &&
      !isList &&
      CLAUSE_END.test(after) &&
      !BEFORE_NUMBER.test(before)
    );
  }
  if (/(?:^|\s)$/.test(before) || VARIABLE.test(before) || BEFORE_NUMERAL.test(before)) return false;
  // Two numbers in these brackets are no word: 雨【1-2】です.
  if (goesOn && !/【\d+[-–]/.test(text) && !(isWord && BEFORE_WORD.test(before))) return false;
  if (CAPITAL.test(before) && !CLAUSE_END.test(after)) return false;
  return !OPENED.test(before) || (before.endsWith('(') && /^[),;]/.test(after));
}
