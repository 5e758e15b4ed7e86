import type { Plugin } from 'vite';

/**
 * Vite plugin that makes pages cross-origin isolated: it sends the two headers with every response, so that pages have
 * SharedArrayBuffer and the element uses its `shared` transport. Without them the element uses `message`.
 *
 * `server.headers` is not enough, because Vite does not add those headers to responses of other plugins.
 *
 * @param except - Path of a page that is sent without the headers.
 */
export function crossOriginIsolation({ except }: { except: string }): Plugin {
  return {
    name: 'cross-origin-isolation',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url !== except) {
          response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
          response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
        }
        next();
      });
    },
  };
}
