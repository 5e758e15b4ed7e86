import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';
import type { Fault } from './faults.js';

/** A page with the element: its HTML, and the headers of the response. */
export interface HostPage {
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Content of `/page.js`, for a page whose policy forbids inline scripts. */
  readonly script?: string;
}

/** Serves one page at a time, with `/element.js`, which registers the element. */
export interface ElementServer {
  readonly port: number;
  /** Page that is served from now on. */
  page: HostPage;
  close(): void;
}

/**
 * Starts a server on loopback.
 *
 * @param fault - Fault to plant in the served player. The player's thread files are then `/worker.js` and
 *   `/worklet.js`.
 */
export async function startElementServer(fault?: Fault): Promise<ElementServer> {
  const element = await (fault
    ? bundle('src/define.ts', 'esm', fault)
    : (faultless ??= bundle('src/define.ts', 'esm')));
  const threads = fault && {
    '/worker.js': await bundle('src/connection/connection.worker.ts', 'iife', fault),
    '/worklet.js': await bundle('worklet/speaker.worklet.ts', 'iife', fault),
  };
  const http = createServer((request, response) => {
    const { html, headers, script = '' } = server.page;
    const scripts: Record<string, string> = { '/element.js': element, '/page.js': script, ...threads };
    const body = scripts[request.url!];
    response.writeHead(200, { 'Content-Type': body === undefined ? 'text/html' : 'text/javascript', ...headers });
    response.end(body ?? html);
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const server: ElementServer = {
    port: (http.address() as AddressInfo).port,
    page: { html: '' },
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
  return server;
}

/** The player without a fault, which several files of a worker serve. */
let faultless: Promise<string> | undefined;

async function bundle(entry: string, format: 'esm' | 'iife', fault?: Fault): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    entryPoints: [entry],
    bundle: true,
    format,
    target: 'es2022',
    write: false,
    logLevel: 'warning',
    plugins: fault ? [planting(fault)] : [],
  });
  return outputFiles[0]!.text;
}

function planting({ file, find, replace }: Fault): Plugin {
  return {
    name: 'fault',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`${file}$`) }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes(find)) throw new Error(`${file} has no ${find}: the fault cannot be planted`);
        return { contents: source.replace(find, replace), loader: 'ts' };
      });
    },
  };
}
