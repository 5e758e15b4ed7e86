/**
 * `npm test`: installs what is missing, builds, and runs every check and test. The last line is `N passed, N failed`.
 *
 * Arguments select stages (`npm test -- node lint`), and files or folders of tests (`npm test -- test/unit/ring`).
 * `--long` (`npm run test:long`) sets `SVC_LONG=1`, with which some tests do more. CONTRIBUTING.md has a table.
 *
 * On a fresh clone no package is installed yet, so this file imports only Node's modules and the other scripts.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { downloadBrowser, ensureBrowser } from './browser.mjs';
import { foldersOf } from './check.mjs';
import { endWithPrograms, runNode } from './command.mjs';
import { ensureInstalled, npm } from './install.mjs';
import { ensurePrograms } from './programs.mjs';
import { ROOT } from './root.mjs';
import { ProcessorTime, stageEnvironment } from './test/processor-time.mjs';
import { Progress } from './test/progress.mjs';
import { count, readResults, result, total } from './test/results.mjs';

/**
 * @typedef {import('./test/results.mjs').Result} Result
 *
 * @typedef {{ log: string | undefined, env: Record<string, string>, results: string, timeoutMs: number }} Options Options
 *   for `runNode`, and the file of the results.
 */
/**
 * `folders` are the folders of its tests, each with the programs that they need (see programs.mjs). `packages` are the
 * folders whose packages it needs, beside those of the root. A stage without tests counts as one test. `run` resolves
 * with an exit code.
 *
 * @typedef {(paths: string[], options: Options) => Promise<number>} Run
 * @typedef {{ run: Run, folders?: Record<string, string[]>, packages?: string[] }} Stage
 */

/** Output and results of the stages. */
const FOLDER = join(ROOT, '.cache', 'test');
/**
 * Limit for hanging processes, in milliseconds. Consumer apps are installed and built first, which takes a quarter of an
 * hour if the npm cache is empty and the machine is busy. The long Node tests took more than an hour on two busy cores.
 */
const PROCESS_TIMEOUT_MS = process.argv.includes('--long') ? 4 * 3_600_000 : 3_600_000;
/** Number of Node test files that share a process. Starting a process takes longer than most files. */
const FILES_OF_A_PROCESS = process.argv.includes('--long') ? 1 : 16;
/** Number of concurrent stages; more than there are processors, because page tests wait for speech to end. */
const LANES = availableParallelism() + 1;
const PAGE_RUNNER = 'test/node_modules/@web/test-runner/dist/bin.js';
const ENGINES_CONFIG = 'test/engines/launch/web-test-runner.config.mjs';
const MESSAGE_CHARACTERS = 500;
/** Stage of the installation, the build and the runner itself, in the account of processor time. */
const PREPARATION = 'install, build';

if (process.argv.includes('--long')) process.env.SVC_LONG = '1';
const engines = process.env.SVC_ENGINE?.split(' ') ?? [
  ...(process.env.SVC_LONG ? ['chromium'] : []),
  'firefox',
  'webkit',
];

/** Packages of the pages that are tested in `test/demo`. A page would otherwise install its own during a test. */
const DEMO_PACKAGES = ['test', ...(process.env.SVC_LONG ? ['demo/talk-back/detector', 'demo/livekit/room'] : [])];

/**
 * Each phase begins when the previous one has ended: first stages that need CPU time, then pages that often wait for
 * sound or for a time limit, then recordings of a sound device, in which a busy CPU causes gaps. In a phase, the longest
 * stages start first.
 *
 * @type {Record<string, Stage>[]}
 */
const PHASES = [
  {
    node: {
      folders: { 'test/unit': [], 'service/test': ['postgres', 'nginx'] },
      packages: ['test', 'test/react-18', 'scripts/checks'],
      run: shortNodeTests,
    },
    consumers: { folders: { 'test/consumers': ['chromium'] }, packages: ['scripts/checks'], run: nodeTests },
    docs: { folders: { 'test/docs': ['chromium'] }, packages: ['test', 'docs'], run: nodeTests },
    formats: { folders: { 'test/formats': ['chromium', 'ffmpeg', 'sox'] }, packages: ['test'], run: nodeTests },
    lint: { packages: foldersOf('lint'), run: (_, options) => npm(['run', 'lint'], options) },
    types: { packages: foldersOf('types'), run: (_, options) => npm(['run', 'types'], options) },
    format: { packages: foldersOf('format:check'), run: (_, options) => npm(['run', 'format:check'], options) },
    unused: { packages: foldersOf('unused'), run: (_, options) => npm(['run', 'unused'], options) },
    package: {
      packages: foldersOf('package'),
      run: (_, options) => npm(['run', 'package', '--ignore-scripts'], options),
    },
    size: { packages: foldersOf('size'), run: (_, options) => npm(['run', 'size'], options) },
  },
  {
    browser: { folders: { 'test/page': ['chromium'] }, packages: ['test', 'test/react-18'], run: pageTests },
    demo: { folders: { 'test/demo': ['chromium'] }, packages: DEMO_PACKAGES, run: demoTests },
  },
  { heard: { folders: { 'test/demo/heard': ['chromium'] }, packages: DEMO_PACKAGES, run: heardTests } },
  {
    engines: {
      folders: { 'test/engines': ['sound', ...engines] },
      packages: ['test', 'test/react-18'],
      run: engineTests,
    },
  },
];
/** @type {Record<string, Stage>} */
const STAGES = Object.assign({}, ...PHASES);

const named = process.argv.slice(2).flatMap((argument) => (argument === '--long' ? [] : relative('', argument)));
const allFolders = Object.values(STAGES).flatMap(({ folders = {} }) => Object.keys(folders));
const folderOf = (/** @type {string} */ path) =>
  allFolders.filter((folder) => path.startsWith(folder)).toSorted((a, b) => b.length - a.length)[0] ?? '';
const selected = Object.entries(STAGES).flatMap(([name, stage]) => {
  const folders = Object.keys(stage.folders ?? {});
  const paths = named.filter((path) => existsSync(path) && folders.includes(folderOf(path)));
  if (named.length === 0 || named.includes(name)) return { name, stage, paths: folders };
  return paths.length > 0 ? { name, stage, paths } : [];
});
const unknown = named.filter((item) => !selected.some(({ name, paths }) => name === item || paths.includes(item)));
if (unknown.length > 0) {
  console.error(`No stage and no test: ${unknown.join(', ')}. The stages are ${Object.keys(STAGES).join(', ')}.`);
  process.exit(2);
}

/** @type {{ line: string, results: Result[] }[]} Results of the stages that have ended. */
const ended = [];
/** @type {Map<string, string>} Files of results of the stages that run now, by name. */
const running = new Map();
const begun = performance.now();
const processorTime = new ProcessorTime(PREPARATION);
const progress = new Progress();
Object.assign(process.env, stageEnvironment(PREPARATION));
/** @type {string[]} Missing programs that cannot be installed. */
let missing = [];

endWithPrograms();
try {
  await prepare();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exit(1);
}
progress.start(progressLine);
for (const phase of PHASES) await runAll(selected.filter(({ name }) => name in phase));
progress.stop();
sumUp();
processorTime.close();

/** Installs and builds what the selected stages need. */
async function prepare() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const needs = selected.flatMap(({ stage, paths }) =>
    Object.entries(stage.folders ?? {}).flatMap(([folder, programs]) =>
      paths.some((path) => path.startsWith(folder)) ? programs : [],
    ),
  );
  [missing] = await Promise.all([ensurePrograms(new Set(needs)), ensureInstalled()]);
  if (missing.includes('chromium')) await downloadBrowser();
  for (const name of missing) {
    if (name !== 'chromium') console.error(`\n!!! ${name} is not installed: the tests that need it are SKIPPED.\n`);
  }
  const log = join(FOLDER, 'build.log');
  const building = runNode(['scripts/build.mjs'], { log });
  const packages = new Set(selected.flatMap(({ stage }) => stage.packages ?? []));
  // Before the tests, because some of them list the files of `docs/`.
  if (process.env.SVC_LONG && packages.has('docs')) packages.add('docs/examples/vendors');
  for (const folder of packages) await ensureInstalled(folder);
  if ((await building) !== 0) throw new Error(readFileSync(log, 'utf8'));
  process.env.SVC_BUILT = '1';
}

/** @param {typeof selected} stages */
async function runAll(stages) {
  const queue = [...stages];
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await runStage(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** @param {(typeof selected)[number]} item */
async function runStage({ name, stage, paths }) {
  const started = performance.now();
  const file = join(FOLDER, `${name}.json`);
  running.set(name, file);
  // A single stage shows its output immediately. The output of several would mix, so it goes to files; failed stages
  // show theirs at their end.
  const log = selected.length > 1 ? join(FOLDER, `${name}.log`) : undefined;
  const env = { SVC_RESULTS: file, ...stageEnvironment(name) };
  const code = await stage.run(paths, { log, env, results: file, timeoutMs: PROCESS_TIMEOUT_MS });
  const results = stage.folders ? readResults(file) : [result(name, code === 0 ? 'passed' : 'failed')];
  if (results.length === 0 || (code !== 0 && count(results, 'failed') === 0)) {
    results.push(result(name, 'failed', `ended with code ${code} after ${results.length} tests that did not fail`));
  }
  running.delete(name);
  const rest = /** @type {const} */ (['flaky', 'skipped']).filter((outcome) => count(results, outcome) > 0);
  const figures = [total(results), ...rest.map((outcome) => `${count(results, outcome)} ${outcome}`)].join(', ');
  const mark = count(results, 'failed') > 0 ? '✖' : '✔';
  const seconds = processorTime.seconds(name);
  const processor = seconds === undefined ? '' : `, ${seconds.toFixed(0)} s of processor time`;
  const line = `${mark} ${name}: ${figures} (${((performance.now() - started) / 1000).toFixed(0)} s${processor})`;
  ended.push({ line, results });
  if (log) progress.print(mark === '✖' ? `${readFileSync(log, 'utf8')}\n${line}` : line);
}

/** The line at the bottom of a terminal: the stages that run with the number of tests done, and the time. */
function progressLine() {
  const stages = [...running].map(([name, file]) => `${name} ${readResults(file).length || '…'}`);
  const done = ended.reduce((sum, { results }) => sum + results.length, 0);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const time = `${Math.trunc(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return `${time}  ${done} tests done in ${ended.length} stages; running: ${stages.join(', ')}`;
}

function sumUp() {
  console.log('\n=== summary ===');
  for (const { line, results } of ended) {
    console.log(line);
    for (const { name, outcome, message = '' } of results) {
      const text = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').slice(0, MESSAGE_CHARACTERS);
      if (outcome === 'failed' || outcome === 'flaky') console.log(`    ${outcome}: ${name}: ${text}`);
    }
  }
  const preparation = processorTime.seconds(PREPARATION);
  if (preparation !== undefined) {
    const stages = selected.map(({ name }) => processorTime.seconds(name) ?? 0);
    const sum = stages.reduce((one, other) => one + other, preparation);
    console.log(`Processor time: ${sum.toFixed(0)} s, of which ${PREPARATION}: ${preparation.toFixed(0)} s`);
  }
  const results = ended.flatMap((stage) => stage.results);
  process.exitCode = count(results, 'failed') > 0 ? 1 : 0;
  console.log(total(results));
}

/** @type {Run} */
function shortNodeTests(paths, options) {
  const files = testsIn(paths).map((file) => `import '${pathToFileURL(file).href}';\n`);
  const starts = files.map((_, index) => index).filter((index) => index % FILES_OF_A_PROCESS === 0);
  const processes = starts.map((start) => {
    // The runner sorts its files by name. Leading zeros keep this order, in which the longest are not the last.
    const path = join(FOLDER, `node-${String(start + 1).padStart(3, '0')}.test.ts`);
    writeFileSync(path, files.slice(start, start + FILES_OF_A_PROCESS).join(''));
    return path;
  });
  return nodeTests(processes, options);
}

/** @type {Run} */
function nodeTests(paths, options) {
  const reporters = ['spec', './scripts/test/node-reporter.mjs'].map((reporter) => `--test-reporter=${reporter}`);
  const outputs = ['stdout', options.results].map((path) => `--test-reporter-destination=${path}`);
  const limits = [`--test-concurrency=${availableParallelism() + 1}`, `--test-timeout=${PROCESS_TIMEOUT_MS}`];
  const loaded = ['tsx', './scripts/test/fixed-seed.mjs'].flatMap((module) => ['--import', module]);
  return runNode([...loaded, '--test', ...limits, ...reporters, ...outputs, ...testsIn(paths)], options);
}

/** @type {Run} */
function pageTests(paths, options) {
  const env = { ...options.env, SVC_BROWSER_TESTS: testsIn(paths).join(' ') };
  return runNode([PAGE_RUNNER, '--config', 'test/web-test-runner.config.mjs'], { ...options, env });
}

/** @type {Run} */
function demoTests(paths, options) {
  return runNode(['node_modules/@playwright/test/cli.js', 'test', '--project=demo', ...paths], options);
}

/** @type {Run} */
function heardTests(paths, options) {
  return runNode(['node_modules/@playwright/test/cli.js', 'test', '--project=heard', ...paths], options);
}

/** @type {Run} */
async function engineTests(paths, options) {
  const run = (/** @type {string} */ engine) => testsOfEngine(engine, paths, options);
  if (!process.env.SVC_LONG) return Math.max(...(await Promise.all(engines.map(run))));
  // One after the other: page tests of one engine would cause gaps in recordings of another.
  let code = 0;
  for (const engine of engines) code = Math.max(code, await run(engine));
  return code;
}

/** @type {(engine: string, ...rest: Parameters<Run>) => Promise<number>} */
async function testsOfEngine(engine, paths, options) {
  const absent = [engine, 'sound'].filter((name) => missing.includes(name));
  if (absent.length > 0) {
    appendFileSync(options.results, `${JSON.stringify(result(engine, 'skipped'))}\n`);
    return 0;
  }
  const others = engines.filter((other) => other !== engine).map((other) => `expectations/${other}.test.ts`);
  const files = testsIn(paths).filter((file) => !others.some((other) => file.endsWith(other)));
  if (files.length === 0) return 0;
  // By default the configuration adds page tests.
  const chosen = paths.includes('test/engines') ? {} : { SVC_BROWSER_TESTS: files.join(' ') };
  const program = engine === 'chromium' ? { SVC_CHROMIUM: await ensureBrowser({ whole: true }) } : {};
  const runner = ['--import', 'tsx', PAGE_RUNNER, '--config', ENGINES_CONFIG];
  const env = { ...options.env, ...chosen, ...program, SVC_ENGINE: engine };
  const code = await runNode(runner, { ...options, env });
  // The runner writes its results at its end. If its browser hangs or crashes, it has none.
  if (!readResults(options.results).some(({ name }) => name.includes(`[${engine}, `))) {
    const failed = result(engine, 'failed', `ended with code ${code} and without results`);
    appendFileSync(options.results, `${JSON.stringify(failed)}\n`);
  }
  return code;
}

/** @param {string[]} paths - Test files, and folders of test files. */
function testsIn(paths) {
  return paths.flatMap((path) => {
    if (path.endsWith('.ts')) return path;
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted();
    const tests = files.filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'));
    return tests.map((file) => `${path}/${file.replaceAll('\\', '/')}`);
  });
}
