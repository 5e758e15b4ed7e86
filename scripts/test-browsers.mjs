/**
 * `npm run test:browsers`: the element in Chromium, Firefox and WebKitGTK. `-- firefox` runs only the engines named,
 * `SVC_BROWSER_TESTS` only some files of the browser suite. The last line is `N passed, N failed`.
 */
import { runNode } from './command.mjs';
import { ENGINES } from './engines.mjs';
import { ensureInstalled } from './install.mjs';
import { testEngines } from './test/engine-tests.mjs';

const named = process.argv.slice(2);
const unknown = named.filter((name) => !ENGINES.some((engine) => engine === name));
if (unknown.length > 0) {
  console.error(`No engine ${unknown.join(', ')}; there are ${ENGINES.join(', ')}.`);
  process.exit(2);
}
await ensureInstalled();
if ((await runNode(['scripts/build-threads.mjs'])) !== 0) process.exit(1);
const engines = ENGINES.filter((engine) => named.length === 0 || named.includes(engine));
const { passed, failed, skipped } = await testEngines(engines);
if (failed > 0) process.exitCode = 1;
if (skipped > 0) console.log(`\n${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
