import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { rolldown } from 'rolldown';
import { ROOT } from './root.mjs';

/** The two programs that run outside the page's main thread. */
const THREADS = /** @type {const} */ ([
  {
    entry: 'src/connection/connection.worker.ts',
    file: 'dist/threads/session.worker.js',
    name: 'sessionWorkerSource',
    meaning: 'The worker that owns the socket.',
  },
  {
    entry: 'worklet/speaker.worklet.ts',
    file: 'dist/threads/speaker.worklet.js',
    name: 'speakerWorkletSource',
    meaning: 'The processor on the audio thread.',
  },
]);

/** Where the sources go as strings, for pages that load the threads from blobs. Not committed. */
const GENERATED = 'src/launch/thread-sources.generated.ts';

/** What the browsers that are supported run as it is. */
const TARGET = 'es2022';

/** Bundlers turn files smaller than this into `data:` URLs, which no strict content security policy lets through. */
const INLINE_LIMIT_BYTES = 4096;

/**
 * Bundles both thread files, and writes the same text to `dist/threads/` (the files users may copy, each with a source
 * map) and into `src/launch/thread-sources.generated.ts`.
 *
 * @throws {Error} If a bundle is not a self-contained classic script, or so small that bundlers would inline it.
 */
export async function buildThreads() {
  let generated = '// Written by scripts/build-threads.mjs. Do not edit, do not commit.\n';
  for (const { entry, file, name, meaning } of THREADS) {
    const { code, map } = await bundle(entry, file);
    await writeIfChanged(`${file}.map`, map);
    await writeIfChanged(file, `${code}\n//# sourceMappingURL=${basename(file)}.map\n`);
    generated += `\n/** ${meaning} A self-contained script, bundled from \`${entry}\`. */\n`;
    generated += `export const ${name}: string = ${JSON.stringify(code)};\n`;
  }
  await writeIfChanged(GENERATED, generated);
}

/**
 * @param {string} entry
 * @param {string} file - Where it will be; the source map leads from there to the sources.
 */
async function bundle(entry, file) {
  /** @type {string[]} */
  const warnings = [];
  const bundler = await rolldown({
    cwd: ROOT,
    input: entry,
    transform: { target: TARGET },
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    onLog: (_level, { message }) => warnings.push(message),
  });
  const { output } = await bundler.generate({
    file,
    format: 'iife',
    sourcemap: 'hidden',
    comments: false,
    minify: {
      compress: { target: TARGET },
      mangle: { toplevel: true },
    },
  });
  await bundler.close();
  const [{ code, map, imports }] = output;
  if (imports.length > 0) throw new Error(`${entry} still imports ${imports.join(', ')} once bundled.`);
  if (warnings.length > 0) throw new Error(`${entry} bundles with warnings: ${warnings.join('; ')}`);
  if (code.length < INLINE_LIMIT_BYTES) throw new Error(`${file} is so small that bundlers would inline it.`);
  // A classic script: an `import` or `export` that is left over does not even parse here.
  void new Script(code, { filename: entry });
  return { code, map: JSON.stringify(map) };
}

/**
 * Leaves an unchanged file alone, so that incremental compilers and watchers see no change either.
 *
 * @param {string} file
 * @param {string} text
 */
async function writeIfChanged(file, text) {
  const path = join(ROOT, file);
  if ((await readFile(path, 'utf8').catch(() => null)) === text) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildThreads();
