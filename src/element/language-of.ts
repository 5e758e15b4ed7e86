/** Returns the language of an element, from the nearest `lang` or `xml:lang`, as in HTML; empty if unknown. */
export function languageOf(element: Element): string {
  const marked = element.closest('[*|lang]');
  if (marked) return (marked.getAttribute('lang') ?? marked.getAttribute('xml:lang'))!;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageOf(root.host) : '';
}
