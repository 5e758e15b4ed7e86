import { MORE, type Part, REACH } from './scan.js';
import { UNSPACED } from './segment-words.js';

/** Punctuation and symbols, but not those of Chinese and Japanese that are letters, such as ⻲ and ㋐. */
const PUNCTUATION = /^(?![\p{Script=Han}\p{Script=Katakana}])[\p{P}\p{S}]/u;

/** The marks of emphasis of a paragraph: which are open, and which are text. */
export class Emphasis {
  /** Characters of the open ones, or both of a pair. */
  #open: string[] = [];
  /** Marks that were removed because they could only close, and nothing was open. */
  #orphans: string[] = [];

  /** Ends the paragraph. */
  finish(): void {
    this.#open = [];
    this.#orphans = [];
  }

  /**
   * Returns the stars or underscores with which a text begins. CommonMark 6.2, as far as it decides which marks are text.
   *
   * @param before - The character before it; empty at the beginning of the paragraph.
   */
  around(text: string, before: string, isWhole: boolean): Part | typeof MORE {
    const run = /^(?:\*{1,64}|_{1,64})/.exec(text)![0];
    const { length } = run;
    const after = text.slice(length, length + 2);
    if (/^[\uD800-\uDBFF]?$/.test(after) && !isWhole) return MORE;
    const isSpaceAfter = /^(?:\s|$)/.test(after);
    const isSpaceBefore = /^(?:\s|$)/.test(before);
    const isMarkAfter = PUNCTUATION.test(after);
    const isMarkBefore = PUNCTUATION.test(before);
    const isLeft = !isSpaceAfter && (!isMarkAfter || isSpaceBefore || isMarkBefore);
    const isRight = !isSpaceBefore && (!isMarkBefore || isSpaceAfter || isMarkAfter);
    const mark = run[0]!;
    const isStar = mark === '*';
    const canOpen = isLeft && (isStar || !isRight || isMarkBefore);
    const isWide = UNSPACED.test(before) || UNSPACED.test(after);
    const canClose = isRight && (isStar || !isLeft || isMarkAfter || (isWide && this.#open.includes(mark)));
    const openAt = canClose ? this.#open.lastIndexOf(mark) : -1;
    if (openAt >= 0) this.#open.length = openAt;
    else if (canOpen && canClose) {
      // Between letters, or numbers: "2*3" is a product, and "un*believ*able" is not.
      if (/\p{N}$/u.test(before) && /^\p{N}/u.test(after)) return { length };
      const isClosed = /[^\s*]\*/.test(text.slice(length, REACH));
      if (!isClosed && !isWhole && text.length < REACH) return MORE;
      // It may close one that did not look like an opening one: 字**🎉字**字.
      if (!isClosed) return { length, spoken: this.#orphans.includes(run) ? '' : undefined };
      this.#open.push(mark);
    } else if (canOpen) this.#open.push(mark);
    else if (canClose) this.#orphans.push(run);
    // A gap to fill in is silent: "The ___ is blue."
    else return { length, spoken: run.startsWith('___') ? '' : undefined };
    return { length, spoken: '' };
  }

  /**
   * Returns the marks with which a text begins that stand in pairs: `~~old~~`, `==new==`, which editors highlight, and
   * `||hidden||`, which chats cover. A comparison has spaces or no end.
   *
   * @param before - The character before it; empty at the beginning of the paragraph.
   */
  inPairs(text: string, before: string, isWhole: boolean): Part | typeof MORE {
    const run = /^(?:~{1,64}|={1,64}|\|{1,64})/.exec(text)![0];
    const { length } = run;
    const after = text.slice(length, length + 1);
    if (after === '' && !isWhole) return MORE;
    const isOpen = this.#open.includes(run);
    const mayOpen = (run === '||' ? /^[\s\p{Ps}]?$/u : /^[\s\p{P}]?$/u).test(before) && !/^(?:\s|$)/.test(after);
    const isMark = length === 2 && (isOpen ? !/^(?:\s|$)/.test(before) : mayOpen);
    if (isMark) this.#open = isOpen ? this.#open.filter((mark) => mark !== run) : [...this.#open, run];
    return { length, spoken: isMark ? '' : undefined };
  }
}
