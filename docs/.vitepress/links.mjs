import { existsSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { sitePath } from './pages.mjs';

/** Matches links to the web and within the page. */
const NOT_RELATIVE = /^([a-z][a-z\d+.-]*:|[/#])/i;

/**
 * markdown-it plugin: the pages link to each other, and to sources, as the repository has them, so that they can be
 * followed there. On the site a page has another path, and a source is only named.
 *
 * @param {any} md - The renderer.
 * @param {{ root: string, isPage: (file: string) => boolean }} options - Folder of the repository, and what it has that
 *   is on the site.
 * @throws {Error} While rendering, if a link leads nowhere.
 */
export function repositoryLinks(md, { root, isPage }) {
  md.core.ruler.push('repository-links', (/** @type {any} */ state) => {
    const page = state.env.realPath ?? state.env.path;
    for (const { children } of state.tokens) {
      for (const [index, token] of (children ?? []).entries()) {
        if (token.type !== 'link_open') continue;
        const href = token.attrGet('href');
        if (NOT_RELATIVE.test(href)) continue;
        const [path, hash = ''] = href.split(/(?=#)/);
        const target = resolve(dirname(page), decodeURI(path));
        const file = relative(root, target).split(sep).join('/');
        const document = path.endsWith('/') ? posix.join(file, 'README.md') : file;
        if (isPage(document)) token.attrSet('href', `/${sitePath(document)}${hash}`);
        else if (existsSync(join(root, file))) nameOnly(children, index, file);
        else throw new Error(`${relative(root, page)} links to ${href}, which is not there.`);
      }
    }
  });
}

/** Makes the link at `index` a mere name of a file. */
function nameOnly(/** @type {any[]} */ children, /** @type {number} */ index, /** @type {string} */ file) {
  const open = children[index];
  const close = children.slice(index).find(({ type }) => type === 'link_close');
  for (const token of [open, close]) token.tag = 'span';
  for (const [token, type] of [
    [open, 'source_open'],
    [close, 'source_close'],
  ])
    token.type = type;
  open.attrs = [
    ['class', 'source-file'],
    ['title', `In the repository: ${file}`],
  ];
}
