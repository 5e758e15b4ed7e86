import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SWITCH_FILE } from './plant-mutants.js';
import { switchedPath } from './node-switch.js';

/** Tests of the repository's own files: they see the tree's switches, and kill no fault of the program. */
const EXCLUDED = /^test\/unit\/house\/|^service\/test\/(delivery\/|room-order|packed)/;

const TEST_PROCESS = fileURLToPath(new URL('test-process.mjs', import.meta.url));
const REPORTER = new URL('first-failure.mjs', import.meta.url).href;

/** Groups of processes to end with this process. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const { pid } of running) process.kill(-pid!, 'SIGKILL');
});

export interface NodeTestFile {
  /** Path relative to the root, as in `npm test`. */
  readonly file: string;
  /** Duration of a process for this file alone, in milliseconds. */
  readonly ms: number;
  /** Numbers of the mutants that it reaches. */
  readonly reached: readonly number[];
}

export interface Outcome {
  readonly passed: boolean;
  /** Name of the first failed test, or how the process ended. */
  readonly reason: string;
  /** Path of the file of the failed test, if known. */
  readonly file: string | undefined;
  /** True if it was ended because it took too long. */
  readonly isLate: boolean;
  readonly ms: number;
}

export function nodeTestFiles(tree: string): string[] {
  return ['test/unit', 'service/test'].flatMap((folder) => {
    const files = readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' }).toSorted();
    return files
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`)
      .filter((file) => !EXCLUDED.test(file));
  });
}

/** Runs test files in one process, up to the first failure. */
export function runNodeTests(
  tree: string,
  files: readonly string[],
  active: number | { record: string } | null,
  { limitMs, lane }: { limitMs: number; lane: number },
): Promise<Outcome> {
  const started = performance.now();
  const temporary = join('/tmp', `mutants-${process.pid}-${lane}`);
  mkdirSync(temporary, { recursive: true });
  const loaded = [join(tree, SWITCH_FILE), join(tree, 'scripts/test/fixed-seed.mjs')];
  const compiled = files.map((file) => join(tree, file.replace(/\.ts$/, '.js')));
  const args = [...loaded.flatMap((file) => ['--import', file]), `--test-reporter=${REPORTER}`];
  const child = spawn(process.execPath, [...args, TEST_PROCESS, ...compiled], {
    cwd: tree,
    detached: true,
    env: { ...process.env, PATH: switchedPath(process.env['PATH']!, active), TMPDIR: temporary, SVC_BUILT: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)));
  running.add(child);
  const endGroup = (): void => {
    running.delete(child);
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended, and so have its children.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup();
  }, limitMs);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      endGroup();
      child.stdout.destroy();
      child.stderr.destroy();
      for (const name of readdirSync(temporary)) {
        if (!basename(name).startsWith('svc-postgres')) rmSync(join(temporary, name), { recursive: true, force: true });
      }
      const [failed, path] = printed.trim().split('\n').at(-1)!.split('\t');
      const ended = isLate ? `no end within ${Math.round(limitMs / 1000)} s` : failed || `${code ?? signal}: ${errors}`;
      const file = files.find((_, index) => compiled[index] === path);
      resolve({ passed: code === 0, reason: ended, file, isLate, ms: performance.now() - started });
    });
  });
}

/** Runs each test file alone and records the mutants that it reaches. Throws out those that fail twice. */
export async function recordNodeTest(tree: string, file: string, lane: number): Promise<NodeTestFile | string> {
  const list = join('/tmp', `mutants-${process.pid}-${lane}-reached`);
  rmSync(list, { force: true });
  let outcome = await runNodeTests(tree, [file], { record: list }, { limitMs: 300_000, lane });
  if (!outcome.passed) outcome = await runNodeTests(tree, [file], null, { limitMs: 300_000, lane });
  if (!outcome.passed) return `${file}: ${outcome.reason}`;
  let numbers: number[] = [];
  try {
    numbers = [...new Set(readFileSync(list, 'utf8').trim().split('\n').map(Number))];
  } catch {
    // It reaches none.
  }
  return { file, ms: Math.round(outcome.ms), reached: numbers };
}
