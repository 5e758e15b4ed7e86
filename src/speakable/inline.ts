import type { Run } from './runs.js';
import { appendRun } from './spoken-text.js';
import { MARK_BEGINNING } from './mark-beginning.js';
import { ADDRESS, ADDRESS_BEGIN, addressLength, hostOf } from './addresses.js';
import { Emphasis } from './emphasis.js';
import { decodeEntity } from './entities.js';
import { formulaIn } from './formulas.js';
import { closingBracket, codeEnd, labelEnd, linkEnd, MORE, type Part, REACH } from './scan.js';
import { SOURCE_BEGIN, SOURCE_BEGINNING, SOURCE_LEFT_OUT, SOURCE_LOOKBEHIND, sourceEnd } from './sources.js';
import { tagIn } from './tags.js';

/** The beginning of something that may be other than text. Up to 20 spaces before a bar or a source belong to it. */
const SPECIAL = new RegExp(
  `[*_\`<◁\\]\\\\&$\\n─-▟]|!(?=\\[|$)|~~|~$|==|=$|[ \\t]{0,20}(?:\\||${SOURCE_BEGIN})|[ \\t]{1,20}$|\\b(?:${ADDRESS_BEGIN})`,
);
/** The end of a text that may become the beginning of an address or of a source. */
const BEGINNING = new RegExp(`\\b(?:ht?|f|(?:ht|f)t(?:ps?:?/?)?|ww?w?)$|[ \\t]{0,20}${SOURCE_BEGINNING}`, 'i');
/** Length of the longest such end, in characters. */
const BEGINNING_MAX = 64;
/** Lines of a drawing, or a bar of progress; one or two are also a dash. */
const DRAWING = /^[─-▟]+/;

/** The rest of an address, and of one in brackets, that are longer than {@link REACH}. */
const ADDRESS_TAIL = /^[^\s<>[\]`|)\P{ASCII}]*/u;
const LINK_TAIL = /^[^\s)]*\)?/;
/** The beginning of one in brackets. */
const LONG_LINK = /^\([^\s()[\]<>]*$/;
/** A link of a wiki, such as `[[page|text]]`, up to its text. */
const WIKI_LINK = /^\[\[(?:[^[\]|\n]*\|)?(?=(?![\d., –]+\]\])[^\s[\]|][^[\]|\n]*\]\])/;
/** A picture or a sound in a note of Obsidian, with its text, and the size: `![[map.png|200]]`, `![a map|200](map.png)`. */
const EMBED =
  /^!\[(?:\[[^[\]|\n]+\.\w{3,4}(?:#[^[\]|\n]*)?(?:\|([^[\]|\n]*?))??(?:\|\d+(?:x\d+)?)?\]\]|([^[\]|*_`\n]*)\|\d+(?:x\d+)?\](?=\())/;
/** The kind of a note at the beginning of a quote, as GitHub and Obsidian show it. */
const ALERT = /^\[!([a-z]{3,20})\][+-]?/i;
/** Text between which and the next one, or the one before, a space is needed. */
const ENDS_WORD = /[^\s\p{Ps}\p{Pi}/@<=#_-]$/u;
const BEGINS_WORD = /^(?:[^\s\p{P}+=>|]|[\p{Ps}\p{Pi}¿¡])/u;
/** The beginning of a thought or of a call of a tool in brackets, and a pattern for the ends of them. */
const ASIDE = /^\[(?:THINK|TOOL_(?:CALLS|RE[A-Z]{3,7}))\]/;
const ASIDE_END = String.raw`\[(?:\/THINK|(?:END_|\/)TOOL_[A-Z]{4,9})\]`;
/**
 * Makes the text of paragraphs, headings and rows of tables speakable. The result depends on the text only, not on the
 * pieces in which it arrives.
 */
export class InlineText {
  #runs: Run[] = [];
  /** Text that is not decided yet, and its position in the paragraph. */
  #text = '';
  #at = 0;
  /** Parts of the original within it that do not belong to the paragraph, such as the marks of a quote. */
  #gaps: Gap[] = [];
  /** The character before it; empty at the beginning of the paragraph. */
  #before = '';
  /** The newest of what is spoken of the paragraph. */
  #spoken = '';
  readonly #emphasis = new Emphasis();
  /** Lengths of the ends of links, by position in the paragraph; `MORE` for one that is longer than {@link REACH}. */
  readonly #linkEnds = new Map<number, number | typeof MORE>();
  /** This line, if it is the row of a table. The next line tells what its bars mean. `hasWords`: its latest cell has some. */
  readonly #row: { bars: 'unknown' | 'text' | 'cells'; hasWords: boolean } = { bars: 'unknown', hasWords: false };
  /** Matches what is left of something that is longer than {@link REACH}, and is not spoken. */
  #tail: RegExp | null = null;
  /** True after a mark that keeps words apart, and the newest character that was spoken. */
  #isApart = false;
  #last = '';
  /** Pattern of the end of what is left out from here on. */
  leftOut: string | null = null;

  /** Adds text to the paragraph. */
  push(text: string): void {
    this.#text += text;
    this.#run(false);
  }

  /** Adds a part of the original that is not spoken, and does not belong to the paragraph. */
  drop(original: string, spoken: string = ''): void {
    if (spoken !== '') this.#last = spoken;
    if (this.#text === '') appendRun(this.#runs, original, spoken);
    else if (original !== '') this.#gaps.push({ at: this.#text.length, original });
  }

  /** Tells whether the line before is the row of a table. */
  endLine(isRow: boolean): void {
    this.#row.bars = isRow ? 'cells' : 'text';
    this.#run(false);
    this.#row.bars = 'unknown';
  }

  /** Adds a row of a table. */
  pushRow(line: string): void {
    this.#text += line;
    this.#row.bars = 'cells';
    this.finish();
  }

  /** Ends the paragraph. */
  finish(): void {
    this.#run(true);
    if (this.leftOut !== null) return;
    this.#before = '';
    this.#spoken = '';
    this.#emphasis.finish();
    this.#row.bars = 'unknown';
    this.#tail = null;
    this.#linkEnds.clear();
  }

  /** An address at the end, to which more may belong, or what may become a mark; empty if there is none. */
  get held(): string {
    const held = ADDRESS.exec(this.#text) ?? MARK_BEGINNING.exec(this.#text);
    return held?.[0].length === this.#text.length ? this.#text : '';
  }

  /** Takes it as it is. */
  settle(): void {
    if (this.held) this.#run(true);
  }

  /** Returns the first group of a pattern in the text that is not decided, if it matches. */
  endsWith(pattern: RegExp): string | undefined {
    return this.leftOut === null ? pattern.exec(this.#text)?.[1] : undefined;
  }

  /** Returns the runs that are known, and forgets them. */
  takeRuns(): Run[] {
    return this.#runs.splice(0);
  }

  /** Returns the original that is not decided, and forgets the paragraph. */
  abandon(): string {
    const rest = withGaps(this.#text, this.#gaps);
    this.#text = '';
    this.#gaps = [];
    this.leftOut = null;
    this.finish();
    return rest;
  }

  #run(isWhole: boolean): void {
    while (this.#text !== '' && this.leftOut === null) {
      const tail = this.#tail?.exec(this.#text)?.[0];
      if (tail !== undefined) {
        this.#take(tail.length, '');
        if (this.#text !== '' || tail.endsWith(')')) this.#tail = null;
        continue;
      }
      const found = SPECIAL.exec(this.#text);
      const newest = Math.max(0, this.#text.length - BEGINNING_MAX);
      const begun = isWhole ? null : BEGINNING.exec(this.#text.slice(newest));
      const special = begun && !(found && found.index <= newest + begun.index) ? begun : found;
      if (!special) {
        this.#take(this.#text.length);
        return;
      }
      const index = special === begun ? newest + begun.index : special.index;
      if (index > 0) this.#take(index);
      if (!this.#step(special[0], isWhole)) return;
    }
  }

  /** Decides what the text begins with. Returns false if that depends on what follows. */
  #step(special: string, isWhole: boolean): boolean {
    const text = this.#text;
    const next = text[special.length];
    const isOpenEnded = !isWhole && text.length < REACH;
    switch (special.replace(/^[ \t]+/, '')[0]) {
      case '*':
      case '_':
        return this.#takePart(this.#emphasis.around(text, this.#before, isWhole));
      case '~':
      case '=':
        return this.#takePart(this.#emphasis.inPairs(text, this.#before, isWhole));
      case '`':
        return this.#code(isOpenEnded);
      case '[':
      case '【':
      case '\uE200':
      case '\uE203':
      case '\uE204':
      case '^':
      case '{':
      case '#':
      case '%':
      case ':':
      case 'c':
        return this.#source(isOpenEnded);
      case '!':
        return next === undefined && !isWhole ? false : next === '[' ? this.#link(1, isOpenEnded) : this.#take(1);
      case ']':
        return this.#linkEnd();
      case '<':
      case '◁':
        return this.#takePart(tagIn(text.slice(0, REACH), this.#spoken, this.#before, isOpenEnded));
      case '&':
        return this.#entity(isWhole);
      case '$':
        return this.#formula(isWhole);
      case '\\':
        if (!isWhole && /^\\(?:b[a-z]{0,4})?$/.test(text)) return false;
        if (/^\\(?:[([]|b(?:oxed|egin)\{)/.test(text)) return this.#formula(isWhole);
        if (next !== undefined && /[!-/:-@[-`{-~]/.test(next)) return this.#take(1, '') && this.#take(1);
        return this.#take(1, next === '\n' ? '' : undefined);
      case '\n':
        this.#row.hasWords = false;
        return this.#take(1);
      case '|':
        return this.#bar(special.length, isWhole);
      case undefined: // spaces at the end, before which a bar or the end of the line may come
        return isWhole && this.#take(special.length);
      default:
        return special >= '─' ? this.#drawing(isOpenEnded) : this.#address(isOpenEnded, isWhole);
    }
  }

  #drawing(isOpenEnded: boolean): boolean {
    const { length } = DRAWING.exec(this.#text)![0];
    if (length === this.#text.length && isOpenEnded) return false;
    return this.#take(length, /^[─━]{1,2}(?![─-▟])/.test(this.#text) ? undefined : '');
  }

  #code(isOpenEnded: boolean): boolean {
    const run = /^`+/.exec(this.#text)![0];
    const end = codeEnd(this.#text.slice(0, REACH), 0, isOpenEnded);
    if (end === MORE) return false;
    this.#take(run.length, '');
    if (end === null) return true;
    for (const part of this.#text.slice(0, end - 2 * run.length).split(/(\n)/))
      this.#take(part.length, part === '\n' ? ' ' : undefined);
    return this.#take(run.length, '');
  }

  /** Leaves out the mark of a source. */
  #source(isOpenEnded: boolean): boolean {
    const text = this.#text.slice(0, REACH);
    const aside = ASIDE.exec(text);
    if (aside) {
      return this.#takePart({ length: aside[0].length, spoken: '', isApart: true, leftOut: ASIDE_END });
    }
    const end = sourceEnd(text, this.#spoken, isOpenEnded);
    if (end === MORE) return false;
    if (end !== null) {
      this.#take(end, '');
      this.#remember(SOURCE_LEFT_OUT);
      return true;
    }
    const spaces = /^[ \t]*/.exec(text)![0].length;
    if (spaces > 0) return this.#take(spaces);
    return text[0] === '[' ? this.#link(0, isOpenEnded) : this.#take(1);
  }

  /** @param begin - Position of the bracket: an image has a mark before it. */
  #link(begin: number, isOpenEnded: boolean): boolean {
    const text = this.#text.slice(0, REACH);
    const close = closingBracket(text, begin, isOpenEnded);
    if (close === MORE) return false;
    if (close === null) return this.#take(begin + 1);
    const rest = text.slice(close + 1);
    if (rest === '' && isOpenEnded) return false;
    const alert = this.#before === '' && ALERT.exec(text);
    if (alert) return this.#take(alert[0].length, `${alert[1]!.toLowerCase()}:`);
    const embed = EMBED.exec(text);
    if (embed && rest[0] !== '(') return this.#take(embed[0].length, embed[1] ?? '');
    const wiki = WIKI_LINK.exec(text.slice(begin));
    if (wiki) {
      this.#linkEnds.set(this.#at + close - 1, 2);
      return this.#take(begin + wiki[0].length, '');
    }
    const isWord = begin === 0 && /[\p{L}\p{N}_\])]$/u.test(this.#before);
    const end = rest[0] === '(' ? linkEnd(rest) : rest[0] === '[' && !isWord ? labelEnd(rest) : null;
    if (end === MORE && isOpenEnded) return false;
    if (embed && typeof end === 'number') return this.#take(close + 1 + end, embed[2] ?? '');
    const isLong = !isOpenEnded && LONG_LINK.test(rest);
    if (end === null || (end === MORE && !isLong)) return this.#take(begin + 1);
    this.#linkEnds.set(this.#at + close, end === MORE ? MORE : 1 + end);
    return this.#take(begin + 1, '');
  }

  #linkEnd(): true {
    const end = this.#linkEnds.get(this.#at);
    if (end === MORE) this.#tail = LINK_TAIL;
    return this.#take(end === MORE ? 1 : (end ?? 1), end === undefined ? undefined : '');
  }

  #entity(isWhole: boolean): boolean {
    const entity = /^&(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i.exec(this.#text);
    if (entity) return this.#take(entity[0].length, decodeEntity(entity[1]!));
    return !isWhole && /^&(?:#?[a-z\d]{0,32})$/i.test(this.#text) ? false : this.#take(1);
  }

  #formula(isWhole: boolean): boolean {
    const formula = formulaIn(this.#text, isWhole);
    if (formula !== null) return this.#takePart(formula);
    if (this.#text.startsWith('\\')) return this.#take(1, '') && this.#take(1);
    return this.#take(this.#text.startsWith('$$') ? 2 : 1);
  }

  #bar(length: number, isWhole: boolean): boolean {
    if (this.#row.bars === 'unknown' && !isWhole) return false;
    if (this.#row.bars !== 'cells') {
      const spaces = length - 1;
      return spaces > 0
        ? this.#take(spaces)
        : this.#takePart(this.#emphasis.inPairs(this.#text, this.#before, isWhole));
    }
    const bar = /^[ \t]*\|[ \t]*/.exec(this.#text)![0];
    const isLast = /^(?:\r?\n|$)/.test(this.#text.slice(bar.length));
    const separates = this.#row.hasWords && !isLast;
    this.#take(bar.length, separates ? ', ' : '');
    this.#row.hasWords = false;
    return true;
  }

  #address(isOpenEnded: boolean, isWhole: boolean): boolean {
    const address = /\w$/.test(this.#before) ? undefined : ADDRESS.exec(this.#text.slice(0, REACH))?.[0];
    if (address === undefined) return (isWhole || ADDRESS.test(this.#text)) && this.#take(1);
    if (isOpenEnded && /^[\uD800-\uDBFF]?$/.test(this.#text.slice(address.length))) return false;
    if (address.length === REACH) this.#tail = ADDRESS_TAIL;
    const length = this.#tail ? REACH : addressLength(address);
    const host = hostOf(address.slice(0, length));
    return this.#take(length, /^(?:ht|f)tps?$/i.test(host) ? undefined : host);
  }

  /** Returns false if what follows decides. */
  #takePart(part: Part | typeof MORE): boolean {
    if (part === MORE) return false;
    this.leftOut = part.leftOut ?? null;
    // A name of a place to fill in belongs to signs before it: <host>:<port>.
    this.#isApart ||= part.isApart === true && /[\p{L}\p{N}]$/u.test(this.#last);
    this.#take(part.length, part.spoken);
    this.#isApart ||= part.isApart ?? false;
    return true;
  }

  /** Speaks the next characters as they are, or as `spoken`. Returns true. */
  #take(count: number, spoken?: string): true {
    const text = this.#text.slice(0, count);
    const gaps = this.#gaps.filter(({ at }) => at < count);
    const said = spoken ?? text;
    if (said !== '') {
      if (this.#isApart && ENDS_WORD.test(this.#last) && BEGINS_WORD.test(said)) appendRun(this.#runs, '', ' ');
      this.#isApart = false;
      this.#last = said.at(-1)!;
    }
    if (spoken !== undefined) appendRun(this.#runs, withGaps(text, gaps), spoken);
    else {
      let from = 0;
      for (const { at, original } of gaps) {
        const part = text.slice(from, at);
        appendRun(this.#runs, part, part);
        appendRun(this.#runs, original, '');
        from = at;
      }
      appendRun(this.#runs, text.slice(from), text.slice(from));
    }
    for (const { at, original } of this.#gaps) if (at === count) appendRun(this.#runs, original, '');
    this.#gaps = this.#gaps.flatMap(({ at, original }) => (at > count ? { at: at - count, original } : []));
    if (/[\p{L}\p{N}]/u.test(said)) this.#row.hasWords = true;
    this.#before = /(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|[^])$/.exec(this.#before + text)?.[0] ?? '';
    this.#remember(said);
    this.#text = this.#text.slice(count);
    this.#at += count;
    return true;
  }

  #remember(spoken: string): void {
    this.#spoken = (this.#spoken + spoken).slice(-SOURCE_LOOKBEHIND);
  }
}

/** Part of an original, and the position in a text where it was. */
interface Gap {
  readonly at: number;
  readonly original: string;
}

function withGaps(text: string, gaps: readonly Gap[]): string {
  let result = text;
  for (const { at, original } of gaps.toReversed()) result = result.slice(0, at) + original + result.slice(at);
  return result;
}
