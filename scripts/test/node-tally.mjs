import { relative } from 'node:path';
import { ROOT } from '../root.mjs';
import { addTallies, writeTally } from './tally.mjs';

/**
 * Reporter of `node --test` that counts tests, not the suites around them, and prints nothing. `SVC_TALLY` names the
 * tally.
 *
 * @param {AsyncIterable<{ type: string, data: any }>} events
 */
export default async function* nodeTally(events) {
  /** @type {Record<string, import('./tally.mjs').Figures>} */
  const files = {};
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') continue;
    const figures = (files[relative(ROOT, data.file ?? data.name)] ??= { passed: 0, failed: 0, skipped: 0 });
    if (data.skip !== undefined || data.todo !== undefined) figures.skipped++;
    else if (type === 'test:pass') figures.passed++;
    else figures.failed++;
  }
  writeTally(process.env.SVC_TALLY ?? 'node', { ...addTallies(Object.values(files)), files });
  yield '';
}
