/** Writes the API reference of the documentation site out of what was built. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { elementPage, modulePage, pageOf } from './reference-pages.mjs';
import { publicEntries, readElements, readModules, undescribed, undocumented } from './symbols.mjs';

/** @typedef {import('./symbols.mjs').Module} Module */

/** Where the pages go: not committed. */
const REFERENCE = join(ROOT, 'docs', 'reference');

/**
 * Writes the pages anew.
 *
 * @returns {string[]} What is not documented, a line for each.
 */
export function writeReference() {
  const modules = readModules(publicEntries());
  const elements = readElements();
  describeEvents(modules, elements);
  rmSync(REFERENCE, { recursive: true, force: true });
  mkdirSync(REFERENCE, { recursive: true });
  /** @type {Map<string, string>} */
  const classes = new Map(elements.map((/** @type {any} */ { name, tagName }) => [name, pageOf(tagName)]));
  for (const element of elements) {
    const described = modules.flatMap(({ exports }) => exports).find(({ name }) => name === element.name);
    const page = pageOf(element.tagName);
    writeFileSync(join(REFERENCE, `${page}.md`), elementPage(element, described?.members ?? []));
  }
  for (const module of modules) {
    const page = module.entry.replace(/\.js$/, '').split('/').at(-1);
    writeFileSync(join(REFERENCE, `${page}.md`), modulePage(module, classes));
  }
  return [...undocumented(modules), ...elements.flatMap(undescribed)];
}

/**
 * An event map says what each event is; what it tells is said once, at the element.
 *
 * @param {Module[]} modules - Changed in place.
 * @param {any[]} elements - Of the manifest.
 */
function describeEvents(modules, elements) {
  const events = new Map(
    elements.flatMap(({ events: list = [] }) => list).map((event) => [event.name, event.description]),
  );
  const maps = modules.flatMap(({ exports }) => exports).filter(({ name }) => name.endsWith('EventMap'));
  for (const member of maps.flatMap(({ members }) => members)) member.doc ||= events.get(member.name) ?? '';
}
