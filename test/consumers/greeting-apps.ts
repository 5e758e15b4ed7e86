import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { startDevServer } from './app-server.js';
import { type Consumers, ROOT, runTool } from './consumers.js';
import { assertGreets, PATIENCE_MS } from './greets.js';
import { freePort } from '../engines/launch/free-port.js';
import { Programs } from './programs.js';
import type { ServerApp } from './server-apps.js';

/** The part of the speech service that the tests use. */
interface Service {
  readonly url: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/**
 * Declares the tests of apps whose pages have a button that speaks, and their own source of speech.
 *
 * @param servers - Apps with a server to test.
 * @param skip - Reason to skip the tests; false to run them.
 */
export function greetingApps(consumers: Consumers, servers: readonly ServerApp[], skip: string | false): void {
  describe('pages with their own source of speech', () => {
    const timeout = 3 * PATIENCE_MS;
    const programs = new Programs();
    let browser: Browser;

    before(async () => {
      browser = await chromium.launch({ executablePath: await ensureBrowser(), args: ['--no-sandbox'] });
    });
    after(async () => {
      await browser.close();
      await programs.end();
    });

    it('the example for StackBlitz plays its recording over an uneven network', { skip, timeout }, async () => {
      const server = await startDevServer(consumers.apps!, join(consumers.apps!, 'stackblitz'), {});
      try {
        await assertGreets(browser, server.origin, 'Play over an uneven network');
      } finally {
        await server.close();
      }
    });

    for (const { name, folder, build, start } of servers) {
      it(`${name} builds without the key, renders on a server, hydrates and speaks`, { skip, timeout }, async () => {
        // The build loads the handler that docs/backend.md shows.
        const [file, ...args] = build;
        const { code, output, errors } = await runTool(consumers.apps!, folder, file, args);
        assert.equal(code, 0, output + errors);

        const { createService } = (await import(pathToFileURL(join(ROOT, 'service/dist/index.js')).href)) as {
          createService(options: { port: number }): Promise<Service>;
        };
        const service = await createService({ port: 0 });
        try {
          const port = String(await freePort());
          const variables = { SVC_BASE_URL: service.url, SVC_API_KEY: service.apiKey, HOST: 'localhost', PORT: port };
          const program = [process.execPath, ...start] as const;
          // Each server prints its address when it listens.
          await programs.start(join(consumers.apps!, folder), program, variables, new RegExp(`:${port}\\b`));
          const url = `http://localhost:${port}/`;
          const html = await (await fetch(url)).text();
          assert.match(html, /<svc-speaker(?=[^>]* controls\b)[^>]* session-endpoint="\/speech\/session"/);
          assert.doesNotMatch(html, /file:/, 'a URL of the server');
          await assertGreets(browser, url, 'Greet', [{ name: 'user', value: 'zoe', url }]);
        } finally {
          await service.close();
        }
      });
    }
  });
}
