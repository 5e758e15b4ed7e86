import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { recorderSource } from '../../src/testing/index.js';

/** Path of the recorder, for pages whose policy does not allow `blob:`. */
export const RECORDER_PATH = '/recorder.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
};

/** Server of one folder, on its own port. */
export interface AppServer {
  /** Origin without a trailing slash. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the files of a folder with `headers` on every response, and the recorder at `RECORDER_PATH`. */
export async function serveApp(folder: string, headers: OutgoingHttpHeaders): Promise<AppServer> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url!, 'http://localhost').pathname));
    const file = path === RECORDER_PATH ? Promise.resolve(recorderSource) : readFile(join(folder, path));
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

interface ViteDevServer {
  readonly middlewares: { use(path: string, handler: (request: unknown, response: ServerResponse) => void): void };
  listen(): Promise<unknown>;
  close(): Promise<void>;
  readonly resolvedUrls: { readonly local: readonly string[] } | null;
}

/**
 * Starts Vite's development server for an app.
 *
 * @param apps - Folder in which Vite is installed, for apps without their own copy.
 * @param root - Folder of the app.
 * @param headers - Headers sent with every file.
 */
export async function startDevServer(apps: string, root: string, headers: Record<string, string>): Promise<AppServer> {
  const installed = [root, apps].map((folder) => join(folder, 'node_modules', 'vite')).find(existsSync)!;
  const entry = pathToFileURL(join(installed, 'dist', 'node', 'index.js')).href;
  const vite = (await import(entry)) as { createServer(options: object): Promise<ViteDevServer> };
  const server = await vite.createServer({
    root,
    // Two servers of one app must not write to the same cache.
    cacheDir: await mkdtemp(join(root, '.vite-')),
    logLevel: 'warn',
    server: { headers, port: 0, host: '127.0.0.1' },
    plugins: [
      {
        name: 'recorder',
        configureServer: ({ middlewares }: ViteDevServer) => {
          middlewares.use(RECORDER_PATH, (_request, response) => {
            response.writeHead(200, { ...headers, 'Content-Type': 'text/javascript' }).end(recorderSource);
          });
        },
      },
    ],
  });
  await server.listen();
  return { origin: server.resolvedUrls!.local[0]!.replace(/\/$/, ''), close: () => server.close() };
}
