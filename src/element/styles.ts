/**
 * Styles of the element itself. With `controls`, it has its final size from the beginning, so the layout of the page
 * does not shift when the controls have been loaded.
 */
export const styles = `
  :host {
    --_lines: var(--svc-speaker-caption-lines, 2);
    display: inline-block;
    width: 20rem;
    max-width: 100%;
    --_tools: max(1.75rem, 2em);
    min-height: calc(max(4.5rem, 3.25rem + 1.4em) + var(--_tools) + var(--_words, 0rem));
    font-size: 0.875rem;
    vertical-align: top;
  }
  :host([text]:not([text=''])) {
    --_words: calc(min(1, var(--_lines)) * 0.5rem + var(--_lines) * 1.5em);
  }
  :host([hidden]),
  :host(:not([controls])) {
    display: none;
  }
`;

/** Replaces the style sheets of a shadow root. Does nothing where nothing is drawn, as in jsdom. */
export function adoptStyles(root: ShadowRoot, ...sheets: readonly string[]): void {
  // A constructed sheet works only in the document of the window that made it.
  const view = root.ownerDocument.defaultView;
  const Sheet = view?.CSSStyleSheet;
  if (!Sheet?.prototype.replaceSync) return;
  root.adoptedStyleSheets = sheets.map((text) => {
    const sheet = new Sheet();
    sheet.replaceSync(text);
    return sheet;
  });
}
