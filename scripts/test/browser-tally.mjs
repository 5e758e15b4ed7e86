import { relative } from 'node:path';
import { ROOT } from '../root.mjs';
import { writeTally } from './tally.mjs';

/**
 * Reporter of @web/test-runner: a line for each file and group as it ends, and the figures at the end.
 *
 * @returns {import('@web/test-runner').Reporter}
 */
export function browserTally() {
  return {
    reportTestFileResults({ logger, sessionsForTestFile, testFile }) {
      for (const session of sessionsForTestFile) {
        const { passed, failed, skipped, seconds } = count(session);
        const figures = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''} (${seconds.toFixed(1)} s)`;
        logger.log(`${failed > 0 ? '✖' : '✔'} ${relative(ROOT, testFile)} [${session.group.name}] ${figures}`);
      }
    },
    onTestRunFinished({ sessions }) {
      const tally = { passed: 0, failed: 0, skipped: 0 };
      for (const session of sessions) {
        const { passed, failed, skipped } = count(session);
        tally.passed += passed;
        tally.failed += failed;
        tally.skipped += skipped;
      }
      writeTally('browser', tally);
    },
  };
}

/**
 * A file that did not load, or ran no test, counts as one failure.
 *
 * @param {import('@web/test-runner').TestSession} session
 */
function count(session) {
  const tally = { passed: 0, failed: 0, skipped: 0, seconds: 0 };
  const suites = session.testResults === undefined ? [] : [session.testResults];
  for (const suite of suites) {
    suites.push(...suite.suites);
    for (const test of suite.tests) {
      tally[test.skipped ? 'skipped' : test.passed ? 'passed' : 'failed']++;
      tally.seconds += (test.duration ?? 0) / 1000;
    }
  }
  const executed = tally.passed + tally.failed + tally.skipped;
  if (tally.failed === 0 && (executed === 0 || session.passed === false)) tally.failed = 1;
  return tally;
}
