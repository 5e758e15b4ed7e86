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

  /** @param owner - The document whose text is highlighted. */
  constructor(owner: Document) {
    if (!hasHighlights() || styled.has(owner)) return;
    styled.add(owner);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    owner.adoptedStyleSheets.push(sheet);
  }

  /** Highlights a range in place of the last one; null for none. */
  show(name: HighlightName, range: Range | null): void {
    if (!hasHighlights()) return;
    const before = this.#ranges.get(name);
    const highlight = CSS.highlights.get(name) ?? new Highlight();
    CSS.highlights.set(name, highlight);
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

function hasHighlights(): boolean {
  return typeof Highlight === 'function' && 'highlights' in CSS;
}
