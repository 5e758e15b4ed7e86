import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { build, transform } from 'esbuild';
import { ROOT } from './root.mjs';

/** What a page may load before first play, Lit included: bytes after gzip. Raise it only in the change that needs it. */
const PAGE_LIMIT = 20_000;
/** Both thread files together: bytes after gzip. */
const THREADS_LIMIT = 12_000;
/** Belongs to pages that ask for it, and is loaded when they do. */
const OPTIONAL_PACKAGE = 'standardized-audio-context';

/** @type {string[]} */
const problems = [];
await measurePage();
await measureThreads();
for (const problem of problems) console.error(`✖ ${problem}`);
if (problems.length > 0) process.exitCode = 1;

/** What a bundler makes of `import 'svc-speaker/define.js'`: the entry with all it needs at once, and what can wait. */
async function measurePage() {
  const outdir = join(ROOT, '.cache', 'size');
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['dist/define.js'],
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
  const entry =
    Object.keys(metafile.outputs).find((file) => metafile.outputs[file]?.entryPoint === 'dist/define.js') ?? '';
  const first = new Set([entry]);
  for (const file of first) {
    for (const { kind, path } of metafile.outputs[file]?.imports ?? [])
      if (kind === 'import-statement') first.add(path);
  }
  const later = Object.keys(metafile.outputs).filter((file) => !first.has(file));

  report('before first play, Lit included', sum([...first]), PAGE_LIMIT);
  for (const file of later)
    console.log(`  later, when needed: ${kilobytes(sum([file]))} ${contents(metafile.outputs[file])}`);
  for (const file of first) {
    const inputs = Object.keys(metafile.outputs[file]?.inputs ?? {});
    if (inputs.some((input) => input.includes(OPTIONAL_PACKAGE))) {
      problems.push(`${OPTIONAL_PACKAGE} is loaded before it is needed.`);
    }
  }
}

/** The thread files as a page with `worker-url` and `worklet-url` gets them, and minified as they are inlined. */
async function measureThreads() {
  const files = ['session.worker.js', 'speaker.worklet.js'].map((name) => `dist/threads/${name}`);
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const minified = await Promise.all(texts.map((text) => transform(text, { minify: true, target: 'es2022' })));
  report(
    'thread files',
    texts.reduce((bytes, text) => bytes + gzipped(text), 0),
    THREADS_LIMIT,
  );
  files.forEach((file, index) => {
    const small = gzipped(minified[index]?.code ?? '');
    console.log(`  ${file}: ${kilobytes(gzipped(texts[index] ?? ''))}, minified ${kilobytes(small)}`);
  });
  if (texts.some((text) => text.includes(OPTIONAL_PACKAGE))) problems.push(`${OPTIONAL_PACKAGE} is in a thread file.`);
}

/**
 * @param {string} what
 * @param {number} bytes
 * @param {number} limit
 */
function report(what, bytes, limit) {
  console.log(`${what}: ${kilobytes(bytes)} of ${kilobytes(limit)} (gzip)`);
  if (bytes > limit) problems.push(`${what}: ${bytes} bytes, ${bytes - limit} too many.`);
}

/** @param {string[]} files */
function sum(files) {
  return files.reduce((bytes, file) => bytes + gzipped(readFileSync(join(ROOT, file), 'utf8')), 0);
}

/** @param {string} text */
function gzipped(text) {
  return gzipSync(text, { level: 9 }).length;
}

/** 1 kB is 1000 bytes. @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(2)} kB`;
}

/**
 * What a chunk is mostly made of.
 *
 * @param {import('esbuild').Metafile['outputs'][string] | undefined} output
 */
function contents(output) {
  const inputs = Object.entries(output?.inputs ?? {});
  const [largest = ['nothing']] = inputs.toSorted(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
  return `(${largest[0]})`;
}
