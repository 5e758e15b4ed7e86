import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright';
// @ts-expect-error: a script without types
import { ensureBrowser } from '../../scripts/browser.mjs';
import { startDevServer } from './app-server.js';
import { type Consumers, ROOT, runTool } from './consumers.js';
import { assertGreets, PATIENCE_MS } from './greets.js';
import { freePort, Programs } from './programs.js';

/** The part of the speech service that the tests use. */
interface Service {
  readonly url: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/**
 * Declares the tests of apps whose pages have a button that speaks, and their own source of speech.
 *
 * @param skip - Reason to skip the tests; false to run them.
 * @param withFrameworks - True if the packages of `apps/frameworks` are installed.
 */
export function greetingApps(consumers: Consumers, skip: string | false, withFrameworks: boolean): void {
  describe('pages with their own source of speech', { timeout: 3 * PATIENCE_MS }, () => {
    const programs = new Programs();
    let browser: Browser;

    before(async () => {
      browser = await chromium.launch({ executablePath: (await ensureBrowser()) as string, args: ['--no-sandbox'] });
    });
    after(async () => {
      await browser.close();
      await programs.end();
    });

    it('the example for StackBlitz plays its recording over an uneven network', { skip }, async () => {
      const server = await startDevServer(consumers.apps!, join(consumers.apps!, 'stackblitz'), {});
      try {
        await assertGreets(browser, server.origin, 'Play over an uneven network');
      } finally {
        await server.close();
      }
    });

    const skipKit = skip || (!withFrameworks && 'runs in npm run test:long');
    it('SvelteKit builds without the key, renders on a server, hydrates and speaks', { skip: skipKit }, async () => {
      const app = 'frameworks/sveltekit';
      // The handler that docs/backend.md shows is loaded by the build.
      const { code, output, errors } = await runTool(consumers.apps!, app, 'vite/bin/vite.js', ['build']);
      assert.equal(code, 0, output + errors);

      const { createService } = (await import(pathToFileURL(join(ROOT, 'service/dist/index.js')).href)) as {
        createService(options: { port: number }): Promise<Service>;
      };
      const service = await createService({ port: 0 });
      try {
        const port = String(await freePort());
        const vite = join(consumers.apps!, 'frameworks/node_modules/vite/bin/vite.js');
        const preview = [process.execPath, vite, 'preview', '--strictPort', '--port', port] as const;
        const variables = { SVC_BASE_URL: service.url, SVC_API_KEY: service.apiKey };
        const url = `http://localhost:${port}/`;
        await programs.start(join(consumers.apps!, app), preview, variables, /localhost:/);
        const html = await (await fetch(url)).text();
        assert.match(html, /<svc-speaker controls(="")? session-endpoint="\/speech\/session"/);
        assert.doesNotMatch(html, /file:/, 'a URL of the server');
        await assertGreets(browser, url, 'Greet', [{ name: 'user', value: 'zoe', url }]);
      } finally {
        await service.close();
      }
    });
  });
}
