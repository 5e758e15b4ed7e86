import { type Browser, chromium, type Page } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { type ElementServer, startElementServer } from '../../test/demo/element-server.js';
import { bundlePage } from '../bundle-page.js';
import type { ChaosScene, UtteranceReport } from './scene.js';

const HEADERS = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** A page with the element, in a browser of its own. */
export class ChaosPage {
  readonly origin: string;
  readonly #server: ElementServer;
  readonly #browser: Browser;
  readonly #page: Page;

  static async open(): Promise<ChaosPage> {
    const server = await startElementServer();
    server.page = {
      headers: HEADERS,
      html: `<!doctype html><title>Chaos</title><body>
        <script type="module" src="/element.js"></script><script type="module" src="/page.js"></script>`,
      script: await bundlePage(new URL('page.ts', import.meta.url)),
    };
    const browser = await chromium.launch({
      executablePath: await ensureBrowser({ whole: true }),
      args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
      timeout: 0, // the machine may be busy
    });
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    const origin = `http://127.0.0.1:${server.port}`;
    await page.goto(origin);
    await page.waitForFunction('window.chaos');
    return new ChaosPage(origin, server, browser, page);
  }

  private constructor(origin: string, server: ElementServer, browser: Browser, page: Page) {
    this.origin = origin;
    this.#server = server;
    this.#browser = browser;
    this.#page = page;
  }

  /** Plays a scene to its end. */
  play(scene: ChaosScene, endpoint: string): Promise<UtteranceReport[]> {
    return this.#page.evaluate(([it, from]) => window.chaos(it, from), [scene, endpoint] as const);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
  }
}
