import { createReadStream, existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Plugin } from 'vite';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/**
 * Vite plugin: serves the documentation site beside the demo, as it was built; its pages can speak here. Where it was not
 * built there is none.
 *
 * @param mount - Path of the site, with slashes around it.
 * @param folder - Where `npm run docs` builds it.
 */
export function docsSite({ mount, folder }: { mount: string; folder: string }): Plugin {
  return {
    name: 'docs-site',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        const file = join(folder, pathname.slice(mount.length).replace(/(^|\/)$/, '$1index.html'));
        if (!pathname.startsWith(mount) || !existsSync(file)) {
          next();
          return;
        }
        response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
        createReadStream(file).pipe(response);
      });
    },
  };
}
