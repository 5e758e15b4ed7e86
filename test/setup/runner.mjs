import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { summaryReporter } from '@web/test-runner';
import { webReporter } from './web-reporter.mjs';
import { audioMiddleware } from './audio-server.mjs';
import { bundleMiddleware } from './bundle-middleware.mjs';
import { gatewayPlugin } from './gateway-plugin.mjs';
import { isolatedPage, isolationPlugin, plainPage, policyPage } from './isolation.mjs';

/** Configuration of @web/test-runner that every browser shares. */
export const shared = {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  // Packages as users get them, not their development builds.
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [esbuildPlugin({ ts: true, target: 'es2022' }), isolationPlugin(), gatewayPlugin()],
  middleware: [audioMiddleware, bundleMiddleware()],
  concurrentBrowsers: 1,
  browserStartTimeout: 180_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 1_200_000,
  testFramework: { config: { timeout: '180000' } },
  reporters: [summaryReporter(), webReporter()],
};

/**
 * Groups test files by the kind of page they run on. Each file runs on a cross-origin isolated page and on a plain one,
 * and reads `crossOriginIsolated` to know which. Files in `one-page/` run on the isolated page only: they do not depend
 * on how samples are transported. Files in `document-policy/` run on a page that Document-Isolation-Policy isolates.
 *
 * @param {string[]} files - Paths or patterns.
 * @param {import('@web/test-runner').BrowserLauncher} isolated - Opens the isolated pages.
 * @param {import('@web/test-runner').BrowserLauncher} [plain] - Opens the plain pages.
 */
export function pageGroups(files, isolated, plain = isolated) {
  const onePage = files.filter((file) => file.includes('/one-page/'));
  const policy = files.filter((file) => file.includes('/document-policy/'));
  const both = files.filter((file) => !onePage.includes(file) && !policy.includes(file));
  return [
    { name: 'isolated', files: both, browsers: [isolated], testRunnerHtml: isolatedPage },
    { name: 'plain', files: both, browsers: [plain], testRunnerHtml: plainPage },
    { name: 'document policy', files: policy, browsers: [isolated], testRunnerHtml: policyPage },
    { name: 'one page', files: onePage, browsers: [isolated], testRunnerHtml: isolatedPage },
  ].filter((group) => group.files.length > 0);
}
