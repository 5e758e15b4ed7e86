import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { ROOT } from './root.mjs';

/** The two programs that run outside the page's main thread. */
const THREADS = [
  {
    entry: 'src/session/session.worker.ts',
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
];

/** Where the sources go as strings, for pages that load the threads from blobs. Not committed. */
const GENERATED = 'src/output/threads.generated.ts';

/**
 * Bundles both thread files: readable to `dist/threads/` (the files users may copy), minified into
 * `src/output/threads.generated.ts`.
 *
 * @throws {Error} If a bundle is not a self-contained classic script.
 */
export async function buildThreads() {
  let generated = '// Written by scripts/build-threads.mjs. Do not edit, do not commit.\n';
  for (const { entry, file, name, meaning } of THREADS) {
    const [readable, minified] = await Promise.all([bundle(entry, false), bundle(entry, true)]);
    await writeIfChanged(file, readable);
    generated += `\n/** ${meaning} A self-contained script, minified from \`${entry}\`. */\n`;
    generated += `export const ${name}: string = ${JSON.stringify(minified)};\n`;
  }
  await writeIfChanged(GENERATED, generated);
}

/**
 * @param {string} entry
 * @param {boolean} minify
 */
async function bundle(entry, minify) {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: 'thread.js',
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const code = result.outputFiles[0]?.text ?? '';
  const left = Object.values(result.metafile.outputs).flatMap((output) => output.imports.map((one) => one.path));
  if (left.length > 0) throw new Error(`${entry} still imports ${left.join(', ')} once bundled.`);
  if (result.warnings.length > 0) throw new Error(`${entry} bundles with warnings; see above.`);
  // A classic script: an `import` or `export` that is left over does not even parse here.
  void new Script(code, { filename: entry });
  return code;
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
