/**
 * Styles of the element itself: with `controls` it has its final size from the beginning, so that the page does not move
 * when the controls have been loaded.
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

/** Gives a shadow root these style sheets, in place of those it has. Without effect where nothing is drawn, as in jsdom. */
export function adoptStyles(root: ShadowRoot, ...sheets: readonly string[]): void {
  // A sheet made by a script works only in the document of the window that made it.
  const view = root.ownerDocument.defaultView;
  const Sheet = view?.CSSStyleSheet;
  if (!Sheet?.prototype.replaceSync) return;
  root.adoptedStyleSheets = sheets.map((text) => {
    const sheet = new Sheet();
    sheet.replaceSync(text);
    return sheet;
  });
}
