/**
 * Kinds and places of nodes. `instanceof` does not know nodes of another document, such as that of a frame in which a book is
 * shown.
 */

export function isElement(node: object): node is Element {
  return 'tagName' in node;
}

/** True for text, also for a CDATA section in XHTML. */
export function isText(node: Node): node is Text {
  return node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE;
}

export function isShadowRoot(node: Node): node is ShadowRoot {
  return node.nodeType === Node.DOCUMENT_FRAGMENT_NODE && 'host' in node;
}

export function isRange(target: object): target is Range {
  return 'cloneRange' in target;
}

/** Returns the element in which a node is shown: that with the slot or the shadow root, too. Null for the outermost one. */
export function shownIn(node: Node & Partial<Slottable>): Element | null {
  const root = node.getRootNode();
  return node.assignedSlot ?? node.parentElement ?? (isShadowRoot(root) ? root.host : null);
}

/** Returns the element in which a node is shown, or the node if it is one. */
export function elementOf(node: Node): Element | null {
  return isElement(node) ? node : shownIn(node);
}

/** Returns the document of a node, or the node if it is one. */
export function documentOf(node: Node): Document {
  return node.ownerDocument ?? (node as Document);
}

/** Returns the window in which a node is shown; this module's own one if there is none. */
export function viewOf(node: Node): Window & typeof globalThis {
  return documentOf(node).defaultView ?? window;
}
