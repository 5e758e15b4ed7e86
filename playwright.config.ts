import { defineConfig, type ReporterDescription } from '@playwright/test';
import { ensureBrowser } from './scripts/browser.mjs';

/** Set by scripts/test.mjs, which counts the results. */
const results = process.env.SVC_RESULTS;
const json: ReporterDescription[] = results ? [['json', { outputFile: results }]] : [];

/** Tests of the demo page. They start the demo themselves: see test/demo/demo-server.ts. */
export default defineConfig({
  testDir: 'test/demo',
  outputDir: '.cache/demo',
  // Two cores: one page that is listened to, and one other page.
  workers: 2,
  projects: [
    // Recordings of a real-time audio device, which loses samples if the processor is busy for too long.
    { name: 'heard', testMatch: 'heard/*.spec.ts', workers: 1, retries: 2 },
    { name: 'seen', testIgnore: 'heard/**', workers: 1 },
  ],
  timeout: 60_000,
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['html', { outputFolder: '.cache/demo-report', open: 'never' }], ...json],
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
