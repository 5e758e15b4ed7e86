import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { browserTally } from '../../scripts/test/browser-tally.mjs';
import { bundlePlugin } from './bundle-plugin.mjs';
import { gatewayPlugin } from './gateway-plugin.mjs';
import { isolatedPage, isolationPlugin, plainPage } from './isolation.mjs';

/** What holds of @web/test-runner in every browser. */
export const shared = {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  // Packages as their users get them, rather than their development builds.
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [bundlePlugin(), esbuildPlugin({ ts: true, target: 'es2022' }), isolationPlugin(), gatewayPlugin()],
  concurrentBrowsers: 1,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 600_000,
  testFramework: { config: { timeout: '60000' } },
  reporters: [defaultReporter({ reportTestProgress: false }), browserTally()],
};

/**
 * What the main thread does alone: how samples get to the audio thread makes no difference to it.
 *
 * @param {string} files
 * @param {import('@web/test-runner').BrowserLauncher} browser
 */
export function onOnePage(files, browser) {
  return [{ name: `one page, ${files}`, files, browsers: [browser], testRunnerHtml: isolatedPage }];
}

/**
 * Every file runs twice, on a cross-origin isolated page and on a plain one; `crossOriginIsolated` tells a test where it
 * is.
 *
 * @param {string} files
 * @param {import('@web/test-runner').BrowserLauncher} browser
 * @param {import('@web/test-runner').BrowserLauncher} [plainBrowser] - For the plain page, if it takes another one.
 */
export function onBothPages(files, browser, plainBrowser = browser) {
  return [
    { name: 'isolated', files, browsers: [browser], testRunnerHtml: isolatedPage },
    { name: 'plain', files, browsers: [plainBrowser], testRunnerHtml: plainPage },
  ];
}
