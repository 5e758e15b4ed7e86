import type { Plugin } from 'vite';

/**
 * Vite plugin: sends the two headers that make a page cross-origin isolated with every response, so that the page gets
 * SharedArrayBuffer and the element its `shared` transport. Without them everything works over `message`.
 *
 * A middleware and not `server.headers`, since Vite leaves those out of what other plugins answer.
 *
 * @param except - Path of a page that comes without them, as most pages of this world do.
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
