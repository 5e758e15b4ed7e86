import { defineConfig } from '@playwright/test';

const { PORT, SVC_CHROMIUM } = process.env;
const url = `http://127.0.0.1:${PORT}/`;

export default defineConfig({
  reporter: 'line',
  workers: 1,
  timeout: 300_000,
  use: {
    baseURL: url,
    launchOptions: { executablePath: SVC_CHROMIUM, args: ['--no-sandbox'], ignoreDefaultArgs: ['--mute-audio'] },
  },
  webServer: { command: `node ../node_modules/vite/bin/vite.js --host 127.0.0.1 --port ${PORT} --strictPort`, url },
});
