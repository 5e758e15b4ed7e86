import type { LitElement } from 'lit';

/**
 * Settles a speaker that has come into another document: a frame's, or that of a window which the page has opened.
 *
 * A style sheet that a script has made serves the document of that script only, so this one gets its own. When it goes,
 * its elements are not disconnected, so this is where a speaker hears of it.
 *
 * @param styles - Its looks, as CSS.
 */
export async function moveIn(speaker: LitElement & { close(): void }, styles: string): Promise<void> {
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
