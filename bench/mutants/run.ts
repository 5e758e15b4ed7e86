/**
 * Measures what tests find: `npm run mutants --prefix bench`. Plants faults (mutants) in a copy of the sources, and
 * counts those with which a test fails. The mutants are chosen by a fixed seed, so that a run after a change of the tests
 * can be compared with one before it.
 *
 * Options:
 * - `--out FILE`: the results, by default `.cache/mutants/results.json`. A run continues where an earlier one with the
 *   same file stopped;
 * - `--known FILE`: results of an earlier run, whose killers are tried first. If none of the
 *   nearest tests kills in its place, all that reach the mutant run. Tests of pages that found nothing do not run again;
 * - `--stages node,page`: `node` are `test/unit` and `service/test`, `page` is `test/page`, which runs only with mutants
 *   that the tests of Node let live. Only the tests nearest to a mutant run, for a limited time;
 * - `--rooms src/ring,worklet`: a selection.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { chooseMutants, type ChosenMutant } from './choose-mutants.js';
import { nodeTestFiles, recordNodeTest, runNodeTests, type NodeTestFile, type Outcome } from './node-tests.js';
import { plantMutants } from './plant-mutants.js';
import { PageTests, type PageTestRun } from './page-tests.js';
import { Recorded } from './recorded.js';
import { compare, Results, tableOf, type MutantResult } from './results.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, '.cache/mutants');
const TREE = join(FOLDER, 'tree');
/** Number of processes that run tests. */
const LANES = 2;
/** Numbers of files in the processes for one mutant: the most specific alone, then more to save starts. */
const BATCHES = [1, 4, 4, 8];
/**
 * Time for the tests of Node that reach a mutant, in milliseconds. Some mutants are reached by all tests and change
 * nothing, and most killers are near.
 */
const BUDGET_MS = 30_000;
/** Numbers of runs of page tests for one mutant; three are open at a time. */
const PAGE_BATCHES = [3, 6, 60];

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: join(FOLDER, 'results.json') },
    known: { type: 'string' },
    stages: { type: 'string', default: 'node,page' },
    rooms: { type: 'string' },
  },
});

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
mkdirSync(FOLDER, { recursive: true });
const all = chooseMutants(ROOT);
await plantMutants(ROOT, TREE, all);
const mutants = all.filter(({ room }) => !options.rooms || options.rooms.split(',').includes(room));
const out = resolve(options.out);
const table = out.replace(/(\.json)?$/, '.txt');
const results = new Results(out);
const known = options.known === undefined ? undefined : new Results(resolve(options.known));
const stages = options.stages.split(',');
if (stages.includes('node')) await runNodeStage();
if (stages.includes('page')) await runPageStage();
report();
console.log(readFileSync(table, 'utf8'));

async function runNodeStage(): Promise<void> {
  const tests = await recordNode();
  const open = mutants.filter(({ id }) => !results.get(id));
  for (const mutant of open) {
    if (known?.get(mutant.id)?.killer?.stage === 'page') results.set(unkilled(mutant, tests));
  }
  await inLanes(
    open.filter(({ id }) => !results.get(id)),
    async (mutant, lane) => {
      results.set(await tryNodeTests(mutant, tests, lane));
      report();
    },
  );
}

async function runPageStage(): Promise<void> {
  const open = mutants.filter(({ id, room }) => {
    const result = results.get(id);
    const before = known?.get(id);
    const isInPage = !room.startsWith('service/');
    return isInPage && result && !result.killer && !result.survived.includes('page') && (!before || before.killer);
  });
  if (open.length === 0) return;
  const pages = await PageTests.start(TREE);
  try {
    const tests = await recordPages(pages);
    for (const mutant of open) {
      results.set(await tryPageTests(mutant, results.get(mutant.id)!, tests, pages));
      report();
    }
  } finally {
    pages.end();
  }
}

/** Test files of Node with the mutants that they reach. */
async function recordNode(): Promise<NodeTestFile[]> {
  const recorded = recordedOf<NodeTestFile>('node');
  const open = nodeTestFiles(TREE).filter((test) => !recorded.has(test));
  await inLanes(open, async (test, lane) => recorded.set(test, await recordNodeTest(TREE, test, lane)));
  return included(recorded);
}

/** Test files of pages with the mutants that they reach. Those that fail are recorded once more, alone. */
async function recordPages(pages: PageTests): Promise<PageTestRun[]> {
  const recorded = recordedOf<PageTestRun>('page');
  const open = pages.keys.filter((key) => !recorded.has(key));
  if (open.length > 0) {
    for (const first of await pages.record(open)) {
      const [outcome] = first.passed ? [first] : await pages.record([first.key]);
      const { key, ms, passed, reached, reason } = outcome!;
      recorded.set(key, passed ? { key, ms, reached } : `${key}: ${reason}`);
    }
  }
  return included(recorded);
}

function recordedOf<Test>(stage: string): Recorded<Test> {
  const stamp = readFileSync(join(TREE, '.stamp'), 'utf8').slice(0, 12);
  return new Recorded(join(FOLDER, `reached-${stage}-${stamp}.json`));
}

function included<Test>(recorded: Recorded<Test>): Test[] {
  results.excluded = [...new Set([...results.excluded, ...recorded.excluded])];
  results.save();
  return recorded.tests;
}

/**
 * Runs the tests of Node that reach a mutant, nearest first: up to {@link BUDGET_MS}, or all of them if a known killer
 * must be replaced.
 */
async function tryNodeTests(mutant: ChosenMutant, tests: readonly NodeTestFile[], lane: number): Promise<MutantResult> {
  const number = all.indexOf(mutant);
  const killer = known?.get(mutant.id)?.killer?.file;
  const room = mutant.room.replace(/^src|^(?=worklet)/, 'test/unit').replace(/^service\/src/, 'service/test');
  const distance = ({ file }: NodeTestFile): number => {
    if (file === killer) return 0;
    if (basename(file).startsWith(`${basename(mutant.file, '.ts')}.`)) return 1;
    return file.startsWith(`${room}/`) ? 2 : 3;
  };
  const reaching = tests.filter(({ reached }) => reached.includes(number));
  reaching.sort((a, b) => distance(a) - distance(b) || a.ms - b.ms);
  const result = unkilled(mutant, tests);
  let spentMs = 0;
  for (let next = 0, batch = 0; next < reaching.length; batch++) {
    if (spentMs > BUDGET_MS && killer === undefined) break;
    const some = reaching.slice(next, next + BATCHES[Math.min(batch, BATCHES.length - 1)]!);
    const found = await findKiller(number, some, lane);
    if (found) return { ...result, killer: { stage: 'node', ...found }, survived: [] };
    next += some.length;
    spentMs += some.reduce((sum, { ms }) => sum + ms, 0);
  }
  return result;
}

function unkilled(mutant: ChosenMutant, tests: readonly NodeTestFile[]): MutantResult {
  const number = all.indexOf(mutant);
  const reachedBy = { node: tests.filter(({ reached }) => reached.includes(number)).length };
  return { id: mutant.id, room: mutant.room, change: changeOf(mutant), survived: ['node'], reachedBy };
}

async function tryPageTests(
  mutant: ChosenMutant,
  result: MutantResult,
  tests: readonly PageTestRun[],
  pages: PageTests,
): Promise<MutantResult> {
  const number = all.indexOf(mutant);
  const killer = known?.get(mutant.id)?.killer?.file;
  const own = basename(mutant.file, '.ts');
  // The known killer, then the tests of this file, then those that reach the least.
  const cost = ({ key, reached }: PageTestRun): number =>
    key === killer ? -2 : key.includes(`/${own}.`) ? -1 : reached.length;
  const reaching = tests.filter(({ reached }) => reached.includes(number)).toSorted((a, b) => cost(a) - cost(b));
  const reachedBy = { ...result.reachedBy, page: reaching.length };
  for (let next = 0, batch = 0; next < reaching.length; batch++) {
    const size = PAGE_BATCHES[Math.min(batch, PAGE_BATCHES.length - 1)]!;
    const some = reaching.slice(next, next + size);
    const failed = await pages.firstFailure(number, some);
    // A failure counts if the file fails alone too: the machine may have been busy.
    const again =
      failed &&
      (await pages.firstFailure(
        number,
        some.filter(({ key }) => key === failed.key),
      ));
    if (again) return { ...result, reachedBy, killer: { stage: 'page', file: again.key, test: again.reason } };
    next = failed ? next + 1 : next + size;
  }
  return { ...result, reachedBy, survived: [...result.survived, 'page'] };
}

/** Runs test files with a mutant in one process. A failure counts if the file fails alone too. */
async function findKiller(
  number: number,
  tests: readonly NodeTestFile[],
  lane: number,
): Promise<{ file: string; test: string } | null> {
  const run = (some: readonly NodeTestFile[]): Promise<Outcome> => {
    const limitMs = 10_000 + 5 * some.reduce((sum, { ms }) => sum + ms, 0);
    return runNodeTests(
      TREE,
      some.map(({ file }) => file),
      number,
      { limitMs, lane },
    );
  };
  const outcome = await run(tests);
  if (outcome.passed) return null;
  if (tests.length === 1 && !outcome.isLate) return { file: tests[0]!.file, test: outcome.reason };
  // The file that the process was in, if it is known; otherwise all.
  const suspects = tests.toSorted((a, b) => Number(b.file === outcome.file) - Number(a.file === outcome.file));
  for (const test of suspects) {
    const alone = await run([test]);
    if (!alone.passed) return { file: test.file, test: alone.reason };
  }
  return null;
}

function changeOf({ file, line, start, end, replacement }: ChosenMutant): string {
  const original = readFileSync(join(ROOT, file), 'utf8').slice(start, end);
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${file}:${line}: ${short(original)} → ${short(replacement)}`;
}

async function inLanes<Item>(items: readonly Item[], work: (item: Item, lane: number) => Promise<void>): Promise<void> {
  const queue = [...items];
  const lane = async (_: unknown, index: number): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next, index);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function report(): void {
  const excluded = results.excluded.map((test) => `Not run, because it fails without a mutant: ${test}\n`);
  const compared = known ? compare(known, results) : '';
  const text = `${tableOf(mutants, results)}\n${compared}${excluded.join('')}`;
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(table, text);
}
