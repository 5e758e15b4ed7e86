import { elementOf, isShadowRoot } from './node-kinds.js';

/** Names of the highlights. */
const NAMES = ['svc-word', 'svc-sentence'] as const;
export type HighlightName = (typeof NAMES)[number];

/** Colours that a page replaces with rules of its own: rules outside of a layer win. */
const STYLES = `@layer svc-reader {
  ::highlight(svc-sentence) { background-color: color-mix(in srgb, Highlight 22%, transparent) }
  ::highlight(svc-word) { background-color: Highlight; color: HighlightText }
}`;

/** The style sheets that were added to documents and shadow roots. */
const sheets = new WeakMap<DocumentOrShadowRoot, CSSStyleSheet>();

/**
 * Highlights ranges with the CSS Custom Highlight API, which changes nothing in the page. Without the API, nothing is
 * highlighted. Several readers share the highlights of a document. Main thread.
 */
export class Highlights {
  readonly #view: Window & typeof globalThis;
  readonly #ranges = new Map<HighlightName, Range>();
  /** Shadow roots in which the highlights have the colours of the page. */
  readonly #coloured = new WeakSet<ShadowRoot>();

  /** @param view - The window whose text is highlighted: highlights and style sheets belong to one document. */
  constructor(view: Window & typeof globalThis) {
    this.#view = view;
    if (this.#areAble && !sheets.has(view.document)) this.#style(view.document, STYLES);
  }

  /** True if the browser can highlight. */
  get #areAble(): boolean {
    return typeof this.#view.Highlight === 'function' && 'highlights' in this.#view.CSS;
  }

  /** Highlights a range in place of the last one; null for none. */
  show(name: HighlightName, range: Range | null): void {
    if (!this.#areAble) return;
    const before = this.#ranges.get(name);
    const { CSS: registry, Highlight: Made } = this.#view;
    const highlight = registry.highlights.get(name) ?? new Made();
    registry.highlights.set(name, highlight);
    if (before) highlight.delete(before);
    this.#ranges.delete(name);
    if (range) {
      this.#colour(range.startContainer);
      highlight.add(range);
      this.#ranges.set(name, range);
    }
  }

  /**
   * Quirk `firefox-highlight-scope`: highlights in a shadow root do not have the colours of the page around it. Gives them
   * these.
   */
  #colour(node: Node): void {
    const root = node.getRootNode();
    const shown = elementOf(node);
    if (!shown || !isShadowRoot(root) || this.#coloured.has(root)) return;
    this.#coloured.add(root);
    let host = root.host;
    for (let tree = host.getRootNode(); isShadowRoot(tree); tree = host.getRootNode()) host = tree.host;
    const styleOf = (element: Element, name: HighlightName): CSSStyleDeclaration =>
      getComputedStyle(element, `::highlight(${name})`);
    if (styleOf(shown, 'svc-word').backgroundColor === styleOf(host, 'svc-word').backgroundColor) return;
    const rules = NAMES.map((name) => {
      const { backgroundColor, color } = styleOf(host, name);
      const own = color === getComputedStyle(host).color ? '' : `; color: ${color}`;
      return `::highlight(${name}) { background-color: ${backgroundColor}${own} }`;
    });
    this.#style(root, rules.join('\n'));
  }

  #style(root: DocumentOrShadowRoot, rules: string): void {
    let sheet = sheets.get(root);
    if (!sheet) {
      sheet = new this.#view.CSSStyleSheet();
      root.adoptedStyleSheets.push(sheet);
      sheets.set(root, sheet);
    }
    sheet.replaceSync(rules);
  }

  clear(): void {
    for (const name of NAMES) this.show(name, null);
  }
}
