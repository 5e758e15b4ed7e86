import { test, type PlaywrightTestConfig } from '@playwright/test';
import { startElementServer } from '../element-server.js';

const PAGE = `<!doctype html>
  <title>Greets</title>
  <svc-speaker controls jitter-buffer-target="2000" text="Hello." session-endpoint="/speech/session"></svc-speaker>
  <script src="/element.js" type="module"></script>`;

/** Loads an example, which belongs to another TypeScript project. */
const load = (file: string) => import(new URL(`../../../docs/examples/${file}`, import.meta.url).href);

const { default: config } = (await load('testing/playwright.config.ts')) as { default: PlaywrightTestConfig };

test.use({
  launchOptions: [
    ({ launchOptions }, use) => use({ ...launchOptions, ...config.use?.launchOptions }),
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern
  baseURL: async ({}, use) => {
    const server = await startElementServer();
    server.page = { html: PAGE };
    await use(`http://127.0.0.1:${server.port}/`);
    server.close();
  },
});

// These declare the tests that docs/testing.md shows.
await load('testing/greeting.spec.ts');
await load('testing/stop.spec.ts');
