import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/**
 * Copies the declarations that `index.d.ts` needs, directly or indirectly.
 *
 * @param {string} from - Folder of the declarations of all modules.
 * @param {string} to - Folder of the package's `index.js`.
 * @throws {Error} If a declaration needs a file outside of `from`, which the package does not contain.
 */
export async function copyTypes(from, to) {
  const files = new Set([join(from, 'index.d.ts')]);
  // The loop also visits files that are added to the set meanwhile.
  for (const file of files) {
    const path = relative(from, file);
    if (path.startsWith('..')) throw new Error(`The types of svc-service need ${file}, which is not in the package.`);
    const text = await readFile(file, 'utf8');
    for (const [, module] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)) {
      files.add(join(dirname(file), `${module}.d.ts`));
    }
    await mkdir(dirname(join(to, path)), { recursive: true });
    await writeFile(join(to, path), text);
  }
}
