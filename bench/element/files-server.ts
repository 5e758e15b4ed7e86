import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Duration of a press before its click, in ms. */
const PRESS_MS = 90;

/** A way to the first word. */
export interface FirstWord {
  /** Attributes of the speaker. */
  readonly attributes: string;
  /** Time that the pointer rests on the button before the press, in ms; null for a finger. */
  readonly restMs: number | null;
}

/** When a part of the start began and ended, in ms since `speak()`. */
export type Bar = readonly [from: number, to: number];

/** One first word. */
export interface Start {
  /** Milliseconds from `speak()` to `utterancestart`. */
  readonly ms: number;
  /** Bars by part: the steps that the element measures, and `service` and `filling`, which end with events. */
  readonly bars: Readonly<Record<string, Bar>>;
}

/** Serves a page with one speaker, and the element's code in several files, as a bundler splits it. */
export interface FilesServer {
  /**
   * Loads the page, waits until its files have arrived, and presses its button, which calls `speak()`.
   *
   * @param page - A new page of a browser with a touch screen.
   */
  measureFirstWord(page: Page, sessionUrl: string, way: FirstWord): Promise<Start>;
  close(): void;
}

/**
 * Builds the element and starts the server.
 *
 * @param delayMs - Delay of each response, as of a distant server.
 */
export async function startFilesServer(delayMs: number): Promise<FilesServer> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { element: 'src/define.ts' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: '.',
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, text }) => [`/${relative(ROOT, path)}`, text]));
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const script = files.get(pathname);
    void sleep(delayMs).then(() => {
      response.writeHead(200, { 'Content-Type': script === undefined ? 'text/html' : 'text/javascript' });
      response.end(script ?? html(searchParams.get('attributes')!));
    });
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const { port } = http.address() as AddressInfo;
  return {
    async measureFirstWord(page, sessionUrl, { attributes, restMs }) {
      await page.goto(`http://127.0.0.1:${port}/?attributes=${encodeURIComponent(attributes)}`, {
        waitUntil: 'networkidle',
      });
      await page.evaluate(`{
        const speaker = document.querySelector('svc-speaker');
        speaker.sessionProvider = async () => ${JSON.stringify(sessionUrl)};
        const next = (type) => new Promise((resolve) => {
          speaker.addEventListener(type, () => resolve(performance.now()), { once: true });
        });
        const moments = Promise.all(['loadedmetadata', 'canplay', 'utterancestart'].map(next));
        globalThis.measured = new Promise((resolve) => {
          document.querySelector('button').onclick = async () => {
            const from = performance.now();
            speaker.speak('Hello.');
            const [opened, received, started] = await moments;
            const spans = { service: [opened, received], filling: [received, started] };
            for (const { name, startTime, duration } of performance.getEntriesByType('measure')) {
              spans[name.replace('svc-speaker ', '')] = [startTime, startTime + duration];
            }
            const bars = Object.entries(spans).map(([name, span]) => [name, span.map((at) => at - from)]);
            resolve({ ms: started - from, bars: Object.fromEntries(bars) });
          };
        });
        undefined; // The promise would be awaited.
      }`);
      await press(page, restMs);
      return page.evaluate<Start>('measured');
    },
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

/** Presses the button for as long as people do. Playwright's own tap takes no time. */
async function press(page: Page, restMs: number | null): Promise<void> {
  const { x, y, width, height } = (await page.locator('button').boundingBox())!;
  const point = { x: x + width / 2, y: y + height / 2 };
  if (restMs === null) {
    const session = await page.context().newCDPSession(page);
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
    await sleep(PRESS_MS);
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    return;
  }
  await page.mouse.move(point.x, point.y);
  await sleep(restMs);
  await page.mouse.down();
  await sleep(PRESS_MS);
  await page.mouse.up();
}

function html(attributes: string): string {
  return `<!doctype html><title>Bench</title><button>Speak</button><svc-speaker ${attributes}></svc-speaker>
    <script type="module" src="/element.js"></script>`;
}
