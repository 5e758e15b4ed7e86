import type { Run } from './runs.js';
import { Cursor } from './cursor.js';
import { InlineText } from './inline.js';
import { REACH } from './scan.js';
import { mayBeWrapped } from './wrapped-line.js';

/** A block that contains others: a quote, or an item of a list, by the indent of its content. */
type Container = 'quote' | number;

/** The block to which a line belongs that contains no others. */
type Leaf = 'none' | 'paragraph' | 'table' | 'code' | Fence;

interface Fence {
  readonly mark: string;
  /** True if it began after text, in the same line. Then it ends wherever there is a mark. */
  readonly isAfterText?: boolean;
  /** For a block of Markdown: how many fences are open in it. */
  readonly inside?: number;
}

/** A line, after it was recognized. */
interface Line {
  readonly containers: readonly Container[];
  readonly leaf: Leaf;
  /** Number of characters at its beginning that are not spoken. */
  readonly mark: number;
  /** Meaning of the rest of it. */
  readonly rest: 'text' | 'heading' | 'row' | 'nothing' | 'blank';
  /** True if it continues the paragraph or the table before it. */
  readonly continues: boolean;
  /** True if the line before it is the first row of a table. */
  readonly isAfterHeader?: boolean;
  /** Number of the item that begins with it. */
  readonly number?: number;
  /** True if it is the first or the last line of a block of Markdown that is all of the text. */
  readonly isWrapper?: boolean;
}

/** Length of the longest end of what is left out, in characters. */
const END_MAX = 60;
/** Maximum number of blocks that begin with one line. */
const DEPTH_MAX = 50;

/** Lines of properties, which stand before a note or an article; all of them; and what may become them. */
const KEY = String.raw`[\p{L}_][\p{L}\p{N}_-]*(?: [\p{L}\p{N}_-]+){0,2}[ \t]?[:=]`;
const KEYS = String.raw`${KEY}[^\n]*\n(?:(?:${KEY}|[ \t\r#[\]}-])[^\n]*\n|\n)*?`;
const PROPERTIES = new RegExp(String.raw`^(---|\+\+\+)[ \t\r]*\n${KEYS}\1[ \t\r]*(?:\n|$)`, 'u');
const PROPERTIES_BEGINNING = new RegExp(
  String.raw`^(?:-{1,3}|\+{1,3}|[-+]{3}[ \t\r]*(?:\n(?:${KEYS})?(?:[^\n:=]{0,60}|(?:${KEY}|[ \t#[\]}-])[^\n]*))?)$`,
  'u',
);
/** Maximum length of properties, in characters. */
const PROPERTIES_MAX = 3000;

/** A number without text after it is no mark: it may be all of an answer. */
const LIST_MARK = /^(?:[-+*](?=[ \t]|$)|[•‣◦▪●]|(\d{1,9})[.)](?=[ \t]+\S))/;
/** The number of an item, at the end of the marks. */
const NUMBER = /(\d+)[.)][ \t]*$/;
const TASK = /^\[[ xX]\][ \t]/;
/** A rule. Authors also draw it with equals signs and lines. */
const BREAK = /^[ \t]*([-*_=─-═])[ \t]*(?:\1[ \t]*){2,}$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** Authors leave out its space; without one, a single mark may be a hashtag. */
const HEADING = /^(?:#{1,6}(?:[ \t]+|$)|#{2,6}(?=[^\s#])(?!\d{1,3}\$\$))/;
const HEADING_END = /(?:^|[ \t]+)#+[ \t\r]*$/;
/** The first or last line of a note, such as `:::tip`, or `::: {.callout-note}`. */
const DIVISION = /^:{3,}[ \t]*(?:\{[^}]*\})?/;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
/** The beginning of a block of Markdown, and of code that has a language. */
const MARKDOWN_FENCE = /^[`~]+[ \t]*(?:markdown|md)$/i;
const NAMED_FENCE = /^[ \t]*(`{3,}|~{3,})\w[^`]*$/;
/** The beginning of code after text. */
const FENCE_AFTER_TEXT = /^(`{3,})[^`\s]*[ \t\r]*$/;
/** The end of code. Models write text after it, and code before it; a word or two without a stop are those of another code. */
const FENCE_END =
  /^(?: {0,3}|.*?[^\s`~][ \t]*(?=(?:`{3,}|~{3,})[ \t]*$))(`+|~+)(?:[ \t]*$|[ \t]+(?=[^\s`~])|(?=[^\s\w`~{]|\w[\w'’-]*(?:[ \t]+\p{L}[^=]*[ \t]\p{L}|(?:[ \t]+\p{L}[^=]*)?[.,:;!?](?:\s|$))))/u;
const FENCE_END_ANYWHERE = /^.*?(`{3,})[ \t]*/;
/** An indented line that is no code: authors indent paragraphs, and models put code between fences. */
const PROSE =
  /^(?![[{])[\p{Ps}\p{Pi}"'—¿¡]? ?(?:\p{Lu}[\p{L}\p{M}'’-]*(?=[ ,:…!?]|\.(?:[ "”]|$))|\p{Lo})[^{}[\]<>=\\|$`@#/+;]*(?:[—\p{Po}](?<![;%&*"'])[\p{Pe}\p{Pf}"']*|(?: \p{L}[\p{Ll}\p{M}'’,-]*){4})\s*$/u;
const TABLE_MARKS = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const DEFINITION =
  /^\[(?:[^[\]\\]|\\.)+\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?[ \t]*$/;
/** The beginning of one with a long address, such as the data of an image. */
const LONG_DEFINITION = /^\[[^[\]\\]+\]:[ \t]*\S*$/;
const FOOTNOTE = /^\[\^[^\]\s]+\]:[ \t]*/;
/** The beginning of a line whose end decides what it is. */
const UNDECIDED =
  /^[ \t]*(?:[-*_=+•‣◦▪●─-═ \t]*|#{1,6}(?:[ \t].*)?|#{2,6}[^#\s].*|\d{1,9}(?:[.)][ \t]*)?|:{1,2}|:{3,}.*|`{1,2}|`{3,}[^`]*|~+|\|.*|[ \t:|-]+|\[(?:[^\]\\]|\\.)*(?:\\|\]|\]:.*)?)$/;

/**
 * Makes Markdown speakable, as it arrives: what is spoken has no marks, and stands beside the original. Follows
 * CommonMark 0.31 and the tables, task lists and strike-through of GFM, with the differences in docs/llm-streams.md. The
 * result depends on the text only, not on the pieces in which it arrives.
 *
 * Any thread.
 */
export class Markdown {
  readonly #inline = new InlineText();
  /** Text that is not parsed yet. */
  #raw = '';
  #containers: readonly Container[] = [];
  #leaf: Leaf = 'none';
  /** Meaning of the rest of the line; null at the beginning of a line. */
  #rest: Line['rest'] | null = null;
  /** The newest line of the paragraph. */
  #line = '';
  /** The highest number of an item so far. */
  #number = 0;
  /** Matches the end of what is left out. */
  #leftOut: RegExp | null = null;
  #isAfterLeftOut = false;
  /**
   * A block of Markdown around all of the text, as models put around an answer. It is spoken without its fences; properties
   * may stand before it.
   */
  #wrapper: 'unknown' | 'possible' | 'open' | 'none';

  /** @param isBeginning - False if text came before that is not given to it. */
  constructor(isBeginning = true) {
    this.#wrapper = isBeginning ? 'unknown' : 'none';
  }

  /** Adds text, and returns what is known to be spoken now. */
  push(text: string): Run[] {
    this.#raw += text;
    this.#parse(false);
    return this.#inline.takeRuns();
  }

  /** Ends the text, and returns the rest. */
  end(): Run[] {
    do {
      this.#parse(true);
      this.#inline.finish();
    } while (this.#leavesOut());
    return this.#inline.takeRuns();
  }

  /** Text whose meaning depends on what follows, but which is spoken if nothing does: an address, a number. */
  get held(): string {
    return this.#hasNumber ? this.#raw : this.#inline.held;
  }

  /** True if all of the line so far is a number, which may become the mark of an item. */
  get #hasNumber(): boolean {
    return this.#rest === null && typeof this.#leaf !== 'object' && /^[ \t]*\d{1,9}[.)]?$/.test(this.#raw);
  }

  /** Returns the runs of it. */
  settle(): Run[] {
    if (this.#hasNumber) this.#begin(this.#textLine(0));
    this.#parse(false);
    this.#inline.settle();
    return this.#inline.takeRuns();
  }

  /** Leaves out properties at the very beginning. Returns false if more text decides whether there are any. */
  #skipProperties(isWhole: boolean): boolean {
    const found = PROPERTIES.exec(this.#raw.slice(0, PROPERTIES_MAX))?.[0];
    const isLong = this.#raw.length >= PROPERTIES_MAX;
    if (!isWhole && !isLong && (found ? !found.endsWith('\n') : PROPERTIES_BEGINNING.test(this.#raw))) return false;
    this.#wrapper = 'possible';
    if (found) this.#inline.drop(this.#takeRaw(found.length));
    return true;
  }

  #parse(isWhole: boolean): void {
    if (this.#wrapper === 'unknown' && this.#raw !== '' && !this.#skipProperties(isWhole)) return;
    while (this.#raw !== '') {
      if (this.#leftOut) {
        if (!this.#skip(isWhole)) return;
        continue;
      }
      const newline = this.#raw.indexOf('\n');
      const length = newline < 0 ? this.#raw.length : newline;
      if (this.#rest === null) {
        const isComplete = newline >= 0 || isWhole;
        const line = this.#classify(this.#raw.slice(0, length).replace(/\r$/, ''), isComplete);
        if (line === null) return;
        this.#begin(line);
      } else {
        this.#readRest(length, newline >= 0);
        this.#leavesOut();
      }
    }
  }

  /** Decides what a line is. Returns null if that depends on what follows. */
  #classify(text: string, isComplete: boolean): Line | null {
    // The rest of the line after something that is left out is no blank line, which would end the blocks around it.
    if (this.#isAfterLeftOut && /^\s*$/.test(text)) {
      return isComplete ? { ...this.#textLine(0), leaf: 'none', rest: 'blank', continues: false } : null;
    }
    const cursor = new Cursor(text);
    const leaf = this.#leaf;
    const matched = this.#matchContainers(cursor);
    const isInside = matched === this.#containers.length;
    if (typeof leaf === 'object' && isInside) {
      const isShort = cursor.rest.length <= REACH;
      if (!isComplete && isShort) return null;
      const end = isShort ? (leaf.isAfterText ? FENCE_END_ANYWHERE : FENCE_END).exec(cursor.rest) : null;
      const code: Line = { ...this.#textLine(0), leaf, rest: 'nothing' };
      const inside = leaf.inside ?? 0;
      if (leaf.inside !== undefined && NAMED_FENCE.exec(cursor.rest)?.[1]!.startsWith(leaf.mark)) {
        return { ...code, leaf: { ...leaf, inside: inside + 1 } };
      }
      if (!end?.[1]!.startsWith(leaf.mark)) return code;
      if (inside > 0) return { ...code, leaf: { ...leaf, inside: inside - 1 } };
      const mark = cursor.at + end[0].length;
      return mark < text.length ? this.#textLine(mark) : { ...code, leaf: 'none' };
    }
    const added = addContainers(cursor, leaf === 'paragraph' && isInside);
    // A longer line is text.
    const isShort = cursor.rest.length <= REACH;
    const isIndented = cursor.indent >= 4;
    const continues = leaf === 'paragraph' && added.length === 0;
    if (!isComplete && isShort && ((isIndented && !continues) || UNDECIDED.test(cursor.rest))) return null;

    const containers = [...this.#containers.slice(0, matched), ...added];
    // A number to which no list leads is text: "1986. That was the year."
    const numeral = NUMBER.exec(text.slice(0, cursor.at));
    const number = Number(numeral?.[1] ?? 0);
    const spokenAt = number > this.#number + 1 ? numeral!.index : cursor.at;
    const block = { containers, leaf: 'none', mark: cursor.at, continues: false, number } as const;
    if (cursor.isBlank) return { ...block, rest: 'blank' };
    const line = cursor.rest.trimStart();
    const begin = text.length - line.length;
    if (isIndented && !continues) {
      // The beginning of a long line decides.
      const isProse = PROSE.test(isShort ? line : `${cursor.rest.slice(0, REACH).trimStart()}.`);
      const isCode = leaf === 'code' || !isProse;
      return isCode
        ? { ...block, leaf: 'code', rest: 'nothing' }
        : { ...block, leaf: 'paragraph', mark: begin, rest: 'text' };
    }
    if (!isIndented && isShort) {
      if (continues && isInside && UNDERLINE.test(cursor.rest)) return { ...block, rest: 'nothing' };
      if (BREAK.test(line)) return { ...block, rest: 'nothing' };
      const heading = HEADING.exec(line);
      if (heading) return { ...block, mark: begin + heading[0].length, rest: 'heading' };
      const division = DIVISION.exec(line);
      if (division) return { ...block, mark: begin + division[0].length, rest: 'heading' };
      const fence = FENCE.exec(line);
      if (fence) {
        const isMarkdown = MARKDOWN_FENCE.test(line);
        const isWrapper = isMarkdown
          ? this.#wrapper === 'possible'
          : this.#wrapper === 'open' && !NAMED_FENCE.test(line);
        if (isWrapper) return { ...block, rest: 'nothing', isWrapper };
        const mark = fence[1] ?? fence[2]!;
        return { ...block, leaf: isMarkdown ? { mark, inside: 0 } : { mark }, rest: 'nothing' };
      }
      if (leaf === 'table' && isInside && added.length === 0) {
        return isComplete ? { ...block, leaf, continues: true, rest: 'row' } : null;
      }
      if (continues && isInside && isHeader(this.#line, line)) {
        return { ...block, leaf: 'table', rest: 'nothing', continues: true, isAfterHeader: true };
      }
    }
    if (continues) return { ...this.#textLine(cursor.at), ...(isInside && { containers }) };
    if ((isShort ? DEFINITION : LONG_DEFINITION).test(line.slice(0, REACH))) return { ...block, rest: 'nothing' };
    const isItem = typeof added.at(-1) === 'number';
    const mark = FOOTNOTE.exec(line) ?? (isItem ? TASK.exec(line) : null);
    return { ...block, leaf: 'paragraph', rest: 'text', mark: mark ? begin + mark[0].length : spokenAt };
  }

  /** Skips the marks of the open blocks. Returns how many of them the line continues. */
  #matchContainers(cursor: Cursor): number {
    let matched = 0;
    for (const container of this.#containers) {
      if (container === 'quote') {
        if (!skipQuoteMark(cursor)) break;
        // Models do not always indent the code of an item, or its end.
      } else if (cursor.indent >= container || typeof this.#leaf === 'object') cursor.skipColumns(container);
      else if (!cursor.isBlank) break;
      matched++;
    }
    return matched;
  }

  /** A line of the paragraph. */
  #textLine(mark: number): Line {
    return {
      containers: this.#containers,
      leaf: 'paragraph',
      mark,
      rest: 'text',
      continues: this.#leaf === 'paragraph',
    };
  }

  #begin({ containers, leaf, mark, rest, continues, isAfterHeader = false, number = 0, isWrapper }: Line): void {
    if (continues) this.#inline.endLine(isAfterHeader);
    else this.#inline.finish();
    if (this.#leavesOut()) return;
    // It begins before anything else, and ends once.
    if (isWrapper && this.#wrapper === 'possible') this.#wrapper = 'open';
    else if (isWrapper || (rest !== 'blank' && this.#wrapper === 'possible')) this.#wrapper = 'none';
    this.#containers = containers;
    this.#leaf = leaf;
    this.#rest = rest;
    // Without its mark, an item may look like the rest of a wrapped line. An empty line keeps them apart.
    const isApart = !continues && mark > 0 && mayBeWrapped(this.#line);
    this.#line = '';
    if (number === this.#number + 1) this.#number = number;
    this.#isAfterLeftOut = false;
    this.#inline.drop(this.#takeRaw(mark), isApart ? '\n' : '');
  }

  /** Reads up to `length` characters, the rest of a line or a part of it, and its end. */
  #readRest(length: number, hasEnd: boolean): void {
    const rest = this.#rest;
    const text = this.#takeRaw(length);
    const end = hasEnd ? this.#takeRaw(1) : '';
    if (rest === 'nothing') this.#inline.drop(text + end);
    else if (rest === 'row') this.#inline.pushRow(text + end);
    else if (rest === 'heading') {
      const marks = HEADING_END.exec(text)?.[0] ?? '';
      this.#inline.push(text.slice(0, text.length - marks.length));
      this.#inline.drop(marks);
      this.#inline.push(end);
    } else {
      this.#line += text;
      this.#inline.push(text);
      const mark = hasEnd && this.#inline.endsWith(FENCE_AFTER_TEXT);
      if (mark) {
        this.#inline.drop(this.#inline.abandon());
        this.#leaf = { mark, isAfterText: true };
      }
      this.#inline.push(end);
    }
    if (hasEnd) this.#rest = null;
  }

  /** Begins to leave out what follows, if the paragraph says so. */
  #leavesOut(): boolean {
    const { leftOut } = this.#inline;
    if (leftOut === null) return false;
    this.#leftOut = new RegExp(leftOut, 'i');
    this.#raw = this.#inline.abandon() + this.#raw;
    this.#leaf = 'none';
    this.#rest = null;
    this.#line = '';
    return true;
  }

  /** Drops text up to the end of what is left out. Returns false if that has not arrived. */
  #skip(isWhole: boolean): boolean {
    const end = this.#leftOut!.exec(this.#raw);
    if (end) this.#leftOut = null;
    this.#isAfterLeftOut = end !== null;
    // The beginning of an end may be among the newest characters.
    const kept = isWhole ? 0 : END_MAX;
    this.#inline.drop(this.#takeRaw(end ? end.index + end[0].length : Math.max(0, this.#raw.length - kept)));
    return end !== null;
  }

  #takeRaw(count: number): string {
    const taken = this.#raw.slice(0, count);
    this.#raw = this.#raw.slice(count);
    return taken;
  }
}

function skipQuoteMark(cursor: Cursor): boolean {
  const { indent } = cursor;
  if (indent >= 4 || cursor.rest.trimStart()[0] !== '>') return false;
  cursor.skipColumns(indent);
  cursor.skip(1);
  cursor.skipColumns(1);
  return true;
}

/** Skips the marks of the blocks that begin with a line. */
function addContainers(cursor: Cursor, isInParagraph: boolean): Container[] {
  const added: Container[] = [];
  while (cursor.indent < 4 && added.length < DEPTH_MAX) {
    if (skipQuoteMark(cursor)) {
      added.push('quote');
      continue;
    }
    const text = cursor.rest.trimStart();
    const mark = LIST_MARK.exec(text);
    if (!mark || BREAK.test(text)) break;
    const { length } = mark[0];
    const mayInterrupt = Number(mark[1] ?? 1) === 1 && /\S/.test(text.slice(length));
    if (isInParagraph && added.length === 0 && !mayInterrupt) break;
    const { indent } = cursor;
    cursor.skipColumns(indent);
    cursor.skip(length);
    const spaces = cursor.isBlank || cursor.indent > 4 ? 1 : cursor.indent;
    cursor.skipColumns(spaces);
    added.push(indent + length + spaces);
  }
  return added;
}

/** True if a line is the first row of a table, according to the line after it. */
function isHeader(line: string, marks: string): boolean {
  return line.includes('|') && TABLE_MARKS.test(marks) && cellsIn(line) === cellsIn(marks);
}

function cellsIn(line: string): number {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return cells.split(/(?<!\\)\|/).length;
}
