/**
 * `npm run wpt -- FOLDER [PART …]`: runs the media element tests of web-platform-tests in Chromium, with
 * `<svc-speaker>` in place of `<audio>` and `<video>`. FOLDER is a checkout of
 * https://github.com/web-platform-tests/wpt. Its folders `common`, `media`, `resources` and
 * `html/semantics/embedded-content/media-elements` are read. PARTs select the files whose path contains one of them.
 *
 * Tests that the browser's own elements do not pass here are left out. Each other test must pass or have a reason in
 * wpt/reasons.mjs; otherwise the command fails. `--write` writes the table into docs/measurements.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { runNode } from './command.mjs';
import { tableOf, writePart } from './docs-parts.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOT } from './root.mjs';
import { REASONS, RUN } from './wpt/reasons.mjs';

/**
 * @typedef {{ name: string, status: number, message: string | null }} Subtest Result of a test, as reported by
 *   testharness.js.
 */
/** @typedef {{ file: string, passed: Subtest[], explained: Map<string, Subtest[]>, failed: Subtest[] }} Outcome */

const TESTS = 'html/semantics/embedded-content/media-elements';
/** Time limit of a file. The harness itself stops after 10 s, or after 60 s if a test requests it. */
const FILE_TIMEOUT_MS = 75_000;
const PASSED = 0;
const TYPES = new Map([
  ['.html', 'text/html'],
  ['.htm', 'text/html'],
  ['.js', 'text/javascript'],
  ['.mp3', 'audio/mpeg'],
  ['.wav', 'audio/wav'],
]);
/** Cross-origin isolation, so that samples are shared with the audio thread. */
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

const [folder, ...rest] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const checkout = resolve(folder ?? '');
const absent = [TESTS, 'resources/testharness.js', 'common/media.js', 'media/sound_5.mp3'].find(
  (path) => !existsSync(join(checkout, path)),
);
if (folder === undefined || absent !== undefined) {
  console.error(
    `${folder === undefined ? 'No folder is named' : `${folder} has no ${absent}`}. Name a checkout of web-platform-tests:\n` +
      `  git clone --depth 1 --filter=blob:none --sparse https://github.com/web-platform-tests/wpt\n` +
      `  cd wpt && git sparse-checkout set common media resources ${TESTS}\n` +
      `  npm run wpt -- path/to/wpt`,
  );
  process.exit(2);
}

await ensureInstalled();
if ((await runNode(['scripts/build.mjs'])) !== 0) process.exit(1);
const adapter = await bundleAdapter();
const server = createServer((request, response) => answer(request.url ?? '/', response)).listen(0, '127.0.0.1');
await new Promise((listening) => server.once('listening', listening));
const address = server.address();
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

const files = readdirSync(join(checkout, TESTS), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.html?$/.test(file) && RUN.some((pattern) => pattern.test(file)))
  .filter((file) => readFileSync(join(checkout, TESTS, file), 'utf8').includes('testharness.js'))
  .filter((file) => rest.length === 0 || rest.some((part) => file.includes(part)))
  .toSorted();

const { chromium } = await import('playwright');
const browser = await chromium.launch({
  executablePath: (await ensureBrowser()) ?? '',
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  ignoreDefaultArgs: ['--mute-audio'],
});
/** @type {Outcome[]} */
const outcomes = [];
let silent = 0;
for (const file of files) {
  const native = await run(`native/${file}`);
  const passing = new Set(native.filter(({ status }) => status === PASSED).map(({ name }) => name));
  const subtests = await run(file);
  silent += subtests.filter(({ name }) => !passing.has(name)).length;
  const outcome = judge(file, passing.size === 0 ? [] : subtests.filter(({ name }) => passing.has(name)));
  outcomes.push(outcome);
  const explained = [...outcome.explained.values()].flat().length;
  console.log(`${outcome.passed.length} pass, ${explained} explained, ${outcome.failed.length} not: ${file}`);
  for (const { name, message } of outcome.failed) console.log(`    ${name}: ${message}`);
}
await browser.close();
server.close();

const failed = outcomes.flatMap((outcome) => outcome.failed).length;
const passed = outcomes.flatMap((outcome) => outcome.passed).length;
const explained = outcomes.flatMap((outcome) => [...outcome.explained.values()].flat()).length;
console.log(
  `${files.length} files: ${passed} tests pass, ${explained} do not and are not meant to, ${failed} fail; ` +
    `${silent} are left out`,
);
if (process.argv.includes('--write')) writeTable();
process.exitCode = failed > 0 ? 1 : 0;

/** Bundles the adapter with the element as a script that runs before those of the page. */
async function bundleAdapter() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'scripts', 'wpt', 'adapter.mjs')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * @param {string} url
 * @param {import('node:http').ServerResponse} response
 */
function answer(url, response) {
  const asked = normalize(decodeURIComponent(new URL(url, origin).pathname));
  // A test with the browser's own elements uses the same files.
  const path = asked.replace(`/${TESTS}/native/`, `/${TESTS}/`);
  if (path === '/svc-adapter.js') return send(response, '.js', adapter);
  // The page's driver reads the results. Tests with a video get sound instead.
  if (path === '/resources/testharnessreport.js') {
    return send(
      response,
      '.js',
      'add_completion_callback((tests, status) => (globalThis.svcResults = { tests, status }));',
    );
  }
  const file = join(checkout, path);
  if (!existsSync(file) || !extname(file)) return response.writeHead(404).end();
  const content = readFileSync(file);
  if (path.endsWith('/media.js')) {
    return send(response, '.js', `${content.toString()}\ngetVideoURI = () => getAudioURI('/media/sound_5');`);
  }
  if (path !== asked || !/\.html?$/.test(path)) return send(response, extname(path), content);
  const page = content
    .toString()
    .replaceAll(/<(\/?)(audio|video)\b/gi, '<$1svc-speaker')
    .replace(/<script/i, '<script src="/svc-adapter.js"></script><script');
  return send(response, '.html', page);
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {string} extension
 * @param {string | Buffer} content
 */
function send(response, extension, content) {
  const type = TYPES.get(extension) ?? 'application/octet-stream';
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(content), ...ISOLATED });
  response.end(content);
}

/**
 * @param {string} file
 * @returns {Promise<Subtest[]>}
 */
async function run(file) {
  const page = await browser.newPage();
  try {
    await page.goto(`${origin}/${TESTS}/${file}`);
    const results = await page.waitForFunction('globalThis.svcResults', undefined, { timeout: FILE_TIMEOUT_MS });
    const { tests, status } = await results.jsonValue();
    if (tests.length > 0) return tests;
    return [{ name: file, status: status.status, message: status.message ?? 'no test' }];
  } catch (error) {
    return [{ name: file, status: 1, message: error instanceof Error ? error.message : String(error) }];
  } finally {
    await page.close();
  }
}

/**
 * @param {string} file
 * @param {Subtest[]} subtests
 * @returns {Outcome}
 */
function judge(file, subtests) {
  /** @type {Outcome} */
  const outcome = { file, passed: [], explained: new Map(), failed: [] };
  const reasons = REASONS.filter(({ files: pattern }) => pattern.test(file));
  for (const subtest of subtests) {
    if (subtest.status === PASSED) {
      outcome.passed.push(subtest);
      continue;
    }
    const reason = reasons.find(({ tests }) => tests?.test(subtest.name) ?? true)?.why;
    if (reason === undefined) outcome.failed.push(subtest);
    else outcome.explained.set(reason, [...(outcome.explained.get(reason) ?? []), subtest]);
  }
  return outcome;
}

/** Replaces the table in the documentation page. */
function writeTable() {
  const rows = outcomes.flatMap(({ file, passed: good, explained: bad, failed: wrong }) => {
    const count = good.length + [...bad.values()].flat().length + wrong.length;
    const why = [...bad].map(([reason, subtests]) => `${subtests.length}: ${reason}`).join('; ');
    return count === 0 ? [] : { file: `\`${file}\``, pass: `${good.length} of ${count}`, 'the others': why };
  });
  const summary = `${passed} of ${passed + explained + failed} tests pass, in ${rows.length} files.`;
  writePart('scripts/wpt', `${summary}\n\n${tableOf(rows)}`);
}
