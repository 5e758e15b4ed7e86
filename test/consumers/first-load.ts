import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Limit of our own files in `npm run size`, in kB after gzip. */
const [, OWN_LIMIT] = /define\.js',\n +limit: '([\d.]+) kB'/.exec(
  readFileSync(new URL('../../scripts/checks/.size-limit.mjs', import.meta.url), 'utf8'),
)!;

/** Limit of the first load of an app in bytes after gzip: that, and the code of the bundler and of the page. */
export const FIRST_LOAD_LIMIT = 1000 * Number(OWN_LIMIT) + 1_750;

const SCRIPTS = /<script[^>]* src="\/?([^"]+)"/g;
/** Static imports. Dynamic imports have a parenthesis after the keyword, so they do not match. */
const IMPORTS = /(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g;

/** Returns how much JavaScript a built page loads before the first speech, in bytes after gzip. */
export async function firstLoadBytes(folder: string, page: string): Promise<number> {
  const html = await readFile(join(folder, page), 'utf8');
  const files = new Set([...html.matchAll(SCRIPTS)].map(([, file]) => file!));
  let bytes = 0;
  // The iteration includes files that are added during it, so imports of imports are counted too.
  for (const file of files) {
    const script = await readFile(join(folder, file));
    bytes += gzipSync(script, { level: 9 }).length;
    for (const [, path] of script.toString().matchAll(IMPORTS)) files.add(join(file, '..', path!));
  }
  return bytes;
}
