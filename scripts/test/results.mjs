import { existsSync, readFileSync } from 'node:fs';

/**
 * Result of a test, as the reporters of the three runners write it: one line of JSON each.
 *
 * @typedef {{ name: string, outcome: 'passed' | 'failed' | 'flaky' | 'skipped', message?: string }} Result
 */

/** @type {(name: string, outcome: Result['outcome'], message?: string) => Result} */
export function result(name, outcome, message = '') {
  return { name, outcome, message };
}

/**
 * @param {string} file
 * @returns {Result[]} None if the file does not exist.
 */
export function readResults(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // While tests run, the last line may be incomplete.
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : JSON.parse(line)));
}

/** @type {(results: Result[], ...outcomes: Result['outcome'][]) => number} */
export function count(results, ...outcomes) {
  return results.filter(({ outcome }) => outcomes.includes(outcome)).length;
}

/** @param {Result[]} results */
export function total(results) {
  return `${count(results, 'passed', 'flaky')} passed, ${count(results, 'failed')} failed`;
}
