/** Colours that a page replaces with rules of its own: rules outside of a layer win. */
const STYLES = `@layer svc-reader {
  ::highlight(svc-sentence) { background-color: color-mix(in srgb, Highlight 22%, transparent) }
  ::highlight(svc-word) { background-color: Highlight; color: HighlightText }
}`;

/** Names of the highlights. */
export type HighlightName = 'svc-word' | 'svc-sentence';

const styled = new WeakSet<Document>();

/**
 * Highlights ranges with the CSS Custom Highlight API, which changes nothing in the page. Without the API, nothing is
 * highlighted. Several readers share the highlights of a document. Main thread.
 */
export class Highlights {
  readonly #ranges = new Map<HighlightName, Range>();

  readonly #view: Window & typeof globalThis;

  /** @param view - The window whose text is highlighted: highlights and style sheets belong to one document. */
  constructor(view: Window & typeof globalThis) {
    this.#view = view;
    const { document: owner } = view;
    if (!this.#areAble || styled.has(owner)) return;
    styled.add(owner);
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(STYLES);
    owner.adoptedStyleSheets.push(sheet);
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
      highlight.add(range);
      this.#ranges.set(name, range);
    }
  }

  clear(): void {
    this.show('svc-word', null);
    this.show('svc-sentence', null);
  }
}
