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
  '.wav': 'audio/wav',
};

/**
 * Vite plugin that serves the documentation site, if it was built. Its pages use the demo's speech backend.
 *
 * @param mount - Path of the site, with a slash at both ends.
 * @param folder - Output folder of `npm run docs`.
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
