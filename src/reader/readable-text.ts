import { languageOf } from '../element/language-of.js';

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
  /** Language as in HTML; empty if unknown. */
  readonly language: string;
  readonly kind: 'paragraph' | 'heading' | 'item';
  /** In the order of the text. Characters that are not in the page, such as a comma between cells, are in no piece. */
  readonly pieces: readonly Piece[];
}

/** Elements that are not read. */
const LEFT_OUT = new Set(
  (
    'script style noscript template iframe object embed canvas audio video input select textarea datalist annotation ' +
    'label legend nav aside rt rp rtc head'
  ).split(' '),
);
/** Roles of parts that are not the text itself: WAI-ARIA, and DPUB-ARIA for notes. */
const LEFT_OUT_ROLES = new Set(
  (
    'navigation complementary search dialog alertdialog alert status menu menubar toolbar tablist switch ' +
    'doc-noteref doc-backlink doc-endnotes doc-footnote doc-toc doc-pagebreak'
  ).split(' '),
);
/** Parts of books in EPUB's vocabulary that interrupt the text. */
const LEFT_OUT_TYPES = /(?:^|\s)(?:noteref|footnotes?|endnotes?|rearnotes?|pagebreak|toc)(?:\s|$)/;
/** Elements of MathML that are read one after the other. The order of others, such as an exponent, says what they mean. */
const PLAIN_MATH = /^(?:semantics|mrow|mstyle|mi|mn|mo|mtext|mspace)$/;
/** Classes of such parts in widespread systems: MediaWiki, Bootstrap, WordPress, and banners. */
const LEFT_OUT_CLASSES =
  /(?:^|\s)(?:mw-editsection|noprint|infobox|navbox|reflist|references|sr-only|visually-hidden|screen-reader-text|advertisement|ad-slot|cookie-banner|cookie-consent)(?:\s|$)/;
/** Elements that are blocks where no style says so. */
const BLOCKS = new Set(
  (
    'address article blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hgroup hr li main ol p pre section summary table tbody tfoot thead tr ul caption'
  ).split(' '),
);
/** Headings, by name; those by role are found, too. */
const HEADING = /^h[1-6]$/;
/** Items of lists, and rows of tables. */
const ITEM = /^(?:li|tr|dt|dd|caption)$/;
const INLINE_DISPLAY = /^(?:inline|contents|ruby|none|$)/;
/** A mark of a note, such as [12], * or a. */
const NOTE_MARK = /^\s*[[(]?(?:\d{1,3}|[a-z]|[*†‡§¶]{1,3})[\])]?\s*$/;
const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * Returns what a person would read aloud of a part of a page, in order. Left out is what is hidden, for navigation, or an
 * aside; marks of notes; and code in blocks. Open shadow roots and slots are entered, and `alt` stands for an image.
 *
 * Reads the page, and does not change it. Main thread.
 *
 * @param target - Its contents are read, even if it is of a kind that is left out.
 */
export function readableText(target: Element | Range): Block[] {
  const range = target instanceof Range ? target : null;
  const root = range ? range.commonAncestorContainer : (target as Element);
  const walk = new Walk(range);
  const element = root instanceof Element ? root : root.parentElement;
  walk.language = element ? languageOf(element) : '';
  if (root instanceof Element && !range) walk.contentsOf(root);
  else walk.node(root, false);
  walk.endBlock();
  return walk.blocks;
}

/** One walk through a part of a page. */
class Walk {
  readonly blocks: Block[] = [];
  language = '';
  readonly #range: Range | null;
  #kind: Block['kind'] = 'paragraph';
  #text = '';
  #blockLanguage = '';
  #pieces: Piece[] = [];
  /** White space that becomes one space if a word follows. */
  #space: { node: Node; offset: number } | null = null;
  #isPreserved = false;

  constructor(range: Range | null) {
    this.#range = range;
  }

  /** @param isFree - True within a shadow root, whose nodes a range does not compare. */
  node(node: Node, isFree: boolean): void {
    if (!isFree && this.#range && !this.#range.intersectsNode(node)) return;
    if (node instanceof Text) this.#addText(node, isFree);
    else if (node instanceof Element && !isLeftOut(node)) this.#element(node, isFree);
  }

  /** Walks through the children of an element, as they are shown: its shadow root, or what is in its slot. */
  contentsOf(element: Element, isFree = false): void {
    const { shadowRoot } = element;
    const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
    const children = assigned.length > 0 ? assigned : (shadowRoot ?? element).childNodes;
    // The contents of a slot are in the same tree as its host, which a range compares.
    for (const child of children) this.node(child, assigned.length > 0 ? false : isFree || shadowRoot !== null);
  }

  /** Ends the block, and keeps it if there is a word in it. */
  endBlock(): void {
    const text = this.#text.trimEnd();
    if (HAS_WORDS.test(text)) {
      const pieces = this.#pieces.filter(({ at }) => at < text.length);
      this.blocks.push({ text, language: this.#blockLanguage, kind: this.#kind, pieces });
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
    const language = this.language;
    this.language = element.getAttribute('lang') ?? language;
    const wasPreserved = this.#isPreserved;
    this.#isPreserved ||= name === 'pre';
    const kind = this.#kind;
    const isBlock = isShownAsBlock(element);
    if (isBlock) this.endBlock();
    this.#kind = kindOf(element) ?? kind;
    if (name === 'tr') this.#row(element, isFree);
    else if (name === 'details' && !element.hasAttribute('open')) this.#summary(element, isFree);
    else this.contentsOf(element, isFree);
    if (isBlock) this.endBlock();
    this.#kind = kind;
    this.#isPreserved = wasPreserved;
    this.language = language;
  }

  /** A row of a table is one block: its cells are joined with commas. */
  #row(row: Element, isFree: boolean): void {
    for (const cell of row.children) {
      const before = this.#text.trimEnd();
      const isEnded = before === '' || /\p{P}$/u.test(before);
      this.#space = null;
      if (before !== '') this.#text = `${before}${isEnded ? '' : ','} `;
      if (!isLeftOut(cell)) this.contentsOf(cell, isFree);
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
    for (const { 0: part, index } of data.matchAll(/\s+|\S+/g)) {
      const offset = from + index;
      if (!/^\s/.test(part)) this.#add(part, node, offset);
      else if (this.#isPreserved && part.includes('\n')) this.#addLine();
      else this.#space ??= { node, offset };
    }
  }

  #addLabel(element: Element, label: string): void {
    if (!HAS_WORDS.test(label)) return;
    // A picture is a word of its own; a formula may be followed by a comma.
    const isApart = element.localName !== 'math';
    if (isApart) this.#space ??= { node: element, offset: 0 };
    this.#add(label.trim(), element, 0);
    if (isApart) this.#space = { node: element, offset: 0 };
  }

  #add(text: string, node: Node, offset: number): void {
    if (this.#text === '') this.#blockLanguage = this.language;
    if (this.#space && this.#text !== '' && !/\s$/.test(this.#text))
      this.#push(' ', this.#space.node, this.#space.offset);
    this.#space = null;
    this.#push(text, node, offset);
  }

  #push(text: string, node: Node, offset: number): void {
    const last = this.#pieces.at(-1);
    const at = this.#text.length;
    this.#text += text;
    const isNext = last?.node === node && last.at + last.length === at && last.offset + last.length === offset;
    if (isNext && node instanceof Text)
      this.#pieces[this.#pieces.length - 1] = { ...last, length: last.length + text.length };
    else this.#pieces.push({ at, length: text.length, node, offset });
  }

  /** Ends a line: a poem's, or that of an address. */
  #addLine(): void {
    this.#space = null;
    const before = this.#text.trimEnd();
    if (before !== '') this.#text = `${before}\n`;
  }
}

/** Returns the text that stands for an element; null if its contents do. Empty for one that is decoration. */
function labelOf(element: Element): string | null {
  const name = element.localName;
  if (name === 'img') return element.getAttribute('alt') ?? '';
  if (name === 'math') return element.getAttribute('aria-label') ?? mathOf(element);
  const isPicture = name === 'svg' || element.getAttribute('role') === 'img';
  return isPicture ? (element.getAttribute('aria-label') ?? '') : null;
}

/** Returns a formula as its signs; empty for one that cannot be read sign by sign. */
function mathOf(math: Element): string {
  const parts = [...math.querySelectorAll('*')].filter((part) => !part.closest('annotation, annotation-xml'));
  if (!parts.every(({ localName }) => PLAIN_MATH.test(localName))) return '';
  const tokens = parts.filter(({ localName }) => /^m(?:i|n|o|text)$/.test(localName));
  return tokens.map(({ textContent }) => textContent.trim()).join(' ');
}

/** True if an element and all in it is not read. */
function isLeftOut(element: Element): boolean {
  const name = element.localName;
  const role = element.getAttribute('role')?.trim().toLowerCase();
  if (LEFT_OUT.has(name) || (role && LEFT_OUT_ROLES.has(role))) return true;
  if (element.hasAttribute('hidden') || element.hasAttribute('inert')) return true;
  if (element.getAttribute('aria-hidden') === 'true') return true;
  if (LEFT_OUT_CLASSES.test(element.getAttribute('class') ?? '')) return true;
  if (LEFT_OUT_TYPES.test(element.getAttribute('epub:type') ?? '')) return true;
  if (name === 'button' || role === 'button') return !isInSentence(element);
  if (name === 'dialog' && !element.hasAttribute('open')) return true;
  if (name === 'pre' && isCode(element)) return true;
  if (name === 'sup' && isNoteMark(element)) return true;
  if ((name === 'header' || name === 'footer') && isOfPage(element)) return true;
  return !isVisible(element);
}

/** Returns the kind of the text in an element; null for that of the element around it. */
function kindOf(element: Element): Block['kind'] | null {
  if (HEADING.test(element.localName) || element.getAttribute('role') === 'heading') return 'heading';
  return ITEM.test(element.localName) ? 'item' : null;
}

/** True for a button within running text, such as a word that explains itself. */
function isInSentence({ parentNode }: Element): boolean {
  return [...(parentNode?.childNodes ?? [])].some((node) => node instanceof Text && HAS_WORDS.test(node.data));
}

function isCode(element: Element): boolean {
  return element.querySelector('code, kbd, samp') !== null || /\b(?:language-|highlight|code)/.test(element.className);
}

/** True for the mark of a note: a link to it, or a sign. An exponent is neither. */
function isNoteMark(element: Element): boolean {
  const text = element.textContent ?? '';
  return NOTE_MARK.test(text) && (element.querySelector('a[href]') !== null || /[[*†‡§¶]/.test(text));
}

/** True for a header or footer of the whole page, rather than of an article in it. */
function isOfPage(element: Element): boolean {
  return element.parentElement?.closest('article, main, section, aside, nav') === null;
}

function isVisible(element: Element): boolean {
  const { display, visibility, position, overflow } = getComputedStyle(element);
  if (display === 'none' || visibility === 'hidden' || visibility === 'collapse') return false;
  // The usual way to hide text from the eyes only.
  if (position !== 'absolute' || overflow === 'visible') return true;
  const { width, height } = element.getBoundingClientRect();
  return width > 1 || height > 1 || (width === 0 && height === 0);
}

function isShownAsBlock(element: Element): boolean {
  const { display } = getComputedStyle(element);
  return BLOCKS.has(element.localName) ? display !== 'inline' && display !== 'contents' : !INLINE_DISPLAY.test(display);
}
