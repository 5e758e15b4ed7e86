/** Writes the parts of documentation pages that programs generate: those between `<!-- NAME -->` and `<!-- end -->`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** Pages with such parts. */
const PAGES = ['docs/measurements.md', 'docs/performance.md', 'docs/operations.md'];
const END = '<!-- end -->';

/**
 * Returns a page with another text in a part.
 *
 * @param {string} page - Text of the page.
 * @param {string} name - Name of the part.
 * @param {string} text - Markdown, as the formatter would write it.
 * @returns {string | null} `null` if the page has no such part.
 */
export function withPart(page, name, text) {
  const [before, after] = page.split(`<!-- ${name} -->`);
  if (before === undefined || after === undefined) return null;
  const end = after.indexOf(END);
  if (end < 0) throw new Error(`The part "${name}" has no end: write ${END} behind it.`);
  return `${before}<!-- ${name} -->\n\n${text}\n\n${after.slice(end)}`;
}

/**
 * Writes a part into each page that has one of this name; prints a line if none has.
 *
 * @param {string} name
 * @param {string} text
 */
export function writePart(name, text) {
  let isWritten = false;
  for (const path of PAGES.map((page) => join(ROOT, page))) {
    const page = withPart(readFileSync(path, 'utf8'), name, text);
    if (page === null) continue;
    writeFileSync(path, page);
    isWritten = true;
  }
  if (!isWritten) console.log(`Not written: no page has a part <!-- ${name} -->.`);
}

/**
 * Returns rows as a table of Markdown, as the formatter writes it. Columns are the members of all rows, in their order;
 * `latencyMs` becomes "latency ms". A value that is `null`, `NaN`
 * or missing leaves its cell empty.
 *
 * @param {readonly Readonly<Record<string, unknown>>[]} rows - At least one.
 */
export function tableOf(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns.map(headingOf), ...rows.map((row) => columns.map((column) => cellOf(row[column])))];
  const widths = columns.map((_, index) => Math.max(3, ...cells.map((line) => (line[index] ?? '').length)));
  const lines = cells.map((line) => lineOf(line.map((cell, index) => cell.padEnd(widths[index] ?? 0))));
  return lines.toSpliced(1, 0, lineOf(widths.map((width) => '-'.repeat(width)))).join('\n');
}

/** @param {string} name */
function headingOf(name) {
  return /^[a-z]\w*$/.test(name) ? name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase() : name;
}

/** @param {unknown} value */
function cellOf(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('|', String.raw`\|`);
}

/** @param {readonly string[]} cells */
function lineOf(cells) {
  return `| ${cells.join(' | ')} |`;
}
