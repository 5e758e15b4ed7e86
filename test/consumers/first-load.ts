import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const SCRIPTS = /<script[^>]* src="\/?([^"]+)"/g;
/** An import of what is needed at once; one of what can wait has a parenthesis. */
const IMPORTS = /(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g;

/** Bytes of JavaScript, after gzip, that a built page loads before anybody speaks. */
export async function firstLoadBytes(folder: string, page: string): Promise<number> {
  const html = await readFile(join(folder, page), 'utf8');
  const files = new Set([...html.matchAll(SCRIPTS)].map(([, file]) => file!));
  let bytes = 0;
  // A set may grow while it is walked: so this follows imports of imports.
  for (const file of files) {
    const script = await readFile(join(folder, file));
    bytes += gzipSync(script, { level: 9 }).length;
    for (const [, path] of script.toString().matchAll(IMPORTS)) files.add(join(file, '..', path!));
  }
  return bytes;
}
