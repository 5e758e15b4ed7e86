import { MORE, type Part, REACH } from './scan.js';
import { signsOf } from './tex.js';

/** A formula, such as `$x_1 + y^2$`; with two marks, in brackets, or in an environment, it may have several lines. */
const FORMULA =
  /^(?:\$(?=[^\s$])((?:\\.|[^$\\\n])*?(?:\\\S|[^\s\\$]))\$(?![\d$])|\$\$([^$]+)\$\$|\\\(([^]*?)\\\)|\\\[([^]*?)\\\]|(\\boxed\{[^{}\n]*\}|\\begin\{(\w+\*?)\}[^]*?\\end\{\6\}))/;
/** A sum of money, and something with words, which are none. */
const NO_FORMULA = /^(?:\$[\d.,]*[\s;:!?)\]]|(?:\$\$?|\\[([])[^\\^_={}<>$]{0,100}?\p{L}{3,40}[\s.,;:!?)\]])/u;
/** A formula has one of these signs, or no space and no word. */
const IN_FORMULA = /[\\^_={}<>]|^[^\s\p{L}]*\p{L}?[^\s\p{L}]*$/u;
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
  return tex && IN_FORMULA.test(tex) ? { length: formula![0].length, spoken: signsOf(tex) } : null;
}
