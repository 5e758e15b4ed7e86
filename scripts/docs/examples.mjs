import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';

/** Folder of the files that the pages show, relative to the root. Tests run every one of them. */
export const EXAMPLES = 'docs/examples';

/** Files beside the examples that no page shows. `vendors` has packages of its own. */
const OTHERS = /(^|[\\/])(node_modules[\\/].*|tsconfig\.json|package(-lock)?\.json|\.npmrc)$/;

/** Languages of which the pages show only tested code. */
const CODE = new Set(['js', 'jsx', 'ts', 'tsx', 'html', 'vue', 'svelte']);

/** Pages outside of `docs/`, relative to the root. */
const PAGES_ELSEWHERE = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'service/README.md'];

/** @typedef {{ page: string, line: number, language: string, code: string }} Block A block of code on a page. */

/** Returns the example files, relative to {@link EXAMPLES}. */
export function exampleFiles() {
  return readdirSync(join(ROOT, EXAMPLES), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(ROOT, EXAMPLES).length + 1))
    .filter((file) => !OTHERS.test(file))
    .toSorted();
}

/**
 * Returns the parts of a file that a page may show: the whole file without the comments that mark its regions, or one
 * region.
 *
 * @param {string} text - A region is between `#region NAME` and `#endregion`, each in a comment on its own line.
 * @returns {string[]}
 */
export function piecesOf(text) {
  const regions = [...text.matchAll(/^.*#region .*\n([^]*?)^.*#endregion.*\n/gm)].map(([, region = '']) =>
    dedent(region),
  );
  return [text.replaceAll(/^.*#(?:end)?region\b.*\n/gm, '').trimEnd(), ...regions];
}

/** @param {string} text */
function dedent(text) {
  const lines = text.trimEnd().split('\n');
  const indent = Math.min(...lines.filter(Boolean).map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent)).join('\n');
}

/** Returns the pages that people read, relative to the root, without generated ones. */
export function pages() {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/^(node_modules|reference|examples)[\\/]/.test(file))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`);
  return [...PAGES_ELSEWHERE, ...docs.toSorted()];
}

/**
 * @param {string} page - Name of the page.
 * @param {string} text
 * @returns {Block[]}
 */
export function blocksOf(page, text) {
  return [...text.matchAll(/^( *)(`{3,})([\w-]*)[^\n]*\n([^]*?)^\1\2$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: match[3] ?? '',
    code: dedent(match[4] ?? ''),
  }));
}

/**
 * Returns the code blocks that are in none of the example files.
 *
 * @param {Block[]} blocks
 * @param {string[]} examples - Texts of the files.
 * @returns {string[]} One line per block.
 */
export function unknownBlocks(blocks, examples) {
  const known = new Set(examples.flatMap(piecesOf));
  return blocks
    .filter(({ language, code }) => CODE.has(language) && !known.has(code))
    .map(({ page, line, language }) => `${page}:${line}: this ${language} is not in ${EXAMPLES}`);
}

/** Compares all pages with all examples. */
export function checkExamples() {
  const blocks = pages().flatMap((page) => blocksOf(page, readFileSync(join(ROOT, page), 'utf8')));
  return unknownBlocks(
    blocks,
    exampleFiles().map((file) => readFileSync(join(ROOT, EXAMPLES, file), 'utf8')),
  );
}
