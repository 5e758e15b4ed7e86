import { languageOf } from '../element/language-of.js';
import { HAS_WORDS, isLeftOut, isUnseen } from './left-out.js';
import { isWrapped, lineBefore } from '../speakable/wrapped-line.js';
import { elementOf, isElement, isRange, isShadowRoot, isText } from './node-kinds.js';

/** A run of characters that are the same in a block and in the page. */
export interface Piece {
  /** Offset of its first character in the block's text, and number of its characters. */
  readonly at: number;
  readonly length: number;
  /** A text node; or an element that stands for these characters, such as an image. */
  readonly node: Node;
  /** Offset of its first character in the text node. */
  readonly offset: number;
}

/** A part of a page that is read in one go: a paragraph, a heading, an item of a list or a row of a table. */
export interface Block {
  readonly text: string;
  /** Language of most of it, as in HTML; empty if unknown. */
  readonly language: string;
  readonly kind: 'paragraph' | 'heading' | 'item';
  /** In the order of the text. Characters that are not in the page, such as a comma between cells, are in no piece. */
  readonly pieces: readonly Piece[];
}

/** Elements of MathML that are read one after the other. The order of others, such as an exponent, says what they mean. */
const PLAIN_MATH = 'semantics, mrow, mstyle, mspace, mi, mn, mo, mtext';
/** Words for a formula, and not TeX. */
const WORDS = /^[^\\^_{}]+$/;
/** Elements that are blocks where no style says so. */
const BLOCKS = new Set(
  (
    'address article blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hgroup hr li main ol p pre section summary table tbody tfoot thead tr ul caption'
  ).split(' '),
);
const INLINE_DISPLAY = /^(?:inline|contents|ruby|none|$)/;
/** Values of `white-space` with which lines end where those of the source do. */
const KEEPS_LINES = /^(?:pre|break)/;
/** Longest text of an initial that floats, such as a quotation mark and a letter. */
const INITIAL_MAX = 3;
/** Names of files, which some systems write as `alt`. */
const FILE_NAME = /^\S+\.(?:jpe?g|png|gif|webp|avif|svg)$/i;
/** Longest label, in characters, of a picture of letters within a word. */
const LETTERS_MAX = 2;
/** Least margin in px that looks like a space. */
const GAP_MIN = 3;
/** Characters between which a line of the source may end without a space. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u;
const CLOSING = /^[\p{Pe}\p{Pf}.,;:!?…]/u;
/** Signs that are not seen: of hyphenation, width zero, and direction. Those that join letters are kept. */
const INVISIBLE = String.raw`\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF`;
/** Characters that are not spoken: invisible ones, and of addresses all but the host. */
const UNSPOKEN = new RegExp(
  String.raw`[${INVISIBLE}]+|\bhttps?:\/\/(?:www\.)?(?=[^\s/])|` +
    String.raw`(?<=\bhttps?:\/\/[^\s\/?#]+)[\/?#][!-~${INVISIBLE}]*?(?=[).,;:!?"'\]]*(?:[^!-~${INVISIBLE}]|$))`,
  'g',
);

/**
 * Returns what a person would read aloud of a part of a page, in order. Left out is what is hidden, for navigation, or an
 * aside; marks of notes; and code in blocks. Open shadow roots and slots are entered, and `alt` stands for an image.
 *
 * Reads the page, and does not change it. Main thread.
 *
 * @param target - Its contents are read, even if it is of a kind that is left out.
 * @param shadowRoots - Those that are entered are added.
 */
export function readableText(target: Element | Range, shadowRoots: ShadowRoot[] = []): Block[] {
  const range = isRange(target) ? target : null;
  const root = isRange(target) ? target.commonAncestorContainer : target;
  const walk = new Walk(range, shadowRoots);
  const element = elementOf(root);
  if (element) walk.keepsLines = areLinesKept(element, getComputedStyle(element));
  if (isElement(root) && !range) walk.contentsOf(root);
  else for (const node of isShadowRoot(root) ? root.childNodes : [root]) walk.node(node, false);
  walk.endBlock();
  return walk.blocks;
}

/** One walk through a part of a page. */
class Walk {
  readonly blocks: Block[] = [];
  /** True where lines end where those of the source do. */
  keepsLines = false;
  readonly #range: Range | null;
  readonly #shadowRoots: ShadowRoot[];
  #kind: Block['kind'] = 'paragraph';
  #text = '';
  #pieces: Piece[] = [];
  /** White space, or what looks like it, that becomes one space if a word follows. */
  #space: { node: Node; offset: number; isLineEnd?: boolean } | null = null;

  constructor(range: Range | null, shadowRoots: ShadowRoot[]) {
    this.#range = range;
    this.#shadowRoots = shadowRoots;
  }

  /** @param isFree - True within a shadow root, whose nodes a range does not compare. */
  node(node: Node, isFree: boolean): void {
    if (!isFree && this.#range && !this.#range.intersectsNode(node)) return;
    if (isText(node)) this.#addText(node, isFree);
    else if (isElement(node) && !isLeftOut(node)) this.#element(node, isFree);
    else if (isSeparator(node)) this.#gap(node);
  }

  /** Walks through the children of an element, as they are shown: its shadow root, or what is in its slot. */
  contentsOf(element: Element, isFree = false): void {
    const { shadowRoot } = element;
    if (shadowRoot) this.#shadowRoots.push(shadowRoot);
    const assigned = 'assignedNodes' in element ? (element as HTMLSlotElement).assignedNodes() : [];
    const children = assigned.length > 0 ? assigned : (shadowRoot ?? element).childNodes;
    // The contents of a slot are in the same tree as its host, which a range compares.
    for (const child of children) this.node(child, assigned.length === 0 && (isFree || shadowRoot !== null));
  }

  /** Ends the block, and keeps it if there is a word in it. */
  endBlock(): void {
    // Without the comma before a cell that begins another block.
    const spoken = spokenPart(this.#text.replace(/, $/, ''), this.#pieces);
    if (HAS_WORDS.test(spoken.text)) {
      this.blocks.push({ ...spoken, language: languageOfMost(this.#pieces), kind: this.#kind });
    }
    this.#text = '';
    this.#pieces = [];
    this.#space = null;
  }

  #element(element: Element, isFree: boolean): void {
    const name = element.localName;
    if (name === 'br') return this.#addLine();
    const label = labelOf(element);
    if (label !== null) return this.#addLabel(element, label);
    const keptLines = this.keepsLines;
    const kind = this.#kind;
    const style = getComputedStyle(element);
    this.keepsLines = areLinesKept(element, style);
    const isBlock = isShownAsBlock(element, style);
    if (isBlock) this.endBlock();
    else if (isApart(style, 'marginLeft') || isIndex(element, this.#text)) this.#gap(element);
    this.#kind = kindOf(element) ?? kind;
    if (name === 'tr' && !isForLayout(element)) this.#row(element, isFree);
    else if (name === 'details' && !element.hasAttribute('open')) this.#summary(element, isFree);
    else if (isDivided(element)) this.#addLabel(element, oneLine(element.getAttribute('aria-label')!));
    else this.contentsOf(element, isFree);
    if (isBlock) this.endBlock();
    else if (isApart(style, 'marginRight')) this.#gap(element);
    this.#kind = kind;
    this.keepsLines = keptLines;
  }

  /** A row of a table is one block: its cells are joined with commas. */
  #row(row: Element, isFree: boolean): void {
    for (const cell of row.children) {
      const before = this.#text.trimEnd();
      // No comma after the end of a sentence.
      const comma = /(?![%)\]])\p{P}$/u.test(before) ? '' : ',';
      this.#space = null;
      if (before !== '') this.#text = `${before}${comma} `;
      if (!isLeftOut(cell)) this.contentsOf(innermost(cell), isFree);
    }
  }

  #summary(details: Element, isFree: boolean): void {
    const summary = details.querySelector(':scope > summary');
    if (summary) this.node(summary, isFree);
  }

  #addText(node: Text, isFree: boolean): void {
    const range = isFree ? null : this.#range;
    const from = range?.startContainer === node ? range.startOffset : 0;
    const to = range?.endContainer === node ? range.endOffset : node.length;
    const data = node.data.slice(from, to);
    for (const { 0: part, 1: space, index } of data.matchAll(/([^\S\uFEFF]+)|[\S\uFEFF]+/g)) {
      const offset = from + index;
      if (space === undefined) this.#add(part, node, offset);
      else if (this.keepsLines && space.includes('\n') && !this.#isWrapped(data.slice(index)))
        this.#addLine(/\n.*\n/.test(space));
      else this.#space ??= { node, offset, isLineEnd: space.includes('\n') };
    }
  }

  #addLabel(element: Element, label: string): void {
    if (!HAS_WORDS.test(label)) return;
    // A picture is a word of its own, if it is not of letters; a formula is part of the text.
    const isWord = element.localName !== 'math' && label.length > LETTERS_MAX;
    if (isWord) this.#gap(element);
    this.#add(label, element, 0);
    if (isWord) this.#gap(element);
  }

  #gap(element: Element): void {
    this.#space ??= { node: element, offset: 0 };
  }

  #add(text: string, node: Node, offset: number): void {
    const space = this.#space;
    this.#space = null;
    const last = this.#text.at(-1) ?? ' ';
    const isJoined = space?.isLineEnd
      ? UNSPACED.test(last) && UNSPACED.test(text[0]!)
      : space !== null && isElement(space.node) && CLOSING.test(text);
    if (space && /\S/.test(last) && !isJoined) this.#push(' ', space.node, space.offset);
    this.#push(text, node, offset);
  }

  #push(text: string, node: Node, offset: number): void {
    const last = this.#pieces.at(-1);
    const at = this.#text.length;
    this.#text += text;
    const isNext = last?.node === node && last.at + last.length === at && last.offset + last.length === offset;
    if (isNext && isText(node)) this.#pieces[this.#pieces.length - 1] = { ...last, length: last.length + text.length };
    else this.#pieces.push({ at, length: text.length, node, offset });
  }

  /** @param rest - The end of a line, and what follows. */
  #isWrapped(rest: string): boolean {
    const line = lineBefore(this.#text, this.#text.length) + rest.slice(0, rest.indexOf('\n'));
    return isWrapped(line, rest.slice(rest.indexOf('\n') + 1));
  }

  /** Ends a line: a poem's, or that of an address. An empty line ends the block. */
  #addLine(isEmpty = this.#text.endsWith('\n')): void {
    this.#space = null;
    const before = this.#text.trimEnd();
    if (isEmpty) this.endBlock();
    else if (before !== '') this.#text = `${before}\n`;
  }
}

/** True for a text that is divided for an animation, and labelled with itself. */
function isDivided(element: Element): boolean {
  const label = element.getAttribute('aria-label');
  if (label === null || element.querySelector('[aria-hidden]') === null) return false;
  return lettersOf(label) === lettersOf(element.textContent);
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the language of most characters; the first one of equal ones. */
function languageOfMost(pieces: readonly Piece[]): string {
  const lengths = new Map<string, number>();
  for (const { node, length } of pieces) {
    const element = elementOf(node);
    const language = element ? languageOf(element) : '';
    lengths.set(language, (lengths.get(language) ?? 0) + length);
  }
  return [...lengths].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** Returns the part of a text that is spoken, with its pieces. */
function spokenPart(text: string, pieces: readonly Piece[]): { text: string; pieces: Piece[] } {
  let spoken = '';
  let from = 0;
  const kept: Piece[] = [];
  for (const { 0: unspoken, index } of [...text.matchAll(UNSPOKEN), { 0: '', index: text.length }]) {
    for (const piece of pieces) {
      const start = Math.max(piece.at, from);
      const length = Math.min(piece.at + piece.length, index) - start;
      const at = spoken.length + start - from;
      if (length > 0) kept.push({ node: piece.node, offset: piece.offset + start - piece.at, at, length });
    }
    spoken += text.slice(from, index);
    from = index + unspoken.length;
  }
  return { text: spoken.trimEnd(), pieces: kept };
}

/** Returns the text that stands for an element; null if its contents do. Empty for one that is decoration. */
function labelOf(element: Element): string | null {
  const name = element.localName;
  const own = element.getAttribute('aria-label');
  if (name === 'math') return own ?? element.getAttribute('alttext')?.match(WORDS)?.[0] ?? mathOf(element);
  const role = element.getAttribute('role') ?? '';
  if (name !== 'img' && name !== 'svg' && role !== 'img') return null;
  if (element.matches('[role=presentation], [role=none]')) return '';
  const title = element.querySelector(':scope > title')?.textContent;
  const label = oneLine(own || element.getAttribute('alt') || title || '');
  // An icon beside the words of a link.
  if (name === 'svg' && HAS_WORDS.test(element.closest('a')?.textContent ?? '')) return '';
  const caption = element.closest('figure')?.querySelector('figcaption')?.textContent ?? '';
  return FILE_NAME.test(label) || oneLine(caption).includes(label) ? '' : label;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** Returns a formula as its signs; empty for one that cannot be read sign by sign. */
function mathOf(math: Element): string {
  const parts = [...math.querySelectorAll('*')].filter((part) => !part.closest('annotation, annotation-xml'));
  if (!parts.every((part) => part.matches(PLAIN_MATH))) return '';
  const tokens = parts.filter((part) => part.matches('mi, mn, mo, mtext'));
  return tokens.map(({ textContent }) => textContent.trim()).join(' ');
}

/** Returns the kind of the text in an element; null for that of the element around it. */
function kindOf(element: Element): Block['kind'] | null {
  if (element.matches('h1, h2, h3, h4, h5, h6, [role=heading]')) return 'heading';
  return element.matches('li, tr, dt, dd, caption') ? 'item' : null;
}

function isShownAsBlock(element: Element, { display, float, position }: CSSStyleDeclaration): boolean {
  const name = element.localName;
  // A word or a letter, which a script has put into a box of its own.
  const isBoxed = name === 'div' && display === 'inline-block' && /^\S+$/.test(element.textContent.trim());
  if (BLOCKS.has(name) && !isBoxed) return !/^(?:inline|contents)$/.test(display);
  // A drop cap, and unseen text that is read in place of what is seen.
  const isInitial = float !== 'none' && element.textContent.trim().length <= INITIAL_MAX;
  // A piece of text with a place of its own: in a PDF, or on a page of fixed layout.
  const isPlaced = position === 'absolute' && element.matches('[style*="left:"]');
  return !isInitial && !isPlaced && !INLINE_DISPLAY.test(display) && !isUnseen(element);
}

/** True if lines end where those of the source do. */
function areLinesKept({ localName }: Element, { whiteSpace }: CSSStyleDeclaration): boolean {
  return KEEPS_LINES.test(whiteSpace || localName);
}

/** True if there is a gap beside an inline element, as between a name and a date without white space. */
function isApart(style: CSSStyleDeclaration, side: 'marginLeft' | 'marginRight'): boolean {
  return style.float === 'none' && parseFloat(style[side]) >= GAP_MIN;
}

/** True for a number above or below the line, after another number: 2 and 10 are not 210. */
function isIndex({ localName, textContent }: Element, before: string): boolean {
  return /^su[bp]$/.test(localName) && /\d$/.test(before) && /^\s*[\d−-]/.test(textContent);
}

/** True for a dot or a line between words, hidden from screen readers. */
function isSeparator(node: Node): node is Element {
  const text = isElement(node) && node.getAttribute('aria-hidden') === 'true' ? node.textContent : '';
  return text !== '' && !HAS_WORDS.test(text);
}

function isForLayout(row: Element): boolean {
  return row.closest('table')?.matches('[role=presentation], [role=none]') ?? false;
}

/** Returns the paragraph that is all of a cell, or the cell. */
function innermost(cell: Element): Element {
  const [only] = cell.children;
  const isAll = only?.matches('p:not([lang]), div:not([lang])') && only.textContent.trim() === cell.textContent.trim();
  return isAll && !isLeftOut(only!) ? innermost(only!) : cell;
}
