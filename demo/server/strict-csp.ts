import type { Plugin } from 'vite';

/** Path under which `src/assets.ts` requests the thread files. The built `assets.js` requests them elsewhere. */
const SOURCE_THREADS = '/src/threads/';

/**
 * Vite plugin that sends a strict content security policy with one page and with the thread files. The files need it
 * too, because a worker loaded from a URL has the policy of its own response. They are served from the build.
 *
 * @param page - Path of the page.
 * @param baseUrl - Base URL of the speech service. If it is insecure, the policy allows its sockets only; otherwise all
 *   secure sockets.
 */
export function strictCsp({ page, baseUrl }: { page: string; baseUrl: string | undefined }): Plugin {
  // The embedded service opens sockets at its base URL. A hosted service returns another URL with each session.
  const socket = baseUrl?.startsWith('http:') ? new URL(baseUrl).origin.replace('http', 'ws') : 'wss:';
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${socket}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    name: 'strict-csp',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const isThreadFile = request.url?.startsWith(SOURCE_THREADS);
        if (isThreadFile || request.url === page) response.setHeader('Content-Security-Policy', policy);
        if (isThreadFile) request.url = request.url!.replace('/src/', '/dist/');
        next();
      });
    },
  };
}
