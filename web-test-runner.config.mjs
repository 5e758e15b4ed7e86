import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { ensureBrowser } from './scripts/browser.mjs';
import { browserTally } from './scripts/test/browser-tally.mjs';
import { gatewayPlugin } from './test/setup/gateway-plugin.mjs';
import { isolatedPage, isolationPlugin, plainPage } from './test/setup/isolation.mjs';

/** `SVC_BROWSER_TESTS` runs some of them; the runner's own `--files` would add a third group. */
const files = process.env.SVC_BROWSER_TESTS ?? 'test/browser/**/*.test.ts';

/**
 * Tests in a real browser: element, worker and worklet together. Every file runs twice, on a cross-origin isolated page
 * and on a plain one; `crossOriginIsolated` tells a test where it is.
 */
export default {
  groups: [
    { name: 'isolated', files, testRunnerHtml: isolatedPage },
    { name: 'plain', files, testRunnerHtml: plainPage },
  ],
  // Packages as their users get them, rather than their development builds.
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [esbuildPlugin({ ts: true, target: 'es2022' }), isolationPlugin(), gatewayPlugin()],
  browsers: [
    playwrightLauncher({
      product: 'chromium',
      launchOptions: {
        executablePath: await ensureBrowser(),
        args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
        // A muted browser would still run the audio thread, but on no device.
        ignoreDefaultArgs: ['--mute-audio'],
      },
    }),
  ],
  // One page at a time: tests of audio timing must not compete for two cores.
  concurrency: 1,
  concurrentBrowsers: 1,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 300_000,
  testFramework: { config: { timeout: '30000' } },
  reporters: [defaultReporter({ reportTestProgress: false }), browserTally()],
};
