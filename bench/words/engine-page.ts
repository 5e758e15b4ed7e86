import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { ensurePrograms } from '../../scripts/programs.mjs';
import { type ElementServer, startElementServer } from '../../test/demo/element-server.js';
import { type Browser, type EngineName, openBrowser } from '../../test/engines/launch/engine.js';
import { openSoundCard, type SoundCard } from '../../test/engines/launch/sound-card.js';

const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const OPEN = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };

/** An engine with a sound card, whose pages run code with the element. */
export class EnginePages {
  readonly #browser: Browser;
  readonly #card: SoundCard;
  readonly #elements: ElementServer;
  readonly #results: Server;
  #take: (result: string) => void = () => {};

  /** Opens Chromium, Firefox or WebKitGTK; installs it if it is missing. */
  static async open(engine: EngineName): Promise<EnginePages> {
    const missing = await ensurePrograms([engine, 'sound']);
    if (missing.length > 0) throw new Error(`These programs are missing: ${missing.join(', ')}`);
    if (engine === 'chromium') process.env.SVC_CHROMIUM ??= await ensureBrowser({ whole: true });
    const card = await openSoundCard();
    const browser = await openBrowser(engine, { autoplay: true, sharedMemory: true, env: card.env });
    return new EnginePages(browser, card, await startElementServer());
  }

  private constructor(browser: Browser, card: SoundCard, elements: ElementServer) {
    this.#browser = browser;
    this.#card = card;
    this.#elements = elements;
    this.#results = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.writeHead(204, OPEN).end();
        if (request.method === 'POST') this.#take(body);
      });
    }).listen(0, '127.0.0.1');
  }

  get version(): string {
    return this.#browser.version;
  }

  /**
   * Opens a page that runs the function body `act` with the element `speaker`, and returns its result.
   *
   * @param isolated - True for a page that is cross-origin isolated.
   */
  async run<Result>(act: string, isolated: boolean): Promise<Result> {
    if (!this.#results.listening) await once(this.#results, 'listening');
    const { port } = this.#results.address() as AddressInfo;
    this.#elements.page = {
      headers: isolated ? ISOLATION : {},
      html: `<!doctype html><title>Bench</title><svc-speaker></svc-speaker>
        <script type="module">
          import '/element.js';
          const speaker = document.querySelector('svc-speaker');
          const result = await (async () => { ${act} })().catch((error) => ({ error: String(error) }));
          await fetch('http://127.0.0.1:${port}/', { method: 'POST', body: JSON.stringify(result) });
        </script>`,
    };
    const page = await this.#browser.openPage();
    const result = new Promise<string>((resolve) => (this.#take = resolve));
    await page.goto(`http://127.0.0.1:${this.#elements.port}/`);
    const found = JSON.parse(await result) as Result & { error?: string };
    await page.close();
    if (found.error) throw new Error(found.error);
    return found;
  }

  async close(): Promise<void> {
    this.#results.close();
    this.#elements.close();
    await this.#browser.close();
    await this.#card.close();
  }
}
