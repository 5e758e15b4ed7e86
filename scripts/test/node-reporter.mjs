import { relative } from 'node:path';

/**
 * Reporter for `node --test`: one line of JSON per test. See `Result` in results.mjs.
 *
 * @param {AsyncIterable<{ type: string, data: any }>} events
 */
export default async function* nodeReporter(events) {
  for await (const { type, data } of events) {
    const { type: kind, error } = data?.details ?? {};
    // Suites, and tests with subtests, are counted by their tests. A suite itself fails if a hook throws.
    const counts = type === 'test:fail' ? error?.failureType !== 'subtestsFailed' : kind !== 'suite';
    if (!counts || (type !== 'test:pass' && type !== 'test:fail')) continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const outcome = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    const name = data.file === undefined ? data.name : `${relative('', data.file)} › ${data.name}`;
    yield `${JSON.stringify({ name, outcome, message: error?.cause?.message ?? error?.message })}\n`;
  }
}
