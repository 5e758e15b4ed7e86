import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A page with the element: its HTML, and the headers it is sent with. */
export interface HostPage {
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What `/page.js` is, for a page whose policy allows no inline script. */
  readonly script?: string;
}

/** Serves one page after the other, and beside each `/element.js`, which registers the element. */
export interface ElementServer {
  readonly port: number;
  /** The page that is served from now on. */
  page: HostPage;
  close(): void;
}

/** Starts a server on loopback. */
export async function startElementServer(): Promise<ElementServer> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    entryPoints: ['src/define.ts'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  const element = outputFiles[0]!.text;
  const http = createServer((request, response) => {
    const { html, headers, script = '' } = server.page;
    const scripts: Record<string, string> = { '/element.js': element, '/page.js': script };
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
