import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';

const SCRIPT = fileURLToPath(import.meta.url);
const CACHE = fileURLToPath(new URL('../.cache/', import.meta.url));

/** Time limit, in milliseconds. It takes 3 s, and took more than two minutes beside other work of high priority. */
const MAKE_TIMEOUT_MS = 900_000;

/**
 * Writes an empty embedded database, packed, to `path`. `service/src/store/template.ts` unpacks it, so that the service
 * need not run `initdb`, which takes 2.5 s and 500 MB of memory that is never freed.
 *
 * The database is created once per version of PGlite and of this file, and cached in `.cache`. Builds may run in
 * parallel.
 *
 * @param {string} path - Path of the packed database.
 * @throws {Error} If it cannot be created.
 */
export async function writeEmbeddedTemplate(path) {
  const cached = join(CACHE, `embedded-template-${recipe()}.br`);
  if (!existsSync(cached)) {
    mkdirSync(CACHE, { recursive: true });
    const made = `${cached}.${process.pid}`;
    // A separate process, so that its memory is freed at the end.
    await promisify(execFile)(process.execPath, [SCRIPT, made], { timeout: MAKE_TIMEOUT_MS });
    renameSync(made, cached);
  }
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(cached, path);
}

/** Returns the cache key: everything that determines the template. */
function recipe() {
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(readFileSync(join(dirname(pglite), '..', 'package.json'), 'utf8'));
  return `${version}-${createHash('sha256').update(readFileSync(SCRIPT)).digest('hex').slice(0, 8)}`;
}

/**
 * Creates the database and writes it, packed.
 *
 * @param {string} path - Path of the packed database.
 */
async function make(path) {
  const { PGlite } = await import('@electric-sql/pglite');
  const folder = mkdtempSync(join(tmpdir(), 'svc-template-'));
  try {
    // Small WAL segments: they are most of the size of an idle database.
    const engine = await PGlite.create(folder, { initDbStartParams: ['--wal-segsize=1'] });
    // No further database is created in it, so the templates are not needed; each has 7 MB and 300 files.
    for (const name of ['template0', 'template1']) {
      await engine.query('update pg_database set datistemplate = false where datname = $1', [name]);
      await engine.query(`drop database ${name}`);
    }
    await engine.query('vacuum freeze');
    await engine.query('checkpoint');
    await engine.close();
    writeFileSync(path, pack(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Packs a folder: the length of the list (uint32, big endian), the list as JSON (`[path, bytes]`, -1 for a folder),
 * then the contents; all compressed with Brotli.
 *
 * @param {string} folder - Folder of the database.
 */
function pack(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const contents = entry.isFile() ? readFileSync(path) : null;
    return { path: relative(folder, path).split(sep).join('/'), contents };
  });
  entries.sort((a, b) => (a.path < b.path ? -1 : 1)); // folders precede their contents
  const list = Buffer.from(JSON.stringify(entries.map(({ path, contents }) => [path, contents?.length ?? -1])));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(list.length);
  return brotliCompressSync(Buffer.concat([length, list, ...entries.flatMap(({ contents }) => contents ?? [])]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}

if (process.argv[1] === SCRIPT) await make(process.argv[2] ?? '');
