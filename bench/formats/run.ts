/**
 * Measures the cost of decoding compressed audio, in Chromium: `npm run formats --prefix bench`.
 *
 * A minute of a voice-like sound is encoded at 96 kbit/s. For each format: milliseconds until the element's decoder has
 * decoded all of it, as the median of several runs that alternate between formats, and the ratio to the time of the
 * browser's `decodeAudioData()` for the same file in the same run. The whole file is available from the beginning.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { bundlePage } from '../bundle-page.js';
import { show } from '../show.js';

const script = await bundlePage(new URL('page.ts', import.meta.url));
const server = createServer(({ url }, response) => {
  const isScript = url === '/page.js';
  response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
  response.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>');
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: ['--no-sandbox'] });
const page = await browser.newPage();
page.on('pageerror', (error) => console.error(error));
await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
const rows = await (await page.waitForFunction('globalThis.rows', undefined, { timeout: 0 })).jsonValue();
show('formats: decoding', rows as Record<string, unknown>[]);
await browser.close();
server.close();
