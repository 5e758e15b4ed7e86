/**
 * Returns a copy of the selected range; null if nothing is selected.
 *
 * Browsers describe a selection within a shadow root only to callers that pass this root. To others, it begins at the host.
 * So each root is found at the beginning of the range that is known without it.
 */
export function selectedRange(selection: Selection): Range | null {
  if (selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const shadowRoots: ShadowRoot[] = [];
  for (;;) {
    const { startContainer, startOffset } = range;
    const { shadowRoot = null } = (startContainer.childNodes[startOffset] ?? {}) as Partial<Element>;
    if (!shadowRoot || shadowRoots.includes(shadowRoot)) break;
    shadowRoots.push(shadowRoot);
    const [found] = (selection as Partial<Selection>).getComposedRanges?.({ shadowRoots }) ?? [];
    if (!found || found.startContainer.getRootNode() !== found.endContainer.getRootNode()) break;
    range.setStart(found.startContainer, found.startOffset);
    range.setEnd(found.endContainer, found.endOffset);
  }
  return range.collapsed ? null : range;
}
