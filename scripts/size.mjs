/** Measures what a page loads, with the gzip it comes in, and fails past the limits below. Needs a build in `dist/`. */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from './root.mjs';

/** What a page may load before first play, Lit included: bytes after gzip. Raise it only in the change that needs it. */
const PAGE_LIMIT = 20_000;
/**
 * Both thread files together, after gzip. (12 KiB until speech could move to another output while it plays, and texts could
 * come bit by bit; 12.5 until a socket that stays silent, or is forbidden, was given up.)
 */
const THREADS_LIMIT = 12_900;
const THREAD_FILES = ['dist/threads/session.worker.js', 'dist/threads/speaker.worklet.js'];
/** Is for pages that ask for it, and loaded when they do. */
const OPTIONAL_PACKAGE = 'standardized-audio-context';
const ENTRY = 'dist/define.js';

/** @type {string[]} */
const problems = [];
await measurePage();
measureThreads();
for (const problem of problems) console.error(`✖ ${problem}`);
if (problems.length > 0) process.exitCode = 1;

/** What a bundler makes of `import 'svc-speaker/define.js'`: the entry with all it needs at once, and what can wait. */
async function measurePage() {
  const outdir = join(ROOT, '.cache', 'size');
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const { outputs } = metafile;
  const first = new Set(Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === ENTRY));
  // A set may grow while it is walked: so this follows static imports of static imports.
  for (const file of first) {
    for (const { kind, path } of outputs[file]?.imports ?? []) if (kind === 'import-statement') first.add(path);
  }

  report('before first play, Lit included', [...first], PAGE_LIMIT);
  console.log(`  minified: ${shares([...first].flatMap((file) => Object.entries(outputs[file]?.inputs ?? {})))}`);
  for (const file of Object.keys(outputs).filter((name) => !first.has(name))) {
    console.log(
      `  later, when needed: ${kilobytes(gzipped(file))} (${shares(Object.entries(outputs[file]?.inputs ?? {}))})`,
    );
  }
  for (const file of first) {
    const inputs = Object.keys(outputs[file]?.inputs ?? {});
    if (inputs.some((input) => input.includes(OPTIONAL_PACKAGE)))
      problems.push(`${OPTIONAL_PACKAGE} is not left for later.`);
  }
}

/** The thread files, which are the same bytes whether they are inlined or copied. */
function measureThreads() {
  report('thread files', THREAD_FILES, THREADS_LIMIT);
  for (const file of THREAD_FILES) {
    console.log(`  ${file}: ${kilobytes(gzipped(file))}`);
    if (readFileSync(join(ROOT, file), 'utf8').includes(OPTIONAL_PACKAGE))
      problems.push(`${OPTIONAL_PACKAGE} is in ${file}.`);
  }
}

/**
 * @param {string} what
 * @param {string[]} files
 * @param {number} limit
 */
function report(what, files, limit) {
  const bytes = files.reduce((sum, file) => sum + gzipped(file), 0);
  console.log(`${what}: ${kilobytes(bytes)} of ${kilobytes(limit)} (gzip)`);
  if (bytes > limit) problems.push(`${what}: ${bytes} bytes after gzip, ${bytes - limit} too many.`);
}

/** @param {string} file */
function gzipped(file) {
  return gzipSync(readFileSync(join(ROOT, file)), { level: 9 }).length;
}

/** 1 kB is 1000 bytes. @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(2)} kB`;
}

/**
 * Which room or package has how much of a bundle, largest first.
 *
 * @param {[string, { bytesInOutput: number }][]} inputs
 */
function shares(inputs) {
  /** @type {Map<string, number>} */
  const bytes = new Map();
  for (const [path, { bytesInOutput }] of inputs) {
    const owner = /node_modules\/((?:@[^/]+\/)?[^/]+)|^dist\/([^/.]+)/.exec(path);
    const name = owner?.[1] ?? owner?.[2] ?? path;
    bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
  }
  const largest = [...bytes].toSorted(([, a], [, b]) => b - a).filter(([, size]) => size > 0);
  return largest.map(([name, size]) => `${name} ${kilobytes(size)}`).join(', ');
}
