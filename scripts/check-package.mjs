import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/**
 * Checks what was built, before anybody packs it: every file that `package.json` promises is there, thread files load
 * as they are, and no path of this machine slipped in.
 *
 * @throws {Error} With all that is wrong.
 */
export async function checkPackage() {
  const files = (await readdir(join(ROOT, 'dist'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll('\\', '/'),
    );
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const promised = targets(manifest.exports).concat(manifest.types, manifest.customElements);

  const problems = promised
    .filter((target) => !isThere(target.replace(/^\.\//, ''), files))
    .map((target) => `package.json names ${target}, which was not built.`);
  for (const file of files) {
    const text = await readFile(join(ROOT, file), 'utf8');
    if (text.includes(ROOT) || text.includes('file://')) problems.push(`${file} holds a path of this machine.`);
  }
  if (problems.length > 0) throw new Error(['the package is not whole.', ...problems].join('\n  '));
}

/**
 * All paths in a value of `exports`, whatever the conditions.
 *
 * @param {unknown} value
 * @returns {string[]}
 */
function targets(value) {
  if (typeof value === 'string') return [value];
  return Object.values(value ?? {}).flatMap(targets);
}

/**
 * @param {string} target - Path from the root; may hold one `*`.
 * @param {string[]} files - What was built.
 */
function isThere(target, files) {
  const [before = '', after] = target.split('*');
  if (after === undefined) return existsSync(join(ROOT, target));
  return files.some((file) => file.startsWith(before) && file.endsWith(after));
}
