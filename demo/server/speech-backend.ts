import type { Plugin, ViteDevServer } from 'vite';
import { avatarSource, type Handler, type Kit } from './avatar-source.js';

/** Options of {@link speechBackend}. */
export interface SpeechBackendOptions {
  /** Path prefix of the routes, such as `/speech`. */
  readonly mount: string;
  /** Base URL of the speech service, without `/api/v1`. */
  readonly baseUrl: string | undefined;
  /** API key of the service. Never leaves this process. */
  readonly apiKey: string | undefined;
}

/**
 * Vite plugin that mounts the backend kit in the development server, as the backend of a host page does. The page sends
 * its session requests and requests for room tokens there, and the kit adds the API key. `/avatar` serves the avatar.
 *
 * Without `baseUrl` or `apiKey` all routes respond with 503 and name the variables to set.
 */
export function speechBackend({ mount, baseUrl, apiKey }: SpeechBackendOptions): Plugin {
  return {
    name: 'speech-backend',
    async configureServer(server) {
      const { backend, avatar } = await loadHandlers(server, baseUrl, apiKey);
      server.middlewares.use(`${mount}/avatar`, avatar);
      server.middlewares.use(mount, backend);
    },
  };
}

/** Loads the kit from its TypeScript sources, which Vite compiles. */
async function loadHandlers(
  server: ViteDevServer,
  baseUrl: string | undefined,
  apiKey: string | undefined,
): Promise<{ backend: Handler; avatar: Handler }> {
  if (!baseUrl || !apiKey) return { backend: respondUnconfigured, avatar: respondUnconfigured };
  const kit = (await server.ssrLoadModule('/src/backend/index.ts')) as Kit;
  const backend = kit.createSpeechBackend({ baseUrl, apiKey, authorize: isFromOwnPage });
  return { backend: kit.nodeHandler(backend), avatar: avatarSource(kit, backend, apiKey) };
}

/**
 * Rejects requests from pages of other sites. A session costs money, and every page open in the user's browser can reach
 * a development server on localhost. Browsers send `Origin` with every POST.
 */
function isFromOwnPage(request: Request): boolean {
  const origin = request.headers.get('origin');
  return origin === null || (URL.canParse(origin) && new URL(origin).host === request.headers.get('host'));
}

const respondUnconfigured: Handler = (_request, response) => {
  response.statusCode = 503;
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({
      detail: 'No speech service is configured. Use `npm start`, or set SVC_BASE_URL and SVC_API_KEY and restart.',
    }),
  );
};
