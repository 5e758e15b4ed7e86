import type { Plugin } from 'vite';

/** Where `svc-speaker/assets.js` says that the thread files are, while it is a source file and not the built one. */
const SOURCE_THREADS = '/src/threads/';

/**
 * Vite plugin: sends a strict content security policy with one page, and with the thread files, which have a policy of
 * their own since they are files. It serves those from the build, where the sources look for them beside themselves.
 *
 * @param page - Path of the page.
 * @param baseUrl - Address of the speech service, if there is one: its socket is the only thing outside that is allowed.
 */
export function strictCsp({ page, baseUrl }: { page: string; baseUrl: string | undefined }): Plugin {
  // The embedded service speaks on its own address; where a hosted one speaks is known when it has answered.
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
        const isThread = request.url?.startsWith(SOURCE_THREADS);
        if (isThread || request.url === page) response.setHeader('Content-Security-Policy', policy);
        if (isThread) request.url = request.url!.replace('/src/', '/dist/');
        next();
      });
    },
  };
}
