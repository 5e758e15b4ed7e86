import { defineConfig } from '@playwright/test';
import { ensureBrowser } from './scripts/browser.mjs';

/** The demo as a person meets it. The tests start it themselves; see test/demo/demo-server.ts. */
export default defineConfig({
  testDir: 'test/demo',
  outputDir: '.cache/e2e',
  // What is heard depends on the two cores not being busy with something else: one such page at a time, and one other.
  workers: 2,
  projects: [
    { name: 'heard', testMatch: 'heard/*.spec.ts', workers: 1 },
    { name: 'seen', testIgnore: 'heard/**', workers: 1 },
  ],
  timeout: 60_000,
  forbidOnly: process.env.CI !== undefined,
  reporter: [
    ['list'],
    ['html', { outputFolder: '.cache/e2e-report', open: 'never' }],
    ['./scripts/test/e2e-tally.mjs'],
  ],
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
