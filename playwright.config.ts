import { defineConfig } from '@playwright/test';
import { ensureBrowser } from './scripts/browser.mjs';

/** The demo as a person meets it. The tests start it themselves; see test/e2e/demo-server.ts. */
export default defineConfig({
  testDir: 'test/e2e',
  outputDir: '.cache/e2e',
  // One page at a time: what is heard depends on the two cores not being busy with something else.
  workers: 1,
  timeout: 60_000,
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['./scripts/test/e2e-tally.mjs']],
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: await ensureBrowser(),
      args: ['--no-sandbox'],
      // A muted browser would still run the audio thread, but on no device.
      ignoreDefaultArgs: ['--mute-audio'],
    },
  },
});
