/**
 * The element of the page with this id.
 *
 * @param kind - The class it must be an instance of, such as `HTMLButtonElement`.
 * @throws {TypeError} If the page has no such element: markup and script have drifted apart.
 */
export function requiredElement<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`index.html has no ${kind.name} with id "${id}"`);
}
