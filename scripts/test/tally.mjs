import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../root.mjs';

/**
 * How many tests were executed, and in a line each which of them failed, and how.
 *
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Figures
 */

/**
 * What a runner executed, and each part of it that can run by itself: by test file, or by engine. Runners are processes
 * of their own; each leaves its figures in a file.
 *
 * @typedef {Figures & { parts: Record<string, Figures> }} Tally
 */

/** What is shown of the message of a failure. */
const MESSAGE_LETTERS = 300;

/** @returns {Figures} */
export function noTests() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/**
 * @param {Figures} figures - Counted into.
 * @param {string} test - Where it is, and what it is called.
 * @param {unknown} [message] - What it failed with.
 */
export function addFailure(figures, test, message = '') {
  const said = stripVTControlCharacters(String(message)).replaceAll(/\s+/g, ' ').trim().slice(0, MESSAGE_LETTERS);
  figures.failed++;
  figures.failures.push(said === '' ? test : `${test}: ${said}`);
}

/**
 * @param {Figures[]} tallies
 * @returns {Figures}
 */
export function addTallies(tallies) {
  const sum = noTests();
  for (const { passed, failed, skipped, failures } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
    sum.failures.push(...failures);
  }
  return sum;
}

/**
 * @param {Record<string, Figures>} parts
 * @returns {Tally}
 */
export function tallyOf(parts) {
  return { ...addTallies(Object.values(parts)), parts };
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
