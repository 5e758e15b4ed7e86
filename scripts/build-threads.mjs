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
    name: 'connectionWorkerSource',
    meaning: 'The worker that owns the socket.',
  },
  {
    entry: 'worklet/speaker.worklet.ts',
    file: 'dist/threads/speaker.worklet.js',
    name: 'speakerWorkletSource',
    meaning: 'The processor on the audio thread.',
  },
]);

/** Generated file with the sources as strings, for pages that load the threads from blobs. Not committed. */
const GENERATED = 'src/launch/thread-sources.generated.ts';

/** Language version that all supported browsers run. */
const TARGET = 'es2022';

/** Bundlers turn files smaller than this into `data:` URLs, which a strict content security policy does not allow. */
const INLINE_LIMIT_BYTES = 4096;

/**
 * Bundles both thread files, and writes the same text to `dist/threads/` (files that users may copy, each with a source
 * map) and to `src/launch/thread-sources.generated.ts`.
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
 * @param {string} file - Output path; the paths in the source map are relative to it.
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
  // A classic script: a remaining `import` or `export` would be a syntax error here.
  void new Script(code, { filename: entry });
  return { code, map: JSON.stringify(map) };
}

/**
 * Writes a file only if its content has changed, so that incremental compilers and watchers do not see a change.
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
