import { defineConfig, type ReporterDescription } from '@playwright/test';
import { ensureBrowser } from './scripts/browser.mjs';
import { API_KEY } from './test/demo/api-key.js';

/** Set by scripts/test.mjs, which counts the results. */
const results = process.env.SVC_RESULTS;
const own: ReporterDescription[] = results ? [['./scripts/test/playwright-reporter.mjs']] : [];
const output = results?.replace(/\.json$/, '') ?? '.cache/test/demo';

/** Time limit for starting the demo. On a fresh clone that includes installing and building. */
const START_TIMEOUT_MS = 600_000;

const launchOptions = {
  executablePath: await ensureBrowser(),
  args: ['--no-sandbox'],
  // A muted browser would still run the audio thread, but on no device.
  ignoreDefaultArgs: ['--mute-audio'],
};

/** Tests of the demo pages, which `npm start` serves. */
export default defineConfig({
  testDir: 'test/demo',
  outputDir: `${output}-files`,
  workers: 2,
  fullyParallel: true,
  // One demo for all tests; what it prints ends up in SVC_DEMO_URL.
  webServer: {
    command: 'node scripts/start.mjs',
    env: { PORT: '0', CI: '1', SVC_BASE_URL: '', SVC_API_KEY: API_KEY },
    wait: { stdout: /^ready (?<svc_demo_url>http:\S+)$/m },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    timeout: START_TIMEOUT_MS,
  },
  // Only what hangs takes so long.
  timeout: 600_000,
  expect: { timeout: 300_000 },
  // `npm run test:long` runs the others, too.
  ...(process.env.SVC_LONG ? {} : { grepInvert: /@long/ }),
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['html', { outputFolder: `${output}-report`, open: 'never' }], ...own],
  // Only tests in heard/ need an idle processor: they measure how soon a stop is heard, read frames, or use a microphone,
  // which loses sound on a busy machine. Those that need another try count as flaky. Other recordings are whole on any
  // machine, because the recorder is in the page's audio graph.
  projects: [
    { name: 'demo', testIgnore: '**/heard/**' },
    { name: 'heard', testMatch: '**/heard/*.spec.ts', retries: 2 },
  ],
  use: {
    browserName: 'chromium',
    // Headless Chromium draws on the processor: fewer pixels leave more of it to the speech.
    viewport: { width: 800, height: 600 },
    launchOptions,
  },
});
