import { runNode } from '../command.mjs';
import { clearTally, readTally } from './tally.mjs';

/** A runner that takes longer hangs. In milliseconds. */
export const RUNNER_TIMEOUT_MS = 480_000;

/**
 * Runs a test runner and reads what it counted. One that broke off, or executed no test, has failed.
 *
 * @param {string} runner - Name under which it leaves its tally.
 * @param {string[]} args - Arguments for Node.
 * @param {Parameters<typeof runNode>[1]} [options] - As for `runNode`.
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export async function count(runner, args, options = {}) {
  clearTally(runner);
  const env = { ...options.env, SVC_TALLY: runner };
  const code = await runNode(args, { timeoutMs: RUNNER_TIMEOUT_MS, ...options, env });
  const tally = readTally(runner) ?? { passed: 0, failed: 0, skipped: 0 };
  if (tally.passed + tally.failed === 0) console.error(`The ${runner} tests executed no test.`);
  else if (code === 0 || tally.failed > 0) return tally;
  else console.error(`The ${runner} tests ended with code ${code} though no test failed.`);
  return { ...tally, failed: tally.failed + 1 };
}
