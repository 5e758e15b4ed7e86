import { relative } from 'node:path';
import { ROOT } from '../root.mjs';
import { addFailure, noTests, tallyOf, writeTally } from './tally.mjs';

/** Reporter of Playwright that counts, and prints nothing. */
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
    /** @type {Record<string, import('./tally.mjs').Figures>} */
    const files = {};
    for (const test of this.#suite?.allTests() ?? []) {
      const file = relative(ROOT, test.location.file);
      const figures = (files[file] ??= noTests());
      const outcome = test.outcome();
      if (outcome === 'skipped') figures.skipped++;
      else if (outcome === 'expected') figures.passed++;
      else addFailure(figures, `${file} › ${test.title}`, test.results.at(-1)?.error?.message);
    }
    writeTally('e2e', tallyOf(files));
  }

  printsToStdio() {
    return false;
  }
}
