/**
 * `npm test`: installs what is missing, finds a browser, builds, and runs every check and test; goes on after a failure.
 *
 * `npm test -- node lint` runs only the stages named. The last line is `N passed, N failed`; a check counts as one test.
 * Only Node's own modules and ours are imported up here, since on a fresh clone there are no others yet.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { runNode } from './command.mjs';
import { ENGINES } from './engines.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOT } from './root.mjs';
import { ensureServers } from './servers.mjs';
import { count, RUNNER_TIMEOUT_MS } from './test/count.mjs';
import { testEngines } from './test/engine-tests.mjs';
import { addTallies, tallyOf } from './test/tally.mjs';

/** A test that takes longer hangs. In milliseconds. */
const NODE_TEST_TIMEOUT_MS = 120_000;
/** One that yields the processor to others. */
const BESIDE_TEST_TIMEOUT_MS = 480_000;
const BESIDE_LOG = join(ROOT, '.cache', 'test', 'node.log');

/** @typedef {import('./test/tally.mjs').Tally} Tally */

/**
 * In the order they run. What is heard takes its time and leaves the processor idle: beside `waits`, what is `busy` runs
 * with a low priority. `run` is given the parts to run, as they are called in its tally; none are all of it.
 *
 * @type {Record<string, {
 *   needs: ('build' | 'browser' | 'servers' | 'docs')[],
 *   run: (parts: string[], beside: boolean) => Promise<Tally>,
 *   busy?: true,
 *   waits?: true,
 * }>}
 */
const STAGES = {
  format: { needs: [], run: () => check(['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']) },
  lint: { needs: ['build'], run: () => check(['oxlint/bin/oxlint', '--type-aware', '--deny-warnings']) },
  types: { needs: ['build'], run: () => check(['typescript/bin/tsc', '-b']) },
  node: {
    needs: ['build', 'servers'],
    busy: true,
    run: (files, beside) =>
      nodeTests('node', orAllIn(files, 'test/unit', 'service/test'), beside ? besideOthers() : {}),
  },
  browser: {
    needs: ['build', 'browser'],
    waits: true,
    run: (files) =>
      suite(
        'browser',
        ['@web/test-runner/dist/bin.js'],
        files.length > 0 ? { SVC_BROWSER_TESTS: files.join(' ') } : {},
      ),
  },
  // Chromium's part is the stage before.
  browsers: {
    needs: ['build'],
    waits: true,
    run: (engines) => {
      const wanted = engines.length > 0 ? engines : ['firefox', 'webkit'];
      return testEngines(
        ENGINES.filter((engine) => wanted.includes(engine)),
        { few: true },
      );
    },
  },
  e2e: {
    needs: ['build', 'browser'],
    waits: true,
    run: (files) => suite('e2e', ['@playwright/test/cli.js', 'test', ...files]),
  },
  docs: { needs: ['build', 'browser', 'docs'], run: (files) => slowTests('docs', files) },
  package: { needs: ['build', 'browser'], run: (files) => slowTests('package', files) },
  size: { needs: ['build'], run: async () => verdict(await runNode(['scripts/size.mjs'])) },
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in STAGES));
if (unknown.length > 0) {
  console.error(`No stage ${unknown.join(', ')}; there are ${Object.keys(STAGES).join(', ')}.`);
  process.exit(2);
}

/**
 * What has run: its figures, the seconds that it took, and what failed at the first try only.
 *
 * @type {{ name: string, tally: Tally, seconds: number, first?: string[] }[]}
 */
const results = [];
const selected = Object.entries(STAGES).filter(([name]) => named.length === 0 || named.includes(name));
const needed = new Set(selected.flatMap(([, { needs }]) => needs));

// What runs beside ends with us.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

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
    beside = { name, started: performance.now(), tally: run([], true) };
  } else {
    await stage(name, () => run([], false));
  }
}
await joinBeside();
for (const result of results) await tryAgain(result);
sumUp();

/** Waits for what runs beside, and shows what it printed. */
async function joinBeside() {
  if (!beside) return;
  const { name, started, tally } = beside;
  beside = null;
  const figures = await tally;
  console.log(`\n=== ${name} ===\n${readFileSync(BESIDE_LOG, 'utf8')}`);
  results.push({ name, tally: figures, seconds: secondsSince(started) });
}

/**
 * Runs what failed once more, now that nothing runs beside, and that decides: a machine that others use, too, takes the
 * processor away for longer than sound can wait. What failed at first is shown all the same.
 *
 * @param {(typeof results)[number]} result
 */
async function tryAgain(result) {
  const { name, tally, seconds } = result;
  const { run } = STAGES[name] ?? {};
  if (!run || tally.failed === 0) return;
  const parts = Object.entries(tally.parts);
  const failed = parts.filter(([, figures]) => figures.failed > 0).map(([part]) => part);
  console.log(`\n=== ${name}: what failed, again: ${failed.join(' ') || 'all of it'} ===`);
  const started = performance.now();
  const again = await run(failed, false);
  // A runner that broke off does not say which part it was: then all of it has run again.
  const kept = failed.length > 0 ? parts.filter(([part]) => !failed.includes(part)) : [];
  result.tally = tallyOf({ ...Object.fromEntries(kept), again });
  result.first = tally.failures;
  result.seconds = seconds + secondsSince(started);
}

/** @param {number} started - By `performance.now()`. */
function secondsSince(started) {
  return (performance.now() - started) / 1000;
}

/** How `node` runs beside others. */
function besideOthers() {
  mkdirSync(dirname(BESIDE_LOG), { recursive: true });
  return { idle: true, log: BESIDE_LOG, testTimeoutMs: BESIDE_TEST_TIMEOUT_MS };
}

/**
 * @param {string} name
 * @param {() => Promise<Tally>} work
 */
async function stage(name, work) {
  console.log(`\n=== ${name} ===`);
  const started = performance.now();
  results.push({ name, tally: await work(), seconds: secondsSince(started) });
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
      return tallyOf({});
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
  return { ...tallyOf({}), passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
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

/**
 * @param {string[]} files
 * @param {string[]} folders - All of the tests in them are taken if there are no files.
 */
function orAllIn(files, ...folders) {
  if (files.length > 0) return files;
  return folders.flatMap((folder) =>
    existsSync(join(ROOT, folder))
      ? readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
          .map((file) => join(folder, file))
          .toSorted()
      : [],
  );
}

/**
 * What builds whole apps or pages before it tests them.
 *
 * @param {'docs' | 'package'} name
 * @param {string[]} files
 */
function slowTests(name, files) {
  return nodeTests(name, orAllIn(files, `test/${name}`), { testTimeoutMs: RUNNER_TIMEOUT_MS });
}

/**
 * @param {string} runner
 * @param {string[]} tool - File of an installed package, and its arguments.
 * @param {Record<string, string>} [env]
 */
function suite(runner, [file = '', ...args], env = {}) {
  return count(runner, [join('node_modules', file), ...args], { env });
}

function sumUp() {
  console.log('\n=== summary ===');
  for (const { name, tally, seconds, first = [] } of results) {
    const { passed, failed, skipped, failures } = tally;
    const notes = [skipped > 0 && `${skipped} skipped`, first.length > 0 && `${first.length} failed at the first try`];
    const figures = [`${passed} passed`, `${failed} failed`, ...notes.filter((note) => note !== false)].join(', ');
    console.log(`${failed > 0 ? '✖' : '✔'} ${name}: ${figures} (${seconds.toFixed(1)} s)`);
    for (const failure of failures) console.log(`    ✖ ${failure}`);
    for (const failure of first) console.log(`    at the first try: ${failure}`);
  }
  const sum = addTallies(results.map(({ tally }) => tally));
  if (sum.failed > 0) process.exitCode = 1;
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
}
