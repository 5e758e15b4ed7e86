import { writeTally } from './tally.mjs';

/**
 * Reporter of `node --test` that counts tests, not the suites around them, and prints nothing. `SVC_TALLY` names the
 * tally.
 *
 * @param {AsyncIterable<{ type: string, data: any }>} events
 */
export default async function* nodeTally(events) {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') continue;
    if (data.skip !== undefined || data.todo !== undefined) tally.skipped++;
    else if (type === 'test:pass') tally.passed++;
    else tally.failed++;
  }
  writeTally(process.env.SVC_TALLY ?? 'node', tally);
  yield '';
}
