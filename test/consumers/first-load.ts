import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

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
