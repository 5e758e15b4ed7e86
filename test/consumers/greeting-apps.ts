import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium } from 'playwright';
// @ts-expect-error: a script without types
import { ensureBrowser } from '../../scripts/browser.mjs';
import { startDevServer } from './app-server.js';
import type { Consumers } from './consumers.js';
import { assertGreets, PATIENCE_MS } from './greets.js';

/**
 * Declares the tests of apps whose pages have a button that speaks, and their own source of speech.
 *
 * @param skip - Reason to skip the tests; false to run them.
 */
export function greetingApps(consumers: Consumers, skip: string | false): void {
  describe('pages with their own source of speech', { timeout: 3 * PATIENCE_MS }, () => {
    let browser: Browser;

    before(async () => {
      browser = await chromium.launch({ executablePath: (await ensureBrowser()) as string, args: ['--no-sandbox'] });
    });
    after(async () => {
      await browser.close();
    });

    it('the example for StackBlitz plays its recording over an uneven network', { skip }, async () => {
      const server = await startDevServer(consumers.apps!, join(consumers.apps!, 'stackblitz'), {});
      try {
        await assertGreets(browser, server.origin, 'Play over an uneven network');
      } finally {
        await server.close();
      }
    });
  });
}
