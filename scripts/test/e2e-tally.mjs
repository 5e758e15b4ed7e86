import { writeTally } from './tally.mjs';

/** Reporter of Playwright that counts, and prints nothing. A test that passed only when tried again counts as passed. */
export default class E2eTally {
  /** @type {import('@playwright/test/reporter').Suite | undefined} */
  #suite;

  /**
   * @param {unknown} _config
   * @param {import('@playwright/test/reporter').Suite} suite
   */
  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onEnd() {
    const tally = { passed: 0, failed: 0, skipped: 0 };
    for (const test of this.#suite?.allTests() ?? []) {
      if (test.outcome() === 'skipped') tally.skipped++;
      else if (test.outcome() === 'unexpected') tally.failed++;
      else tally.passed++;
    }
    writeTally('e2e', tally);
  }

  printsToStdio() {
    return false;
  }
}
