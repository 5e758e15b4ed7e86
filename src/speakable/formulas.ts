import { MORE, type Part, REACH } from './scan.js';
import { signsOf } from './tex.js';

/**
 * A formula, such as `$x_1 + y^2$`; with two marks, in brackets, or in an environment, it may have several lines. A mark
 * between an operator and a letter begins the name of a variable: `$a=$b`.
 */
const FORMULA =
  /^(?:\$(?=[^\s$])((?:\\.|[^$\\\n])*?(?:\\\S|[^\s\\$]))\$(?![\d$])(?<![/:,;=(+&–-]\$(?=\w))|\$\$([^$]+)\$\$|\\\(([^]*?)\\\)|\\\[([^]*?)\\\]|(\\boxed\{[^{}\n]*\}|\\begin\{(\w+\*?)\}[^]*?\\end\{\6\}))/;
const FUNCTIONS = '(?!(?:log|ln|sin|cos|tan|exp|mod|max|min|lim|det|gcd)\\b)';
/** A sum of money, and something with words, which are none. */
const NO_FORMULA = new RegExp(
  String.raw`^(?:\$[\d.,]*(?:[\n;:!?)\]]|[ \t][^-+=*/<>\\])|(?:\$\$?|\\[([])[^\\^_={}<>$]{0,100}?${FUNCTIONS}\p{L}{3,40}[\s.,;:!?)\]])`,
  'u',
);
/** Signs of a formula; after a number, some of them may stand between prices. */
const SIGNS = /[\\^_{}]|^(?!\d[\d.,]* )[^]*[=<>]/;
/** Words, of which a formula without such signs has none. */
const HAS_WORDS = new RegExp(String.raw`\p{L}{4}|\s${FUNCTIONS}\p{Ll}{2}|"|^[^\p{L}\d]*$`, 'u');
/** Maximum length of a formula of one line. */
const LINE_REACH = 200;

/** Returns the formula with which a text begins; null if it is none. */
export function formulaIn(text: string, isWhole: boolean): Part | typeof MORE | null {
  // In a formula of one line, the character after a mark decides whether the mark closes it.
  const isInLine = /^\$(?!\$)/.test(text);
  const reach = isInLine ? LINE_REACH : REACH;
  const within = text.slice(0, reach);
  if (NO_FORMULA.test(within)) return null;
  const formula = FORMULA.exec(within);
  const mayGoOn = isInLine ? (formula ? formula[0].length === within.length : !within.includes('\n')) : !formula;
  if (mayGoOn && !isWhole && within.length < reach) return MORE;
  const tex = formula?.slice(1).find((part) => part !== undefined);
  return tex && (SIGNS.test(tex) || !HAS_WORDS.test(tex)) ? { length: formula![0].length, spoken: signsOf(tex) } : null;
}
