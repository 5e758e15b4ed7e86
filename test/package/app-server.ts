import { readFile } from 'node:fs/promises';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { TAP_PROCESSOR } from '../e2e/destination-tap.js';

/** Where a page that may not load blobs finds the tap. */
export const TAP_PATH = '/destination-tap.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
};

/** A folder, served on a port of its own. */
export interface AppServer {
  /** Without a slash at the end. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the files of a folder, every one with `headers`, and the tap at `TAP_PATH`. */
export async function serveApp(folder: string, headers: OutgoingHttpHeaders): Promise<AppServer> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url!, 'http://localhost').pathname));
    const file = path === TAP_PATH ? Promise.resolve(TAP_PROCESSOR) : readFile(join(folder, path));
    file.then(
      (content) => {
        response.writeHead(200, { ...headers, 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' });
        response.end(content);
      },
      () => {
        response.writeHead(404, headers).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
