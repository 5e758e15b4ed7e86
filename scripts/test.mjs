/**
 * `npm test`: installs what is missing, finds a browser, builds, and runs every check and test; goes on after a failure.
 *
 * `npm test -- node lint` runs only the stages named. The last line is `N passed, N failed`; a check counts as one test.
 * Only Node's own modules and ours are imported up here, since on a fresh clone there are no others yet.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { runNode } from './command.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOT } from './root.mjs';
import { ensureServers } from './servers.mjs';
import { count, RUNNER_TIMEOUT_MS } from './test/count.mjs';
import { testEngines } from './test/engine-tests.mjs';
import { addTallies } from './test/tally.mjs';

/** A test that takes longer hangs. In milliseconds. */
const NODE_TEST_TIMEOUT_MS = 120_000;
/** One that gets the processor only when it is idle, and all of them. */
const BESIDE_TEST_TIMEOUT_MS = 480_000;
const BESIDE_TIMEOUT_MS = 1_200_000;
const BESIDE_LOG = join(ROOT, '.cache', 'test', 'node.log');

/** @typedef {import('./test/tally.mjs').Tally} Tally */

/**
 * In the order they run. What is heard takes its time and leaves the processor idle: beside `waits`, what is `busy` runs
 * with the lowest priority. That starves it for seconds at times, so the files that fail there run once more by
 * themselves, and that decides.
 *
 * @type {Record<string, { needs: ('build' | 'browser' | 'servers' | 'docs')[], run: (beside: boolean) => Promise<Tally>, busy?: true, waits?: true }>}
 */
const STAGES = {
  format: { needs: [], run: () => check(['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']) },
  lint: { needs: ['build'], run: () => check(['oxlint/bin/oxlint', '--type-aware', '--deny-warnings']) },
  types: { needs: ['build'], run: () => check(['typescript/bin/tsc', '-b']) },
  node: {
    needs: ['build', 'servers'],
    busy: true,
    run: (beside) => nodeTests('node', testFiles('test/node', 'service/test'), beside ? besideOthers() : {}),
  },
  browser: { needs: ['build', 'browser'], waits: true, run: () => suite('browser', ['@web/test-runner/dist/bin.js']) },
  // Chromium's part is the stage before.
  browsers: { needs: ['build'], waits: true, run: () => testEngines(['firefox', 'webkit'], { few: true }) },
  e2e: { needs: ['build', 'browser'], waits: true, run: () => suite('e2e', ['@playwright/test/cli.js', 'test']) },
  docs: { needs: ['build', 'browser', 'docs'], run: docsTests },
  package: { needs: ['build', 'browser'], run: packageTests },
  size: { needs: ['build'], run: async () => verdict(await runNode(['scripts/size.mjs'])) },
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in STAGES));
if (unknown.length > 0) {
  console.error(`No stage ${unknown.join(', ')}; there are ${Object.keys(STAGES).join(', ')}.`);
  process.exit(2);
}

/** @type {[string, Tally, number][]} Name, figures and seconds of what has run. */
const results = [];
const selected = Object.entries(STAGES).filter(([name]) => named.length === 0 || named.includes(name));
const needed = new Set(selected.flatMap(([, { needs }]) => needs));

await prepare('install', ensureInstalled);
if (needed.has('browser')) {
  await prepare('find a browser', async () => {
    process.env.SVC_CHROMIUM = await ensureBrowser();
    console.log(process.env.SVC_CHROMIUM);
  });
}
if (needed.has('servers')) {
  await prepare('find PostgreSQL and nginx', async () => {
    const { postgres, nginx } = await ensureServers();
    if (postgres !== null) process.env.SVC_POSTGRES_BIN = postgres;
    if (nginx !== null) process.env.SVC_NGINX = nginx;
    console.log(`PostgreSQL: ${postgres ?? 'none'}\nnginx: ${nginx ?? 'none'}`);
  });
}
if (needed.has('docs')) await prepare('install what builds the docs', () => ensureInstalled('docs'));
if (needed.has('build')) {
  await prepare('build', async () => {
    if ((await runNode(['scripts/build.mjs'])) !== 0) throw new Error('What cannot be built can hardly be tested.');
  });
}
/** @type {{ name: string, started: number, tally: Promise<Tally> } | null} */
let beside = null;
for (const [name, { run, busy, waits }] of selected) {
  if (!waits) await joinBeside();
  if (busy && selected.some(([, other]) => other.waits)) {
    console.log(`\n=== ${name}: beside what follows; its output comes after that ===`);
    beside = { name, started: performance.now(), tally: run(true) };
  } else {
    await stage(name, () => run(false));
  }
}
await joinBeside();
sumUp();

/** Waits for what runs beside, and shows what it printed. */
async function joinBeside() {
  if (!beside) return;
  const { name, started, tally } = beside;
  beside = null;
  const figures = await tally;
  console.log(`\n=== ${name} ===\n${readFileSync(BESIDE_LOG, 'utf8')}`);
  results.push([name, await tryAgain(name, figures), (performance.now() - started) / 1000]);
}

/**
 * Runs the files that failed once more, and puts what they count now for what they did.
 *
 * @param {string} name
 * @param {Tally} tally
 */
async function tryAgain(name, tally) {
  const files = Object.entries(tally.files ?? {});
  const failed = files.filter(([, figures]) => figures.failed > 0).map(([file]) => file);
  if (failed.length === 0) return tally;
  console.log(`\n=== ${name}: again, by themselves: ${failed.join(' ')} ===`);
  const passed = files.filter(([file]) => !failed.includes(file)).map(([, figures]) => figures);
  return addTallies([...passed, await nodeTests(name, failed)]);
}

/** How `node` runs beside others. */
function besideOthers() {
  mkdirSync(dirname(BESIDE_LOG), { recursive: true });
  return { idle: true, log: BESIDE_LOG, timeoutMs: BESIDE_TIMEOUT_MS, testTimeoutMs: BESIDE_TEST_TIMEOUT_MS };
}

/**
 * @param {string} name
 * @param {() => Promise<Tally>} work
 */
async function stage(name, work) {
  console.log(`\n=== ${name} ===`);
  const started = performance.now();
  results.push([name, await work(), (performance.now() - started) / 1000]);
}

/**
 * Does what the stages need. It counts only if it fails.
 *
 * @param {string} name
 * @param {() => Promise<void>} work
 */
function prepare(name, work) {
  return stage(name, async () => {
    try {
      await work();
      return { passed: 0, failed: 0, skipped: 0 };
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      return verdict(1);
    }
  });
}

/**
 * A check counts as one test.
 *
 * @param {number} code - Exit code.
 * @returns {Tally}
 */
function verdict(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** @param {string[]} tool - File of an installed package, and its arguments. */
async function check([file = '', ...args]) {
  return verdict(await runNode([join('node_modules', file), ...args]));
}

/**
 * Tests that run in Node, each file in a process of its own.
 *
 * @param {string} name - Under which they leave their tally.
 * @param {string[]} files
 * @param {Parameters<typeof count>[2] & { testTimeoutMs?: number }} [options] - What a test may take, and a file; the
 *   rest as for `count`.
 */
function nodeTests(name, files, { testTimeoutMs = NODE_TEST_TIMEOUT_MS, ...options } = {}) {
  const runner = ['--import', 'tsx', '--test', `--test-concurrency=${availableParallelism()}`];
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/test/node-tally.mjs',
    '--test-reporter-destination=stderr',
  ];
  return count(name, [...runner, `--test-timeout=${testTimeoutMs}`, ...reporters, ...files], options);
}

/** @param {string[]} folders */
function testFiles(...folders) {
  return folders.flatMap((folder) =>
    existsSync(join(ROOT, folder))
      ? readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
          .map((file) => join(folder, file))
          .toSorted()
      : [],
  );
}

function docsTests() {
  return nodeTests('docs', testFiles('test/docs'), { testTimeoutMs: RUNNER_TIMEOUT_MS });
}

function packageTests() {
  return nodeTests('package', testFiles('test/package'), { testTimeoutMs: RUNNER_TIMEOUT_MS });
}

/**
 * @param {string} runner
 * @param {string[]} tool - File of an installed package, and its arguments.
 */
function suite(runner, [file = '', ...args]) {
  return count(runner, [join('node_modules', file), ...args]);
}

function sumUp() {
  console.log('\n=== summary ===');
  for (const [name, { passed, failed, skipped }, seconds] of results) {
    const notes = `${skipped > 0 ? `, ${skipped} skipped` : ''} (${seconds.toFixed(1)} s)`;
    console.log(`${failed > 0 ? '✖' : '✔'} ${name}: ${passed} passed, ${failed} failed${notes}`);
  }
  const sum = addTallies(results.map(([, tally]) => tally));
  if (sum.failed > 0) process.exitCode = 1;
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
}
