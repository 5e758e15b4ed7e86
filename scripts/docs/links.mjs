import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Tags whose URLs a page loads by itself; other links are followed only by readers. */
const LOADED = new Set(['link', 'script', 'img', 'source', 'iframe']);

/**
 * Checks every link of a built site: that its page and its anchor exist, and that no page loads anything from another
 * origin.
 *
 * @param {string} folder - Folder of the site.
 * @param {object} options
 * @param {string} options.base - Path under which the site is served: `/docs/`.
 * @param {(path: string) => boolean} options.isServed - Returns true if a page outside of the site is served at a path.
 * @returns {string[]} One line per problem.
 */
export function checkLinks(folder, { base, isServed }) {
  const pages = new Map(htmlFiles(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const anchors = new Map([...pages].map(([file, html]) => [file, anchorsOf(html)]));
  return [...pages].flatMap(([file, html]) =>
    linksOf(html).flatMap(({ tag, url }) => {
      const problem = problemOf(url, tag);
      return problem ? [`${file}: ${url}: ${problem}`] : [];

      function problemOf(/** @type {string} */ link, /** @type {string} */ element) {
        if (link.startsWith('data:')) return '';
        if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(link)) return LOADED.has(element) ? 'is loaded from elsewhere' : '';
        const { pathname, hash } = new URL(link, `http://site${base}${file}`);
        const path = decodeURI(pathname);
        if (!path.startsWith(base)) return isServed(path) ? '' : 'no such page';
        const target = path.slice(base.length).replace(/(^|\/)$/, '$1index.html');
        if (!existsSync(join(folder, target))) return 'no such page';
        const anchor = decodeURIComponent(hash.slice(1));
        return !anchor || anchors.get(target)?.has(anchor) ? '' : 'no such anchor';
      }
    }),
  );
}

/** @param {string} folder */
function htmlFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => file.split('\\').join(posix.sep));
}

/** @param {string} html */
function anchorsOf(html) {
  return new Set([...html.matchAll(/<\w[^>]*? id="([^"]+)"/g)].map(([, id = '']) => unescape(id)));
}

/** @param {string} html */
function linksOf(html) {
  return [...html.matchAll(/<(\w+)\b[^>]*? (?:href|src)="([^"]*)"/g)].map(([, tag = '', url = '']) => ({
    tag,
    url: unescape(url),
  }));
}

/** @param {string} text */
function unescape(text) {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
