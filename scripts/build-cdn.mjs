import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from './root.mjs';

/** Folder of the files that a page can load from a CDN, without a bundler or an import map. */
const FOLDER = 'dist/cdn';

/** Import specifiers of rarely loaded modules, and the separate files that contain them. */
const RARE = new Map([
  ['standardized-audio-context', 'standardized-audio-context.js'],
  ['./decode-audio.js', 'decode-audio.js'],
  ['./other-audio.js', 'other-audio.js'],
  ['./read-text.js', 'read-text.js'],
  ['../speakable/lexicon.js', 'lexicon.js'],
  ['./markdown.js', 'markdown.js'],
  ['../playback/words.js', 'words.js'],
  ['./web-vtt.js', 'web-vtt.js'],
  ['../protocol/check-dialect.js', 'check-dialect.js'],
]);

/**
 * Bundles `dist/cdn/svc-speaker.js`, which registers the element and has the exports of `svc-speaker`, and the files of
 * `RARE`. Writes the licences of the bundled packages to `dist/cdn/LICENSES.txt`.
 *
 * @throws {Error} If a bundle still needs a package, or contains one without a licence file.
 */
export async function buildCdn() {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const banner = `/*! svc-speaker ${version}, MIT License. What this file contains of others is listed in LICENSES.txt beside it. */`;
  const files = await Promise.all([
    bundle('svc-speaker.js', `import './define.js'; export * from './index.js';`, banner, RARE),
    bundle('standardized-audio-context.js', `export * from 'standardized-audio-context';`, banner, new Map()),
    bundle('decode-audio.js', `export * from './launch/decode-audio.js';`, banner, RARE),
    bundle('other-audio.js', `export * from './launch/other-audio.js';`, banner, new Map()),
    bundle('read-text.js', `export * from './element/read-text.js';`, banner, RARE),
    bundle('lexicon.js', `export * from './speakable/lexicon.js';`, banner, new Map()),
    bundle('web-vtt.js', `export * from './element/web-vtt.js';`, banner, new Map()),
    bundle('words.js', `export * from './playback/words.js';`, banner, new Map()),
    bundle('check-dialect.js', `export * from './protocol/check-dialect.js';`, banner, new Map()),
    bundle('markdown.js', `export * from './speakable/markdown.js';`, banner, new Map()),
  ]);
  const packages = new Set(files.flat().flatMap(packageOf));
  const licences = await Promise.all([...packages].toSorted().map(licenceOf));
  await writeFile(join(ROOT, FOLDER, 'LICENSES.txt'), licences.join(`\n\n${'-'.repeat(80)}\n\n`));
}

/**
 * @param {string} file
 * @param {string} contents - Source text of a module in `dist`.
 * @param {string} banner
 * @param {Map<string, string>} beside - Modules that have a separate file in the same folder.
 * @returns {Promise<string[]>} Paths of the bundled modules.
 */
async function bundle(file, contents, banner, beside) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    stdin: { contents, resolveDir: join(ROOT, 'dist'), sourcefile: file },
    outfile: join(FOLDER, file),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    banner: { js: banner },
    metafile: true,
    logLevel: 'warning',
    plugins: [
      {
        name: 'beside',
        setup({ onResolve }) {
          onResolve({ filter: /^/ }, ({ path }) =>
            beside.has(path) ? { path: `./${beside.get(path)}`, external: true } : undefined,
          );
        },
      },
    ],
  });
  return Object.keys(metafile.inputs);
}

/** @param {string} path */
function packageOf(path) {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1] ?? [];
}

/** @param {string} name - Name of a package. */
async function licenceOf(name) {
  const folder = join(ROOT, 'node_modules', name);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file, so ${FOLDER} must not contain it.`);
  return `${name}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildCdn();
