import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

const OUTCOMES = /** @type {const} */ ({
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'flaky',
  skipped: 'skipped',
});

/** @typedef {import('@playwright/test/reporter').Reporter} Reporter */

/**
 * Reporter of Playwright: appends a line of JSON for each test to the file that `SVC_RESULTS` names. See `Result` in
 * results.mjs.
 *
 * @implements {Reporter}
 */
export default class ResultsReporter {
  /**
   * @param {import('@playwright/test/reporter').TestCase} test
   * @param {import('@playwright/test/reporter').TestResult} result
   */
  onTestEnd(test, result) {
    const willRetry = result.status !== test.expectedStatus && result.retry < test.retries;
    const file = process.env.SVC_RESULTS;
    if (file === undefined || willRetry || result.status === 'interrupted') return;
    const name = `${relative('', test.location.file)} › ${test.title}`;
    const message = test.results.map(({ error }) => error?.message).find(Boolean);
    appendFileSync(file, `${JSON.stringify({ name, outcome: OUTCOMES[test.outcome()], message })}\n`);
  }
}
