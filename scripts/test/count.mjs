import { runNode } from '../command.mjs';
import { addFailure, clearTally, readTally, tallyOf } from './tally.mjs';

/** A runner that takes longer hangs, on the slowest machine too. In milliseconds. */
export const RUNNER_TIMEOUT_MS = 1_200_000;

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
  const tally = readTally(runner) ?? tallyOf({});
  if (tally.passed + tally.failed === 0) addFailure(tally, `The ${runner} tests executed no test (code ${code}).`);
  else if (code !== 0 && tally.failed === 0)
    addFailure(tally, `The ${runner} tests ended with code ${code} though no test failed.`);
  return tally;
}
