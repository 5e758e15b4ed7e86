import { hostOf } from './addresses.js';
import { MORE, type Part } from './scan.js';
import { raised } from './tex.js';

const OPEN_TAG = /^<([A-Za-z][\w:.-]*)(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*(\/?)>/;
const CLOSE_TAG = /^<\/([A-Za-z][\w:.-]*)\s*>/;
/** Marks of Cohere around words that have a source: `<co: 1>words</co: 0:[1,2]>`. */
const SOURCED = /^<\/?co: ?[\d:,[\] ]{1,60}>/;
/** Tells a tag from a name in angle brackets, of which only names of HTML are tags: `<your_name>`. */
const IS_TAG = /^<[a-z\d-]+[\s/>]|=|\/>$|_of_turn>$/i;
/**
 * A mark of a model between turns and channels, with the name of the speaker or the channel: `<|im_start|>assistant`.
 * Gemma writes `<|channel>thought`, and `<channel|>` at the end.
 */
const CONTROL =
  /^<(?:([|｜])[^<>|｜\s]{1,40}\1?|(?:channel|turn|tool\w*)\|)>(?:(?<=^<\|(?:\w*start|start_header_id|channel|turn)\|?>)\w+)?/;
/** The beginning of a call of a tool, in marks of Kimi, DeepSeek and Gemma. */
const CALL = /^<[|｜]tool[^<>\s]{0,40}?(?:begin|call)[|｜]?>/;
const DECLARATION = /^<![A-Za-z][^>]*>/;
/** The beginning of something else that is left out up to its end. */
const OTHER_LEFT_OUT = /^<(?:!--|\?|!\[CDATA\[)/;
const ADDRESS_TAG = /^<(?:([A-Za-z][\w+.-]{1,31}:[^\s<>]*)|([\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+))>/;
/** The beginning of a tag that may go on. */
const TAG_BEGINNING =
  /^<(?:\/?(?:[A-Za-z][\w:.-]*(?:\s(?:[^<>"'.,;?]|"[^"]*"?|'[^']*'?)*)?)?\/?|\/?co:[\d:,[\] ]{0,60}|[?!][^]*|[A-Za-z][^\s<>]*|[|｜‖][^<>\s]{0,60})$/;
/** Elements whose contents are left out. */
const LEFT_OUT =
  /^<(?:(?:think|\w*thinking|thought|reasoning|\w*artifact|script|style|pre|textarea)\b|details\s[^>]*\breasoning\b)/i;
/** One of HTML, and the rest of the line. If it does not end there, the text only names it: "Close the <script> first." */
const RAW = /^<(?:script|style|pre|textarea)\b[^<>]*>([^\n]*)/i;
const RAW_END = /<\/(?:script|style|pre|textarea)\b/i;
/** Elements of models that are left out: calls of tools, thoughts and citations. Names of HTML have no underscore. */
const TOOL =
  /^<((?:\w+:|[｜‖]{1,2}DSML[｜‖]{1,2})?(?:tool|function)[_-](?:calls?|code|inputs?|outputs?|use|results?|response)|(?:function|invoke)(?==|\s+name=)|reasoning_scratchpad|\w+:think(?:ing)?|grok:render)(?:=[^\s<>]*)?(?:\s(?:[^<>"'.,;?]|"[^"]*"|'[^']*')*)?(?<!\/)>/i;
/** Text above or beside the line, and its beginning. */
const ABOVE = /^<(sup|rt|rp)(?:\s[^<>]*)?>([^<]{0,100})<\/\1\s*>/i;
const ABOVE_BEGINNING = /^<(?:sup|rt|rp)(?:\s[^<>]*)?>[^<]{0,100}(?:<(?:\/[a-z]{0,3}\s*)?)?$/i;
/** The end of a word, which is no unit, or of a sentence: a number above the line is then that of a note. */
const AFTER_WORD = /\p{L}{4}$|[.,;:!?"'”’]$/u;
/** Elements that begin and end lines. */
const LINES =
  /^(?:br|p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|h[1-6]|hr|blockquote|section|article|details|summary|figcaption)$/i;

/**
 * Returns what a text begins with, whose first character is `<`: an element, a mark of a model, an address, or only that
 * character.
 *
 * @param before - The end of what is spoken before it.
 * @param isOpenEnded - True if more text may follow.
 */
export function tagIn(text: string, before: string, isOpenEnded: boolean): Part | typeof MORE {
  if (isOpenEnded && ABOVE_BEGINNING.test(text)) return MORE;
  const above = ABOVE.exec(text);
  const raisedText = above && spokenAbove(above[1]!, above[2]!, before);
  if (above && raisedText !== null) return { length: above[0].length, spoken: raisedText };
  const call = CALL.exec(text)?.[0];
  if (call) return { length: call.length, spoken: '', leftOut: '<|tool' };
  const control = CONTROL.exec(text)?.[0];
  if (control) {
    if (isOpenEnded && control.length === text.length) return MORE;
    const isAside = /^<\|channel\|?>(?!final)\w/.test(control);
    return { length: control.length, spoken: '', ...(isAside && { leftOut: '<|channel|>' }) };
  }
  const raw = /(?:^|\n)$/.test(before) ? null : RAW.exec(text);
  if (raw && isOpenEnded && raw[0].length === text.length) return MORE;
  const isMention = raw !== null && /\S/.test(raw[1]!) && !RAW_END.test(raw[1]!);
  const name = OPEN_TAG.exec(text);
  const open = name && IS_TAG.test(name[0]) ? name : null;
  const leftOut =
    TOOL.exec(text) ?? (open && LEFT_OUT.test(open[0]) && !open[2] && !isMention ? open : OTHER_LEFT_OUT.exec(text));
  if (leftOut) {
    return { length: leftOut[0].length, spoken: '', leftOut: (leftOut[1] ?? leftOut[0]).toLowerCase() };
  }
  const tag = open ?? CLOSE_TAG.exec(text);
  if (tag) return { length: tag[0].length, spoken: LINES.test(tag[1]!) ? '\n' : '' };
  const declaration = DECLARATION.exec(text) ?? SOURCED.exec(text);
  if (declaration) return { length: declaration[0].length, spoken: '' };
  const address = ADDRESS_TAG.exec(text);
  if (address) return { length: address[0].length, spoken: address[2] ?? hostOf(address[1]!) };
  return isOpenEnded && TAG_BEGINNING.test(text) ? MORE : { length: 1 };
}

/** Returns what is spoken for digits of a power, marks of sources, and aids for reading; null if it is like other text. */
function spokenAbove(name: string, text: string, before: string): string | null {
  if (!/^sup$/i.test(name)) return '';
  if (/^(?:[+−-]?\d{1,9}|\d?[+−-])$/.test(text)) return AFTER_WORD.test(before) ? '' : raised(text);
  return /^(?:\[[^\]]{1,20}\]|\(\d{1,3}\)|[*†‡]{1,3}\d{0,3})$/.test(text) ? '' : null;
}
