import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findBuiltFile } from './built-file.js';

/** A file of a template, or a folder, whose contents are `null`. Folders precede their contents. */
export interface TemplateEntry {
  /** Path relative to the database's folder, with `/`. */
  readonly path: string;
  readonly contents: Uint8Array | null;
}

/**
 * Reads the empty database that comes with the service: 13 MB.
 *
 * @returns `null` if it has not been built.
 */
export function readTemplate(): readonly TemplateEntry[] | null {
  const path = findBuiltFile('embedded-template.br');
  if (path === null) return null;
  const packed = brotliDecompressSync(readFileSync(path));
  const listBytes = packed.readUInt32BE(0);
  let offset = 4 + listBytes;
  const list = JSON.parse(packed.toString('utf8', 4, offset)) as [path: string, bytes: number][];
  return list.map(([name, bytes]) => {
    if (bytes < 0) return { path: name, contents: null };
    const contents = packed.subarray(offset, offset + bytes);
    offset += bytes;
    return { path: name, contents };
  });
}

/** Writes a template into an existing empty folder. */
export function unpackTemplate(template: readonly TemplateEntry[], folder: string): void {
  for (const { path, contents } of template) {
    if (contents) writeFileSync(join(folder, path), contents, { mode: 0o600 });
    else mkdirSync(join(folder, path), { mode: 0o700 });
  }
}
