import assert from 'node:assert/strict';
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type BrowserContext, chromium } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { type Gateway, startGateway } from '../../src/testing/gateway.js';
import { scriptUrl, speaking } from '../../src/testing/script.js';
import { example, ROOT } from './example.js';
import { long } from '../long.js';

/** Manifest keys that make the pages of the extension cross-origin isolated, so that they have shared memory. */
const ISOLATED = {
  cross_origin_embedder_policy: { value: 'require-corp' },
  cross_origin_opener_policy: { value: 'same-origin' },
};

/** Response to a session call, without the URL. */
const SESSION = {
  expires_in_seconds: 30,
  gateway: 'test',
  protocol: 'svctts.v1',
  voice_id: 'any',
  format: 'pcm_s16le',
  sample_rate: 24000,
  messages: [],
};

/** Script added to the example that reports events of its offscreen document to the test's server. */
const REPORT = `
for (const type of ['ended', 'error', 'blocked']) {
  speaker.addEventListener(type, () => {
    const { error, currentTime } = speaker;
    const facts = { type, currentTime, error: error?.message, transport: speaker.getStats().transport };
    fetch('ORIGIN/report', { method: 'POST', body: JSON.stringify(facts) });
  });
}`;

interface Report {
  readonly type: string;
  readonly currentTime: number;
  readonly error?: string;
  readonly transport: string;
}

describe('The extension that the docs show', long, () => {
  let gateway: Gateway;
  let server: Server;
  let origin: string;
  let report: (value: Report) => void;
  const folders: string[] = [];

  before(async () => {
    gateway = await startGateway();
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += String(chunk)));
      request.on('end', () => {
        if (request.url === '/report') report(JSON.parse(body) as Report);
        const url = scriptUrl(gateway.url, speaking({ tone: 440, seconds: 0.5 }));
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ ...SESSION, url }));
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  after(async () => {
    server.close();
    await gateway.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  async function makeFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'svc-speaker-extension-'));
    folders.push(folder);
    return folder;
  }

  /**
   * Opens a browser with the extension.
   *
   * @param more - Further keys of the manifest.
   * @param html - Markup of its offscreen document.
   */
  async function open(more: object, html: string): Promise<BrowserContext> {
    const folder = await makeFolder();
    const manifest = {
      manifest_version: 3,
      name: 'Reader',
      version: '1',
      permissions: ['offscreen', 'contextMenus'],
      host_permissions: ['http://127.0.0.1/*'],
      background: { service_worker: 'background.js' },
      ...more,
    };
    const script = await readFile(example('extension/offscreen.js'), 'utf8');
    const own = script.replace('https://app.example.com', origin) + REPORT.replace('ORIGIN', origin);
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'offscreen.html'), html);
    await writeFile(join(folder, 'offscreen.js'), own);
    await copyFile(example('extension/background.js'), join(folder, 'background.js'));
    for (const part of ['cdn', 'threads']) await cp(join(ROOT, 'dist', part), folder, { recursive: true });
    return chromium.launchPersistentContext(await makeFolder(), {
      // The headless shell does not support extensions.
      executablePath: await ensureBrowser({ whole: true }),
      headless: false,
      args: ['--no-sandbox', '--headless=new', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
      ignoreDefaultArgs: ['--disable-extensions'],
    });
  }

  /** Lets the extension read a text aloud. Returns its first report. */
  async function read(context: BrowserContext): Promise<Report> {
    const reported = new Promise<Report>((resolve) => {
      // An extension is never blocked, but a context that starts late counts as blocked until it runs.
      report = (value) => value.type !== 'blocked' && resolve(value);
    });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    await worker.evaluate(() => (globalThis as unknown as { read(text: string): Promise<void> }).read('Hello.'));
    return reported;
  }

  for (const [name, more, transport] of [
    ['over messages', {}, 'message'],
    ['in shared memory, with two keys of the manifest', ISOLATED, 'shared'],
  ] as const) {
    // A page that stays blocked reports nothing else, and fails by the limit.
    it(`speaks without a gesture, ${name}`, { timeout: 120_000 }, async () => {
      const context = await open(more, await readFile(example('extension/offscreen.html'), 'utf8'));
      try {
        assert.deepEqual(await read(context), { type: 'ended', currentTime: 0.5, transport });
      } finally {
        await context.close();
      }
    });
  }

  it('needs the thread files as files', async () => {
    const html = await readFile(example('extension/offscreen.html'), 'utf8');
    const context = await open({}, html.replace(/<svc-speaker[^>]*>/, '<svc-speaker>'));
    try {
      const { type, error } = await read(context);
      assert.equal(type, 'error');
      assert.match(error!, /worklet-url/);
    } finally {
      await context.close();
    }
  });
});
