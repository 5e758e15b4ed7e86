/**
 * Returns the element with this id.
 *
 * @param kind - Its class, such as `HTMLButtonElement`.
 * @throws {TypeError} If the page has no such element.
 */
export function requiredElement<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`The page has no ${kind.name} with id "${id}".`);
}
