import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { type Gateway, startGateway } from '../../src/testing/gateway.js';
import { type ElementServer, startElementServer } from '../../test/demo/element-server.js';
import type { Fault } from '../../test/demo/faults.js';
import { openSoundCard, type SoundCard } from '../../test/engines/launch/sound-card.js';
import { bundlePage } from '../bundle-page.js';
import { socketFaults } from './article-sockets.js';
import { HeapMeter } from './heap-meter.js';
import { type BrowserProcess, processUse } from './process-use.js';
import type { BrowserAct, PageAct, Scene, SceneReport } from './scene.js';

/** Transport of a page. */
export type Transport = 'shared' | 'message';

/** Everything that must not grow. */
export interface Reading {
  /** Seconds since the page was opened. */
  readonly at: number;
  readonly 'page objects, kB': number;
  readonly 'worker objects, kB': number;
  readonly 'page process, MB': number;
  readonly 'other processes, MB': number;
  readonly handles: number;
  readonly 'DOM nodes': number;
  readonly listeners: number;
  readonly contexts: number;
  /** Not collected yet. */
  readonly 'closed contexts': number;
  readonly workers: number;
  readonly sockets: number;
}

/** Options of a page. */
export interface SoakedPageOptions {
  readonly transport: Transport;
  /** False if there is no PulseAudio. */
  readonly hasDevices: boolean;
  /** Fault that is planted in the player. */
  readonly fault: Fault | undefined;
}

const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** Name of the device that is not the default. */
const OTHER_DEVICE = 'other';

/** Interval between two looks at the number of sockets, in milliseconds. */
const POLL_MS = 50;

/** Time after which a socket is left open, in milliseconds. A player that closes its sockets takes much less. */
const SOCKET_LIMIT_MS = 60_000;

const PAGE_ACTS: readonly PageAct[] = ['block', 'cancel', 'duck', 'hide', 'pause', 'rate', 'remove', 'replay'];

/** A page with the element, in a browser of its own with a gateway and sound devices of its own. */
export class SoakedPage {
  readonly gateway: Gateway;
  readonly #server: ElementServer;
  readonly #card: SoundCard | null;
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #browserSession: CDPSession;
  readonly #heaps: HeapMeter;
  readonly #openedAt = performance.now();

  /** Starts the servers and the browser, and opens the page. */
  static async open({ transport, hasDevices, fault }: SoakedPageOptions): Promise<SoakedPage> {
    const gateway = await startGateway();
    const server = await startElementServer(fault);
    const threads = fault && { 'worker-url': '/worker.js', 'worklet-url': '/worklet.js' };
    server.page = {
      headers: transport === 'shared' ? ISOLATION : {},
      html: `<!doctype html><title>Soak</title><body data-attributes='${JSON.stringify({ transport, ...threads })}'>
        <script type="module" src="/element.js"></script><script type="module" src="/page.js"></script>`,
      script: await bundlePage(new URL('page.ts', import.meta.url)),
    };
    const card = hasDevices ? await openSoundCard() : null;
    await card?.plug(OTHER_DEVICE);
    const browser = await chromium.launch({
      executablePath: await ensureBrowser({ whole: true }),
      args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--use-fake-ui-for-media-stream'],
      ignoreDefaultArgs: ['--mute-audio'],
      timeout: 0, // the machine may be busy
      ...(card && { env: { ...card.env } }),
    });
    const context = await browser.newContext({ permissions: ['microphone'] });
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(error));
    const session = await context.newCDPSession(page);
    const soaked = new SoakedPage(gateway, server, card, browser, page, session, await browser.newBrowserCDPSession());
    await soaked.#watch();
    await page.goto(`http://127.0.0.1:${server.port}/`);
    await page.waitForFunction('window.soak');
    return soaked;
  }

  private constructor(
    gateway: Gateway,
    server: ElementServer,
    card: SoundCard | null,
    browser: Browser,
    page: Page,
    session: CDPSession,
    browserSession: CDPSession,
  ) {
    this.gateway = gateway;
    this.#server = server;
    this.#card = card;
    this.#browser = browser;
    this.#page = page;
    this.#session = session;
    this.#browserSession = browserSession;
    this.#heaps = new HeapMeter(session);
  }

  async #watch(): Promise<void> {
    await this.#session.send('Performance.enable');
    await this.#heaps.start();
  }

  /** Plays a scene to its end. */
  async play(scene: Scene): Promise<SceneReport> {
    const { connections } = this.gateway;
    const before = connections.length;
    await this.#page.evaluate((it) => window.soak.start(it), scene);
    const { act, actSeconds } = scene;
    if (act !== null) {
      if (isPageAct(act))
        await this.#page.evaluate(([name, s]) => window.soak.act(name, s), [act, actSeconds] as const);
      else await this.#act(act, actSeconds);
    }
    const report = await this.#page.evaluate(() => window.soak.end());
    if (report.meteredSeconds === undefined) return report;
    await this.#openSockets();
    const own = connections.slice(before);
    return { ...report, faults: [...report.faults, ...socketFaults(own, scene, report.meteredSeconds)] };
  }

  /** Describes the scene that is being played. */
  describe(): Promise<string> {
    return this.#page.evaluate(() => window.soak.describe());
  }

  /** Collects garbage and reads everything. */
  async read(): Promise<Reading> {
    const sockets = await this.#openSockets();
    const heaps = await this.#heaps.collect();
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const metric = (name: string): number => metrics.find((each) => each.name === name)?.value ?? 0;
    const contexts = await this.#page.evaluate(() => window.soak.contexts());
    const { page, others, handles } = processUse(await this.#processes());
    return {
      at: (performance.now() - this.#openedAt) / 1000,
      'page objects, kB': heaps.page / 1024,
      'worker objects, kB': heaps.worker / 1024,
      'page process, MB': page / 2 ** 20,
      'other processes, MB': others / 2 ** 20,
      handles,
      'DOM nodes': metric('Nodes'),
      listeners: metric('JSEventListeners'),
      ...contexts,
      workers: this.#page.workers().length,
      sockets,
    };
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
    await this.gateway.close();
    await this.#card?.close();
  }

  async #act(act: BrowserAct, seconds: number): Promise<void> {
    const pass = () => sleep(1000 * seconds);
    switch (act) {
      case 'freeze':
        await this.#session.send('Page.setWebLifecycleState', { state: 'frozen' });
        await pass();
        await this.#session.send('Page.setWebLifecycleState', { state: 'active' });
        break;
      case 'sleep': {
        const processes = await this.#processes();
        for (const { id } of processes) process.kill(id, 'SIGSTOP');
        await pass();
        for (const { id } of processes) process.kill(id, 'SIGCONT');
        break;
      }
      case 'sink':
        await this.#page.evaluate((label) => window.soak.setDevice(label), OTHER_DEVICE);
        await pass();
        await this.#page.evaluate(() => window.soak.setDevice(null));
        break;
      case 'unplug':
        await this.#card!.unplug();
        await pass();
        await this.#card!.plug();
        break;
    }
  }

  async #processes(): Promise<BrowserProcess[]> {
    return (await this.#browserSession.send('SystemInfo.getProcessInfo')).processInfo;
  }

  /** Returns the number of open sockets, once it is 0 or does not become 0. */
  async #openSockets(): Promise<number> {
    const until = performance.now() + SOCKET_LIMIT_MS;
    while (this.gateway.sockets() > 0 && performance.now() < until) await sleep(POLL_MS);
    return this.gateway.sockets();
  }
}

function isPageAct(act: PageAct | BrowserAct): act is PageAct {
  return (PAGE_ACTS as readonly string[]).includes(act);
}
