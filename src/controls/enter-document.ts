import type { LitElement } from 'lit';

/**
 * Adapts a speaker to another document: that of a frame, or of a window that the page has opened.
 *
 * A style sheet made by a script works in the document of that script only, so this one gets its own. When the document is
 * closed, its elements are not disconnected, so the speaker listens for that here.
 *
 * @param styles - The styles as CSS.
 */
export async function enterDocument(speaker: LitElement & { close(): void }, styles: string): Promise<void> {
  await speaker.updateComplete;
  const { ownerDocument } = speaker;
  const view = ownerDocument.defaultView;
  if (!view) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(styles);
  speaker.shadowRoot!.adoptedStyleSheets = [sheet];
  if (ownerDocument === document) return;
  view.addEventListener('pagehide', () => {
    if (speaker.ownerDocument === ownerDocument) speaker.close();
  });
}
