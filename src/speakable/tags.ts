import { hostOf } from './addresses.js';
import { MORE, type Part } from './scan.js';
import { raised } from './tex.js';

/**
 * A tag of HTML or SSML. An attribute without a value has four letters or more: shorter ones are words of a comparison, as
 * in `a <b and c> d`.
 */
const OPEN_TAG =
  /^<([A-Za-z][\w:.-]*)((?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*")|(?<=[\w.:-]{4})))*)\s*(\/?)>/;
const CLOSE_TAG = /^<\/([A-Za-z][\w:.-]*)\s*>/;
/** Marks of Cohere around words that have a source: `<co: 1>words</co: 0:[1,2]>`. */
const SOURCED = /^<\/?co: ?[\d:,[\] ]{1,60}>/;
/** A name in angle brackets, such as `<First Name>`; `<a and b>` is two comparisons. */
const PLACEHOLDER =
  /^<(?![^>]{0,40}(?:(?<=[< ])(?!a )\p{L} | \p{L}>))(\p{L}(?: ?[\p{L}\p{M}\p{N}_.,'’/+-]){0,40}(?<!\/))>/u;
/** A mark of a model between turns and channels. Gemma writes `<|channel>thought`, and `<channel|>` at the end. */
const CONTROL =
  /^<(?:([|｜])[^<>|｜\s]{1,40}\1?|(?:channel|turn|tool\w*)\||(?:start|end|begin)_of_\w{1,20}|[be]os|pad)>/i;
/** One that a name of a speaker or a channel follows, and such names. */
const TURN = /^<(?:\|(?:\w*start|start_header_id|channel|turn)\|?|start_of_turn)>/;
const ROLE =
  /^(?:assistant|user|system|developer|tool|model|function(?:s\.\w+)?|ipython|observation|analysis|commentary|final|thought)(?![\w-])(?: to=[^\s<]+)?/;
const ROLE_BEGINNING = /^\w{0,20}(?:\.\w{0,40})?(?: (?:t|to|to=[^\s<]{0,60})?)?$/;
/** The beginning of a thought or of a call of a tool in such marks, and a pattern for the ends of them. */
const ASIDE =
  /^(?:<\|(?!end)\w*(?:think|thought|reasoning|action|plugin|python|tool_re)\w*(?<!end)\|?>|<[|｜]tool[^<>\s]{0,40}?(?:begin|call)[|｜]?>|◁think▷)/i;
const ASIDE_END = String.raw`<\|(?:end|\/|eo|call|return)[^|\s]*\|>|<(?:[|｜][^<>\s]{0,40}end|tool\w*|channel)[|｜]>|◁\/think▷|(?=<\|start\|>)`;
const DECLARATION = /^<![A-Za-z][^>]*>/;
/** The beginning of a comment, of code and of data, which are left out. */
const OTHER_LEFT_OUT = /^<(?:(!--)|(\?)|!\[CDATA\[)/;
/** An address, with its text as Slack writes it: `<https://example.org|text>`. */
const ADDRESS_TAG =
  /^<(?:([A-Za-z][\w+.-]{1,31}:[^\s<>|]*)(?:\|([^<>\n]{1,200}))?|([\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+))>/;
/** A person, a channel, an emoji or a time in a chat, some with a name: `<@123>`, `<:blob:123>`, `<#C12|general>`. */
const CHAT = /^<(?:@[!&]?|#|a?:\w{1,40}:|t:-?)\w{1,40}(?::\w)?(?:\|([^<>\n]{1,60}))?>/;
/** The beginning of a tag that may go on. */
const TAG_BEGINNING =
  /^(?:◁\w{0,5}|<(?:\/?(?:[A-Za-z][\w:.-]*(?:\s(?:[^<>"'.,;?]|"[^"]*(?:"|$)|'[^']*(?:'|$))*)?)?\/?|\/?co:[\d:,[\] ]{0,60}|!(?:-|\[[A-Z]{0,5}|[A-Za-z][^>]*)?|[A-Za-z][^\s<>|]*(?:\|[^<>\n]{0,200})?|[@#:][^<>\n]{0,99}|[|｜‖][^<>\s]{0,60}|(?:\p{L}[\p{L}\p{M}\p{N}_.,'’/+ -]{0,80})?[\uD800-\uDBFF]?))$/u;
/** Thoughts, one of which models close with the name of another. */
const THOUGHT = String.raw`(?:\w+:)?\w*(?:think(?:ing)?|thoughts?)|reasoning`;
const IS_THOUGHT = new RegExp(`^(?:${THOUGHT})$`, 'i');
/** Elements whose contents are left out: thoughts, calls of tools, citations, and code. Names of HTML have no underscore. */
const LEFT_OUT = new RegExp(
  String.raw`^<((?:\w+:|[｜‖]{1,2}DSML[｜‖]{1,2})?(?:tools?|function)[_-]?(?:calls?|code|inputs?|outputs?|use|results?|response)|(?:function|invoke|tools?|action)(?==|\s+name=|>\s?[{[])|arg_(?:key|value)|grok:render|${THOUGHT}|analysis|reflection|\w*scratchpad|\w*monologue|\w*artifact|script|style|pre|textarea|details(?=\s[^>]*\breasoning\b))(?:=[^\s<>]*)?(?:\s(?:[^<>"'.,;?]|"[^"]*"|'[^']*')*)?(?<!\/)>`,
  'i',
);
const IS_CODE = /^(?:script|style|pre|textarea)$/i;
/** Text above or beside the line, and its beginning. */
const ABOVE = /^<(sup|rt|rp)(?:\s[^<>]*)?>([^<]{0,100})<\/\1\s*>/i;
const ABOVE_BEGINNING = /^<(?:sup|rt|rp)(?:\s[^<>]*)?>[^<]{0,100}(?:<(?:\/[a-z]{0,3}\s*)?)?$/i;
/** The end of a word, which is no unit, or of a sentence: a number above the line is then that of a note. */
const AFTER_WORD = /\p{L}{4}$|[.,;:!?"'”’]$/u;
/** Elements that begin and end lines, those within words, those without an end that must be written, and others. */
const LINES =
  /^(?:br|p|div|li|[uod]l|d[dt]|t(?:able|body|[dhr]|foot|head|itle)|h[1-6r]|blockquote|section|article|aside|details|summary|fig(?:caption|ure)|main|header|footer|nav|form|option|caption|head|body|html)$/i;
const INLINE =
  /^(?:a|abbr|b|big|cite|code|del|dfn|em|font|ins?|kbd|mark|q|r[bpt]|ruby|samp|small|span|strike|strong|su[bp]|tt|[iu]|var|wbr)$/i;
const SINGLE =
  /^(?:[bh]r|p|li|t[dhr]|d[dt]|break|img|input|s|wbr|option|laugh|chuckle|sigh|cough|gasp|groan|sniffle|yawn)$/i;
const OTHER = /^(?:audio|video|button|label|speak|response|\w*answer)$/i;
/** Text after a tag from which it cannot be told how the line goes on. */
const UNDECIDED = /^[*_]*\s*[\uD800-\uDBFF]?$/;
/** Number of characters within which an element is closed, if it may also be the name of one. */
const CLOSED_WITHIN = 200;

/**
 * Returns what a text begins with, whose first character is `<` or `◁`: an element, a mark of a model, an address, a
 * name, or only that character.
 *
 * @param before - The end of what is spoken before it.
 * @param previous - The character before it.
 * @param isOpenEnded - True if more text may follow.
 */
export function tagIn(text: string, before: string, previous: string, isOpenEnded: boolean): Part | typeof MORE {
  if (isOpenEnded && ABOVE_BEGINNING.test(text)) return MORE;
  const above = ABOVE.exec(text);
  const raisedText = above && spokenAbove(above[1]!, above[2]!, before);
  if (above && raisedText !== null) return { length: above[0].length, spoken: raisedText };
  const aside = ASIDE.exec(text);
  if (aside) return leaveOut(aside, ASIDE_END);
  const control = CONTROL.exec(text);
  if (control) return controlIn(text, control[0].length, isOpenEnded);
  const chat = CHAT.exec(text);
  if (chat) return { length: chat[0].length, spoken: chat[1] ?? '' };
  const isAtLineStart = /(?:^|\n)[ \t]*$/.test(before);
  const other = OTHER_LEFT_OUT.exec(text);
  if (other) {
    const end = other[1] ? '-->' : other[2] ? '?>' : ']]>';
    if (isAtLineStart) return leaveOut(other, end.replace('?', String.raw`\?`));
    // Without an end in the paragraph, the text only names it.
    const at = text.indexOf(end, other[0].length);
    return at >= 0 ? { length: at + end.length, spoken: '', isApart: true } : isOpenEnded ? MORE : { length: 1 };
  }
  const leftOut = LEFT_OUT.exec(text);
  if (leftOut) return leftOutIn(text, leftOut, isAtLineStart ? '' : before, isOpenEnded);
  const open = OPEN_TAG.exec(text);
  if (open && (/[=/]/.test(open[2]! + open[3]!) || (open[2] && isKnown(open[1]!) && !INLINE.test(open[1]!)))) {
    return markOf(open);
  }
  const close = CLOSE_TAG.exec(text);
  if (close) return markOf(close);
  const name = PLACEHOLDER.exec(text);
  if (name) return nameIn(text, name, isAtLineStart, previous, isOpenEnded);
  const declaration = DECLARATION.exec(text) ?? SOURCED.exec(text);
  if (declaration) return { length: declaration[0].length, spoken: '' };
  const address = ADDRESS_TAG.exec(text);
  if (address) return { length: address[0].length, spoken: address[2] ?? address[3] ?? hostOf(address[1]!) };
  return isOpenEnded && TAG_BEGINNING.test(text) ? MORE : { length: 1 };
}

/** Returns a mark between turns, with the name after it. */
function controlIn(text: string, length: number, isOpenEnded: boolean): Part | typeof MORE {
  if (!TURN.test(text)) return { length, spoken: '', isApart: true };
  const rest = text.slice(length);
  if (isOpenEnded && ROLE_BEGINNING.test(rest)) return MORE;
  const role = ROLE.exec(rest)?.[0] ?? '';
  const isAside = role !== '' && role !== 'final' && text.startsWith('<|channel');
  return { length: length + role.length, spoken: '', isApart: true, ...(isAside && { leftOut: ASIDE_END }) };
}

/** Returns an element whose contents are left out, or its name if the text only mentions it: "Close the <script> first." */
function leftOutIn(text: string, found: RegExpExecArray, before: string, isOpenEnded: boolean): Part | typeof MORE {
  const name = found[1]!;
  const end = String.raw`<\/(?:${IS_THOUGHT.test(name) ? THOUGHT : `${name.replace(/s$/i, '')}s?`})\s*>`;
  const after = text.slice(found[0].length);
  if (found[0].length === name.length + 2 && /(?:[\p{L}\p{N},;)"'”’][ \t]+|["'“‘(])$/u.test(before)) {
    const line = /^.*/.exec(after)![0];
    const goesOn = IS_CODE.test(name) ? /\S/ : /^[*_]*(?:[ \t]+[\p{Ll}\p{Lo}]|[.,;:!?)\]"'”’])/u;
    const mayGoOn = goesOn.test(line);
    if (isOpenEnded && line.length === after.length && (mayGoOn || UNDECIDED.test(line))) return MORE;
    if (mayGoOn && !new RegExp(end, 'i').test(line)) return { length: found[0].length, spoken: name };
  }
  return leaveOut(found, end);
}

/** Returns a name in angle brackets: that of an element, or text, such as a placeholder or the mention of an element. */
function nameIn(
  text: string,
  found: RegExpExecArray,
  isAtLineStart: boolean,
  previous: string,
  isOpenEnded: boolean,
): Part | typeof MORE {
  const name = found[1]!;
  const { length } = found[0];
  const after = text.slice(length);
  if (isOpenEnded && UNDECIDED.test(after)) return MORE;
  const named: Part = { length, spoken: name, isApart: true };
  if (/^(?:""|''|“”|‘’|\(\))/.test(previous + after)) return named;
  const isWithin = /[\p{L}\p{N}_]$/u.test(previous);
  const otherwise = isWithin ? { length: 1 } : named;
  if (!/^[\w:-]+$/.test(name)) return otherwise;
  const isGlued = /^[\p{L}\p{N}]/u.test(after);
  if (isKnown(name)) {
    const isElement = isWithin ? !INLINE.test(name) : isAtLineStart || !/^[\s.,;:!?)\]]/.test(after);
    if (isElement) return markOf(found);
    if (!isWithin && /^\S/.test(after)) return named;
  } else {
    if (!isAtLineStart && !isGlued) return otherwise;
    // Text right after it belongs to an element, unless it may be the name of a speaker: <Eva>Hi!
    if (isAtLineStart && isGlued && !/^\p{Lu}\p{Ll}/u.test(name)) return markOf(found);
  }
  const reach = SINGLE.test(name) ? 10 : CLOSED_WITHIN;
  const line = /^[^\n]*/.exec(after.slice(0, reach))![0];
  if (line.includes(`</${name}`)) return markOf(found);
  if (isOpenEnded && after.length < reach && line.length === after.length) return MORE;
  if (/^ (?:tag|element)s?\b/.test(line)) return named;
  const isAlone = line.trim() === '' && line !== after;
  return isAlone || SINGLE.test(name) ? markOf(found) : otherwise;
}

/** Returns a tag without its element. */
function markOf({ 0: tag, 1: name }: RegExpExecArray): Part {
  return { length: tag.length, spoken: LINES.test(name!) ? '\n' : '', isApart: !INLINE.test(name!) };
}

function leaveOut({ 0: begin }: RegExpExecArray, leftOut: string): Part {
  return { length: begin.length, spoken: '', isApart: true, leftOut };
}

function isKnown(name: string): boolean {
  return [LINES, INLINE, SINGLE, OTHER].some((names) => names.test(name));
}

/** Returns what is spoken for digits of a power, marks of sources, and aids for reading; null if it is like other text. */
function spokenAbove(name: string, text: string, before: string): string | null {
  if (!/^sup$/i.test(name)) return '';
  if (/^(?:[+−-]?\d{1,9}|\d?[+−-])$/.test(text)) return AFTER_WORD.test(before) ? '' : raised(text);
  return /^(?:\[[^\]]{1,20}\]|\(\d{1,3}\)|[*†‡]{1,3}\d{0,3})$/.test(text) ? '' : null;
}
