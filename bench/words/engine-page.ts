import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { ensurePrograms } from '../../scripts/programs.mjs';
import { type ElementServer, startElementServer } from '../../test/demo/element-server.js';
import { type Browser, type EngineName, openBrowser } from '../../test/engines/launch/engine.js';
import type { Recorder } from '../../test/engines/launch/recorder.js';
import { openSoundCard, type SoundCard } from '../../test/engines/launch/sound-card.js';

const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const OPEN = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };

/** A click counts as one after this many quiet samples. */
const QUIET = 1000;
const LEVEL = 0.02 * 2 ** 15;

/** Name of the device to which pages can change; they can find it in Chromium. */
export const OTHER_CARD = 'other';

/** Times of events, in ms since the epoch, and the time from which clicks count. */
export interface Found {
  readonly since: number;
  readonly events: readonly number[];
  /** Number of the word at each event, if the page has noted it. */
  readonly words?: readonly number[];
  /** Time from the frame before to the one of each event, in ms, if the page has noted it. */
  readonly frames?: readonly number[];
}

/** An engine with two sound cards, whose pages run code with the element. */
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
    await card.plug(OTHER_CARD);
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
   * Runs code as `run` does, and records what the sound cards play.
   *
   * @returns Times at which clicks begin there, in ms since the epoch.
   */
  async hear(act: string, isolated: boolean, script = ''): Promise<{ found: Found; clicks: number[] }> {
    const recorders = [this.#card.record(), this.#card.record(OTHER_CARD)];
    const found = await this.run(act, isolated, script);
    const clicks = await Promise.all(recorders.map((recorder) => clicksIn(recorder)));
    return { found, clicks: clicks.flat().toSorted((a, b) => a - b) };
  }

  /**
   * Opens a page that runs the function body `act` with the element `speaker`, and returns its result.
   *
   * @param isolated - True for a page that is cross-origin isolated.
   * @param script - Content of `/page.js`, which the code may import.
   */
  async run(act: string, isolated: boolean, script = ''): Promise<Found> {
    if (!this.#results.listening) await once(this.#results, 'listening');
    const { port } = this.#results.address() as AddressInfo;
    this.#elements.page = {
      script,
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
    const found = JSON.parse(await result) as Found & { error?: string };
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

/** Ends a recording, and returns the times at which clicks begin in it, in ms since the epoch. */
async function clicksIn(recorder: Recorder): Promise<number[]> {
  await recorder.until(performance.timeOrigin + performance.now() + 300);
  const { rate, startedAt, pcm } = await recorder.stop();
  const clicks: number[] = [];
  let quiet = 0;
  for (const [frame, sample] of leftOf(Buffer.from(pcm, 'base64')).entries()) {
    if (Math.abs(sample) < LEVEL) quiet++;
    else {
      if (quiet > QUIET) clicks.push(startedAt + (frame / rate) * 1000);
      quiet = 0;
    }
  }
  return clicks;
}

/** Returns the left samples of two channels. */
function leftOf(pcm: Buffer): Int16Array {
  return Int16Array.from({ length: Math.floor(pcm.length / 4) }, (_, frame) => pcm.readInt16LE(4 * frame));
}
