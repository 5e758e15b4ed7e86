import { ENGINES, ensureEngines } from '../engines.mjs';
import { count } from './count.mjs';
import { noTests, tallyOf } from './tally.mjs';

/** What tells most in the least time, besides the recording: whether a page is what we take it for, and the way it starts. */
const FEW = 'test/page/{smoke,one-page/early-session}.test.ts';

/** All of them, in one engine; much of it takes the time that sound takes. In milliseconds. */
const WHOLE_TIMEOUT_MS = 1_800_000;

/**
 * Tests the element in several engines: its browser suite, a recording of what the sound card gets, and what we expect of
 * the engine itself. An engine that is not to be had counts as one test skipped.
 *
 * @param {readonly import('../engines.mjs').EngineName[]} engines
 * @param {object} [options]
 * @param {boolean} [options.few] - Of the browser suite, only a few files.
 * @returns {Promise<import('./tally.mjs').Tally>} With a part for each engine.
 */
export async function testEngines(engines = ENGINES, { few = false } = {}) {
  const found = await ensureEngines(engines);
  /** @type {Record<string, import('./tally.mjs').Figures>} */
  const parts = {};
  for (const engine of engines) {
    const programs = found[engine];
    if (programs === undefined) {
      parts[engine] = { ...noTests(), skipped: 1 };
      continue;
    }
    console.log(`\n--- ${engine} ---`);
    const runner = [
      'node_modules/@web/test-runner/dist/bin.js',
      '--config',
      'test/engines/launch/web-test-runner.config.mjs',
    ];
    const env = { ...(few && { SVC_BROWSER_TESTS: FEW }), ...programs, SVC_ENGINE: engine };
    const { failures, ...figures } = await count('browser', ['--import', 'tsx', ...runner], {
      env,
      ...(!few && { timeoutMs: WHOLE_TIMEOUT_MS }),
    });
    parts[engine] = { ...figures, failures: failures.map((failure) => `${engine}: ${failure}`) };
  }
  return tallyOf(parts);
}
