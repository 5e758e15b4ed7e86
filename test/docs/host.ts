import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { TestContext } from 'node:test';
import { chromium, type BrowserContextOptions, type Page } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { createSpeechBackend, nodeHandler } from '../../src/backend/index.js';
import type {} from '../../src/define.js';
import { load, ROOT } from './example.js';

/** Timeout of a page's events, on a busy machine. */
const PATIENCE_MS = 300_000;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.wav': 'audio/wav',
};

/** Import map of the examples: the built package, and the packages that are used with it. */
const IMPORTS = {
  'svc-speaker/': '/dist/',
  'svc-speaker/inspector.js': '/dist/inspector/index.js',
  'svc-speaker/reader.js': '/dist/reader/index.js',
  lit: '/node_modules/lit/index.js',
  'lit/': '/node_modules/lit/',
  'lit-html': '/node_modules/lit-html/lit-html.js',
  'lit-html/': '/node_modules/lit-html/',
  'lit-element/lit-element.js': '/node_modules/lit-element/lit-element.js',
  '@lit/reactive-element': '/node_modules/@lit/reactive-element/reactive-element.js',
  'media-chrome': '/node_modules/media-chrome/dist/index.js',
};

/** The server that the examples assume, in front of the embedded speech service, and a browser for its pages. */
export interface Host {
  /** Address and API key of the service, for the examples of servers. */
  readonly service: { readonly url: string; readonly apiKey: string };
  /**
   * Opens a page.
   *
   * @param t - Test after which the page is closed, because an open page goes on using the processor.
   * @param body - HTML of its body.
   * @param files - Further files by path, relative to the page or absolute. A function answers the request itself.
   */
  open(t: TestContext, body: string, files?: Readonly<Record<string, string | Answer>>): Promise<HostPage>;
  /** Opens the page at a URL, and closes it after the test `t`. */
  visit(t: TestContext, url: string, look?: BrowserContextOptions): Promise<HostPage>;
  /** URLs of the built site. At the host name of `alone` it expects no speech service, as on a public server. */
  readonly site: { readonly url: string; readonly alone: string };
  close(): Promise<void>;
}

/** Answers a request of a page. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A page that is open. */
export interface HostPage {
  readonly page: Page;
  /** URLs that the page requested. */
  readonly requests: readonly string[];
  /** Texts of console messages and uncaught errors. */
  readonly log: readonly string[];
  /** Speaks a text, and waits until its last sample has been heard. Returns the speaker's `currentTime`, in seconds. */
  speak(text: string): Promise<number>;
}

/** Loads the words of a page's speaker. A slow machine may otherwise have played a short text before they are there. */
export async function loadWords(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await customElements.whenDefined('svc-speaker');
    await document
      .querySelector('svc-speaker')!
      .toVTT()
      .catch(() => {});
  });
}

/** Starts the service as its README shows, the server and the browser. */
export async function startHost(): Promise<Host> {
  const service = await load<{ url: string; apiKey: string; close(): Promise<void> }>('service/start.js');
  const speech = nodeHandler(createSpeechBackend({ baseUrl: service.url, apiKey: service.apiKey }));
  const files = new Map<string, string | Answer>([['/favicon.ico', '']]);
  let pages = 0;
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url!, 'http://localhost').pathname);
    const own = path.startsWith('/speech/') ? speech : files.get(path);
    if (typeof own === 'function') {
      own(request, response);
      return;
    }
    const type = TYPES[extname(path) || '.html'] ?? 'application/octet-stream';
    Promise.resolve(own ?? readFile(join(ROOT, pathOfFile(path)))).then(
      (content) => response.writeHead(200, { 'Content-Type': type, 'Cache-Control': cacheControl(path) }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  // Autoplay is allowed: these tests do not cover user gestures.
  // Audio needs HTTPS or a local host name; names that end in `.localhost` are local.
  const names = '--host-resolver-rules=MAP docs.localhost 127.0.0.1';
  const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', names];
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args });
  // Its pages share a cache.
  const context = await browser.newContext();

  const visit = async (t: TestContext, url: string, look?: BrowserContextOptions): Promise<HostPage> => {
    const page = await (look ? browser.newPage(look) : context.newPage());
    t.after(() => page.close());
    page.setDefaultTimeout(PATIENCE_MS);
    const [requests, log]: [string[], string[]] = [[], []];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => log.push(message.text()));
    page.on('pageerror', (error) => log.push(String(error)));
    await page.goto(url);
    const speak = (text: string): Promise<number> =>
      page.evaluate(async (words) => {
        const speaker = document.querySelector('svc-speaker')!;
        await customElements.whenDefined('svc-speaker');
        await speaker.speak(words).finished;
        return speaker.currentTime;
      }, text);
    return { page, requests, log, speak };
  };

  return {
    service,
    visit,
    site: { url: `${origin}/docs/`, alone: `http://docs.localhost:${port}/docs/` },
    open: async (t, body, more = {}) => {
      const url = `${origin}/pages/${++pages}/`;
      const own = { ...more, '': documentOf(body) };
      for (const [path, content] of Object.entries(own)) files.set(new URL(path, url).pathname, content);
      return visit(t, url);
    },
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
    },
  };
}

/** Returns the markup of a page, with an import map for the examples. */
export function documentOf(body: string): string {
  const map = `<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;
  return `<!doctype html>\n${map}\n<body>\n${body}\n</body>`;
}

/** Lets pages cache the modules of packages, which are the same for all pages. */
function cacheControl(path: string): string {
  return /^\/(dist|node_modules)\//.test(path) ? 'max-age=3600' : 'no-store';
}

/** Returns the path of a file, relative to the root folder, for the URL path that a page requests. */
function pathOfFile(path: string): string {
  const thread = /^\/(?!dist\/).*\/?scripts\/([^/]+)$/.exec(path);
  if (thread) return `dist/threads/${thread[1]}`;
  return path.replace(/^\/docs\//, '.cache/docs/site/').replace(/\/$/, '/index.html');
}
