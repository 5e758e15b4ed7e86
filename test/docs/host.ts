import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { chromium, type BrowserContextOptions, type Page } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { createSpeechBackend, nodeHandler } from '../../src/backend/index.js';
import type {} from '../../src/define.js';
import { load, ROOT } from './example.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};

/** What an example imports by name: the package as it was built, and what it is used with. */
const IMPORTS = {
  'svc-speaker/': '/dist/',
  'svc-speaker/inspector.js': '/dist/inspector/index.js',
  lit: '/node_modules/lit/index.js',
  'lit/': '/node_modules/lit/',
  'lit-html': '/node_modules/lit-html/lit-html.js',
  'lit-html/': '/node_modules/lit-html/',
  'lit-element/lit-element.js': '/node_modules/lit-element/lit-element.js',
  '@lit/reactive-element': '/node_modules/@lit/reactive-element/reactive-element.js',
  'media-chrome': '/node_modules/media-chrome/dist/index.js',
};

/** The page's own server, as the examples take it for granted, with the embedded service behind it; and a browser. */
export interface Host {
  /** Of the service, as the examples of servers want it. */
  readonly service: { readonly url: string; readonly apiKey: string };
  /**
   * Opens a page.
   *
   * @param body - HTML of its body.
   * @param files - What the server has beside it, by path, which is relative or absolute; a function answers by itself.
   */
  open(body: string, files?: Readonly<Record<string, string | Answer>>): Promise<HostPage>;
  /** Opens whatever there is at an address. */
  visit(url: string, look?: BrowserContextOptions): Promise<HostPage>;
  /** Where the site is, once it is built; without a name that means this machine, it does not look for a service. */
  readonly site: { readonly url: string; readonly alone: string };
  close(): Promise<void>;
}

/** Answers a request of a page. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A page that is open. */
export interface HostPage {
  readonly page: Page;
  /** Addresses that were asked for. */
  readonly requests: readonly string[];
  /** What the console had to say: the texts of its messages. */
  readonly log: readonly string[];
  /** Has the speaker say something, and waits until the last sample has been heard. Returns seconds of speech. */
  speak(text: string): Promise<number>;
}

/** Starts all of it; the service in the way that its README shows. */
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
      (content) => response.writeHead(200, { 'Content-Type': type }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  // A gesture is one of the things that these tests are not about.
  const names = '--host-resolver-rules=MAP docs.test 127.0.0.1';
  const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', names];
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args });

  const visit = async (url: string, look?: BrowserContextOptions): Promise<HostPage> => {
    const page = await browser.newPage(look);
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
    site: { url: `${origin}/docs/`, alone: `http://docs.test:${port}/docs/` },
    open: async (body, more = {}) => {
      const url = `${origin}/pages/${++pages}/`;
      const own = { ...more, '': documentOf(body) };
      for (const [path, content] of Object.entries(own)) files.set(new URL(path, url).pathname, content);
      return visit(url);
    },
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
    },
  };
}

/** A whole page, in which examples find what they import by name. */
export function documentOf(body: string): string {
  const map = `<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;
  return `<!doctype html>\n${map}\n<body>\n${body}\n</body>`;
}

/** Where a file of ours is, by the path under which a page asks for it. */
function pathOfFile(path: string): string {
  const thread = /^\/(?!dist\/).*\/?(?:threads|scripts)\/([^/]+)$/.exec(path);
  if (thread) return `dist/threads/${thread[1]}`;
  return path.replace(/^\/docs\//, '.cache/docs/site/').replace(/\/$/, '/index.html');
}
