import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { ensureBrowser } from './scripts/browser.mjs';
import { browserTally } from './scripts/test/browser-tally.mjs';
import { frameworksPlugin } from './test/setup/frameworks-plugin.mjs';
import { gatewayPlugin } from './test/setup/gateway-plugin.mjs';
import { isolatedPage, isolationPlugin, plainPage } from './test/setup/isolation.mjs';

/** `SVC_BROWSER_TESTS` runs some of them, one page at a time; the runner's own `--files` would add groups. */
const chosen = process.env.SVC_BROWSER_TESTS;

const chromium = {
  executablePath: await ensureBrowser(),
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  // A muted browser would still run the audio thread, but on no device.
  ignoreDefaultArgs: ['--mute-audio'],
};

/**
 * @param {string} files
 * @param {number} concurrency - Pages at a time.
 */
function onBothPages(files, concurrency) {
  const browsers = [playwrightLauncher({ product: 'chromium', launchOptions: chromium, concurrency })];
  return [
    { name: 'isolated', files, browsers, testRunnerHtml: isolatedPage },
    { name: 'plain', files, browsers, testRunnerHtml: plainPage },
  ];
}

/**
 * Tests in a real browser: element, worker and worklet together. Every file runs twice, on a cross-origin isolated page
 * and on a plain one; `crossOriginIsolated` tells a test where it is. What tests when something is heard must not compete
 * for two cores.
 */
export default {
  groups: chosen
    ? onBothPages(chosen, 1)
    : [...onBothPages('test/browser/*.test.ts', 2), ...onBothPages('test/browser/timed/*.test.ts', 1)],
  // Packages as their users get them, rather than their development builds.
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [frameworksPlugin(), esbuildPlugin({ ts: true, target: 'es2022' }), isolationPlugin(), gatewayPlugin()],
  concurrentBrowsers: 1,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 300_000,
  testFramework: { config: { timeout: '30000' } },
  reporters: [defaultReporter({ reportTestProgress: false }), browserTally()],
};
