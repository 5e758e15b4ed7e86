import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Prefix of a line that a page logs when a test has passed after a retry. The name of the test follows. */
export const FLAKY = 'flaky: ';

/**
 * Reporter of @web/test-runner: appends a line of JSON for each test to the file that `SVC_RESULTS` names. See `Result`
 * in scripts/test/results.mjs.
 *
 * @returns {import('@web/test-runner').Reporter}
 */
export function webReporter() {
  const file = process.env.SVC_RESULTS;
  if (file === undefined) return {};
  /** @type {Set<string>} */
  const written = new Set();
  /** @param {Iterable<import('@web/test-runner').TestSession>} sessions */
  const write = (sessions) => {
    for (const session of sessions) {
      if (written.has(session.id)) continue;
      written.add(session.id);
      appendFileSync(
        file,
        resultsOf(session)
          .map((result) => `${JSON.stringify(result)}\n`)
          .join(''),
      );
    }
  };
  return {
    reportTestFileResults: ({ sessionsForTestFile }) => write(sessionsForTestFile),
    onTestRunFinished: ({ sessions }) => write(sessions),
  };
}

/** @param {import('@web/test-runner').TestSession} session - One file on one page. */
function resultsOf({ testResults, testFile, group, browser, passed, errors, logs }) {
  const place = `${relative('', testFile)} [${browser.name}, ${group.name}]`;
  const flaky = new Set(logs.flat().map(String));
  const suites = testResults === undefined ? [] : [testResults];
  // The list grows during the loop until it contains all nested suites.
  for (const suite of suites) suites.push(...suite.suites);
  const results = suites.flatMap(({ tests }) =>
    tests.map(({ name, skipped, passed: ok, error }) => ({
      name: `${place} › ${name}`,
      outcome: skipped ? 'skipped' : !ok ? 'failed' : flaky.has(`${FLAKY}${name}`) ? 'flaky' : 'passed',
      message: error?.message,
    })),
  );
  // A file without failed tests fails if it does not load, or if a hook throws.
  const failed = results.some(({ outcome }) => outcome === 'failed');
  const broken = !failed && (passed === false || results.length === 0);
  return broken ? [...results, { name: place, outcome: 'failed', message: errors[0]?.message ?? 'no test' }] : results;
}
