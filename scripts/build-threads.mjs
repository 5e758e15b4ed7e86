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

/** The two programs with which the testing kit records a page. */
const RECORDER = /** @type {const} */ ([
  {
    entry: 'src/testing/page/page-recorder.ts',
    name: 'pageRecorderSource',
    meaning: 'The recorder in the page: declares `pageRecorder`, whose member `installPageRecorder` starts it.',
    options: { name: 'pageRecorder' },
  },
  {
    entry: 'src/testing/tap/tap.worklet.ts',
    name: 'recorderSource',
    meaning: 'The recorder on the audio thread: the content of the file at `recorderUrl`.',
    options: {},
  },
]);

/** Generated file with the sources as strings, for pages that load the threads from blobs. Not committed. */
const GENERATED = 'src/launch/thread-sources.generated.ts';
/** The same for the programs of the testing kit. */
const GENERATED_RECORDER = 'src/testing/recorder-sources.generated.ts';

/** Language version that all supported browsers run. */
const TARGET = 'es2022';

/** Bundlers turn files smaller than this into `data:` URLs, which a strict content security policy does not allow. */
const INLINE_LIMIT_BYTES = 4096;

const HEAD = '// Written by scripts/build-threads.mjs. Do not edit, do not commit.\n';

/**
 * Bundles both thread files, and writes the same text to `dist/threads/` (files that users may copy, each with a source
 * map) and to `src/launch/thread-sources.generated.ts`. Writes the programs of the testing kit to
 * `src/testing/recorder-sources.generated.ts`.
 *
 * @throws {Error} If a bundle is not a self-contained classic script, or a thread file so small that bundlers would
 *   inline it.
 */
export async function buildThreads() {
  let generated = HEAD;
  for (const { entry, file, name, meaning } of THREADS) {
    const minify = { compress: { target: TARGET }, mangle: { toplevel: true } };
    const { code, map } = await bundle(entry, { file, sourcemap: 'hidden', minify });
    if (code.length < INLINE_LIMIT_BYTES) throw new Error(`${file} is so small that bundlers would inline it.`);
    await writeIfChanged(`${file}.map`, JSON.stringify(map));
    await writeIfChanged(file, `${code}\n//# sourceMappingURL=${basename(file)}.map\n`);
    generated += declaration(name, meaning, entry, code);
  }
  await writeIfChanged(GENERATED, generated);
  let recorder = HEAD;
  for (const { entry, name, meaning, options } of RECORDER) {
    const { code } = await bundle(entry, options);
    recorder += declaration(name, meaning, entry, code);
  }
  await writeIfChanged(GENERATED_RECORDER, recorder);
}

/**
 * @param {string} name
 * @param {string} meaning
 * @param {string} entry
 * @param {string} code
 */
function declaration(name, meaning, entry, code) {
  const comment = `/** ${meaning} A self-contained script, bundled from \`${entry}\`. */`;
  return `\n${comment}\nexport const ${name}: string = ${JSON.stringify(code)};\n`;
}

/**
 * @param {string} entry
 * @param {import('rolldown').OutputOptions} options - Paths in the source map are relative to `file`.
 */
async function bundle(entry, options) {
  /** @type {string[]} */
  const warnings = [];
  const bundler = await rolldown({
    cwd: ROOT,
    input: entry,
    transform: { target: TARGET },
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    onLog: (_level, { message }) => warnings.push(message),
  });
  const { output } = await bundler.generate({ format: 'iife', comments: false, ...options });
  await bundler.close();
  const [{ code, map, imports }] = output;
  if (imports.length > 0) throw new Error(`${entry} still imports ${imports.join(', ')} once bundled.`);
  if (warnings.length > 0) throw new Error(`${entry} bundles with warnings: ${warnings.join('; ')}`);
  // A classic script: a remaining `import` or `export` would be a syntax error here.
  void new Script(code, { filename: entry });
  return { code, map };
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
