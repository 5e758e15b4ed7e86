/**
 * `npm run docs:rooms`: writes the sizes into the table of rooms in docs/deployment.md. With `--check`, as in
 * `npm run size`, it fails instead if a size there differs by more than 0.3 kB. Reads the package as it was built.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { runNode } from './command.mjs';
import { ROOT } from './root.mjs';

const PAGE = join(ROOT, 'docs/deployment.md');
const TOLERANCE_KB = 0.3;
/** Entries of each thread, in the order of the columns. The elements, and what pages import beside them, are the first. */
const THREADS = [
  ['define', 'reader/index', 'inspector/index', 'dialects/index', 'react/index', 'vue/index'].map(
    (name) => `dist/${name}.js`,
  ),
  ['src/connection/connection.worker.ts'],
  ['worklet/speaker.worklet.ts'],
];
/** A row: the room, what it does, and its sizes. */
const ROW = /^\| `((?:src|worklet|lit|standardized)[^`]*)`( +\| .*?)((?: \| *[\d.–]+){3}) +\|$/gm;

/**
 * Returns the sizes of the rooms in a thread, in kB after gzip. A file that several rooms share counts for each by its part
 * of the bytes.
 *
 * @param {string[]} entryPoints
 */
async function sizesOf(entryPoints) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    outdir: 'rooms',
    external: ['react', 'vue'],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const { path: output, contents } of outputFiles) {
    const { inputs = {}, bytes = 1 } = metafile.outputs[relative(ROOT, output).split(sep).join('/')] ?? {};
    const ratio = gzipSync(contents).length / bytes;
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      // The thread files as text: they have columns of their own.
      if (path.includes('thread-sources')) continue;
      const room = roomOf(path);
      sizes.set(room, (sizes.get(room) ?? 0) + (bytesInOutput * ratio) / 1000);
    }
  }
  return sizes;
}

/** @param {string} path - Of a module. */
function roomOf(path) {
  if (path.includes('node_modules/')) return /node_modules\/@?lit\b/.test(path) ? 'lit' : 'standardized-audio-context';
  return path.replace(/^dist\//, 'src/').replace(/(\/[^/]+)?\/[^/]+$/, (_, folder = '') => folder);
}

/** @param {number | undefined} size */
const written = (size) => (size === undefined ? '–' : size.toFixed(1));

const threads = await Promise.all(THREADS.map(sizesOf));
const page = readFileSync(PAGE, 'utf8');
const isMissing = (/** @type {string} */ room) => `There is no row for \`${room}\`: say there what it does.`;
const problems = new Set(
  threads.flatMap((sizes) => [...sizes].filter(([, size]) => size > TOLERANCE_KB).map(([room]) => isMissing(room))),
);
const text = page.replaceAll(ROW, (_, room, meaning, cells) => {
  problems.delete(isMissing(room));
  const sizes = threads.map((thread) => thread.get(room));
  for (const [index, cell] of cells.split('|').slice(1).entries()) {
    const difference = Math.abs((sizes[index] ?? 0) - (Number.parseFloat(cell) || 0));
    if (difference > TOLERANCE_KB && process.argv.includes('--check')) {
      problems.add(`\`${room}\` has ${written(sizes[index])} kB, not ${cell.trim()}. Run npm run docs:rooms.`);
    }
  }
  return `| \`${room}\`${meaning} | ${sizes.map(written).join(' | ')} |`;
});
if (problems.size > 0) {
  console.error(`The table of rooms in docs/deployment.md does not match the build:\n${[...problems].join('\n')}`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, text);
  process.exitCode = await runNode(['scripts/check.mjs', 'format', 'docs/deployment.md']);
}
