import { relative } from 'node:path';
import { ROOT } from '../root.mjs';
import { addFailure, noTests, tallyOf, writeTally } from './tally.mjs';

/** @typedef {import('@web/test-runner').TestSession} TestSession */

/**
 * Reporter of @web/test-runner: a line for each file and group as it ends, and the figures at the end.
 *
 * @returns {import('@web/test-runner').Reporter}
 */
export function browserTally() {
  return {
    reportTestFileResults({ logger, sessionsForTestFile, testFile }) {
      for (const session of sessionsForTestFile) {
        const figures = noTests();
        const seconds = count(session, figures);
        const { passed, failed, skipped } = figures;
        const notes = `${skipped > 0 ? `, ${skipped} skipped` : ''} (${seconds.toFixed(1)} s)`;
        const place = `${relative(ROOT, testFile)} [${session.group.name}]`;
        logger.log(`${failed > 0 ? '✖' : '✔'} ${place} ${passed} passed, ${failed} failed${notes}`);
      }
    },
    onTestRunFinished({ sessions }) {
      /** @type {Record<string, import('./tally.mjs').Figures>} */
      const files = {};
      for (const session of sessions) count(session, (files[relative(ROOT, session.testFile)] ??= noTests()));
      writeTally('browser', tallyOf(files));
    },
  };
}

/**
 * A file that did not load, or ran no test, counts as one failure.
 *
 * @param {TestSession} session
 * @param {import('./tally.mjs').Figures} figures - Counted into.
 * @returns {number} What its tests took, in seconds.
 */
function count(session, figures) {
  const file = `${relative(ROOT, session.testFile)} [${session.group.name}]`;
  const before = { ...figures };
  let seconds = 0;
  const suites = session.testResults === undefined ? [] : [session.testResults];
  for (const suite of suites) {
    suites.push(...suite.suites);
    for (const test of suite.tests) {
      seconds += (test.duration ?? 0) / 1000;
      if (test.skipped) figures.skipped++;
      else if (test.passed) figures.passed++;
      else addFailure(figures, `${file} › ${test.name}`, test.error?.message);
    }
  }
  const executed = figures.passed + figures.skipped > before.passed + before.skipped;
  if (figures.failed === before.failed && (!executed || session.passed === false)) {
    addFailure(figures, file, session.errors[0]?.message ?? 'ran no test');
  }
  return seconds;
}
