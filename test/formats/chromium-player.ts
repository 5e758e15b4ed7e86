import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright';
import { bundlePage } from '../../bench/bundle-page.js';
import { ensureBrowser } from '../../scripts/browser.mjs';
import type { InputClass, Played, Received } from './page/player.js';

/** An audio stream for the player. */
export interface Stream {
  readonly bytes: Uint8Array;
  /** Empty for none. */
  readonly contentType: string;
  readonly sampleRate?: number | undefined;
  readonly input: InputClass;
  /** Length of the pieces in bytes; 0 for the whole. */
  readonly pieceBytes: number;
}

/** Samples that the player received. */
export interface Recording {
  readonly samples: Int16Array;
  readonly sampleRate: number;
  readonly error: Received['error'];
}

/** Plays audio streams in Chromium, through the real worker and the browser's decoders, without real time. */
export interface Player {
  play(stream: Stream): Promise<Recording>;
  close(): Promise<void>;
}

/** Starts Chromium and a server of audio streams. */
export async function startPlayer(): Promise<Player> {
  const script = await bundlePage(new URL('page/player.ts', import.meta.url));
  const streams = new Map<string, Stream>();
  const server = createServer(async ({ url = '' }, response) => {
    const stream = streams.get(url);
    if (!stream) {
      const isScript = url === '/page.js';
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>');
      return;
    }
    if (stream.contentType) response.setHeader('Content-Type', stream.contentType);
    const size = stream.pieceBytes || stream.bytes.length;
    for (let at = 0; at < stream.bytes.length; at += size) {
      if (!response.write(stream.bytes.subarray(at, at + size))) {
        await new Promise((resolve) => response.once('drain', resolve));
      }
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: ['--no-sandbox'] });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(origin);
  await page.waitForFunction('globalThis.receive');
  return {
    async play(stream) {
      const path = `/${randomUUID()}`;
      streams.set(path, stream);
      const { input, contentType, sampleRate, pieceBytes } = stream;
      const played: Played = { url: origin + path, input, contentType, sampleRate, pieceBytes };
      const { samples, ...rest } = await page.evaluate(
        (what) => (globalThis as unknown as { receive(played: Played): Promise<Received> }).receive(what),
        played,
      );
      streams.delete(path);
      return { ...rest, samples: new Int16Array(new Uint8Array(Buffer.from(samples, 'base64')).buffer) };
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
