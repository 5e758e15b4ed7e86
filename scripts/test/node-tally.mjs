import { relative } from 'node:path';
import { ROOT } from '../root.mjs';
import { addFailure, noTests, tallyOf, writeTally } from './tally.mjs';

/**
 * Reporter of `node --test` that counts tests, not the suites around them, and prints nothing. `SVC_TALLY` names the
 * tally.
 *
 * @param {AsyncIterable<{ type: string, data: any }>} events
 */
export default async function* nodeTally(events) {
  /** @type {Record<string, import('./tally.mjs').Figures>} */
  const files = {};
  const run = process.argv.filter((argument) => argument.endsWith('.test.ts'));
  let current = run[0];
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') continue;
    // Tests may be made by a function of another file; those of one file come together.
    const made = relative(ROOT, data.file ?? data.name);
    if (run.includes(made)) current = made;
    const file = current ?? made;
    const figures = (files[file] ??= noTests());
    if (data.skip !== undefined || data.todo !== undefined) figures.skipped++;
    else if (type === 'test:pass') figures.passed++;
    else addFailure(figures, `${file} › ${data.name}`, data.details?.error?.cause?.message ?? data.details?.error);
  }
  writeTally(process.env.SVC_TALLY ?? 'node', tallyOf(files));
  yield '';
}
