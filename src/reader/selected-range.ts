/**
 * Returns a copy of what is selected; null if nothing is. A selection within components is known to those only who name
 * their shadow roots, so it is followed into them: to others, it begins at the component.
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
