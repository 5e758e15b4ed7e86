import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../root.mjs';

/**
 * How many tests were executed.
 *
 * @typedef {{ passed: number, failed: number, skipped: number }} Figures
 */

/**
 * What a runner executed, from Node's also by test file. Runners are processes of their own; each leaves its figures in
 * a file.
 *
 * @typedef {Figures & { files?: Record<string, Figures> }} Tally
 */

/**
 * @param {Figures[]} tallies
 * @returns {Figures}
 */
export function addTallies(tallies) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/** @param {string} runner */
function file(runner) {
  return join(ROOT, '.cache', 'test', `${runner}.json`);
}

/** @param {string} runner - Name of the runner, such as `node`. */
export function clearTally(runner) {
  rmSync(file(runner), { force: true });
}

/**
 * @param {string} runner
 * @param {Tally} tally
 */
export function writeTally(runner, tally) {
  mkdirSync(dirname(file(runner)), { recursive: true });
  writeFileSync(file(runner), JSON.stringify(tally));
}

/**
 * @param {string} runner
 * @returns {Tally | null} Null if the runner never came to an end.
 */
export function readTally(runner) {
  try {
    return JSON.parse(readFileSync(file(runner), 'utf8'));
  } catch {
    return null;
  }
}
