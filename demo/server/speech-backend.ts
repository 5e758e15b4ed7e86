import type { Plugin, ViteDevServer } from 'vite';
import { avatarSource, type Handler, type Kit } from './avatar-source.js';

/** Where {@link speechBackend} is mounted, and the service it speaks to. */
export interface SpeechBackendOptions {
  /** Path prefix of the routes, such as `/speech`. */
  readonly mount: string;
  /** Address of the speech service, without the `/api/v1` part; undefined or empty: see {@link speechBackend}. */
  readonly baseUrl: string | undefined;
  /** The service's API key. Stays in this process. */
  readonly apiKey: string | undefined;
}

/**
 * Vite plugin: the backend kit, mounted in the development server, as a host page's own backend would mount it. The page
 * posts its session request there and asks for room tokens; the key is added on this side. Beside it, at `/avatar`, is
 * the avatar the page shows.
 *
 * With no service configured the routes answer 503 and say what to set, so that the page can still be worked on.
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

/** Loads the kit from its sources through Vite, which is also what compiles them. */
async function loadHandlers(
  server: ViteDevServer,
  baseUrl: string | undefined,
  apiKey: string | undefined,
): Promise<{ backend: Handler; avatar: Handler }> {
  if (!baseUrl || !apiKey) return { backend: answerUnconfigured, avatar: answerUnconfigured };
  const kit = (await server.ssrLoadModule('/src/backend/index.ts')) as Kit;
  const backend = kit.createSpeechBackend({ baseUrl, apiKey, authorize: isFromOwnPage });
  return { backend: kit.nodeHandler(backend), avatar: avatarSource(kit, backend, apiKey) };
}

/**
 * Refuses what another site's page sends: a session costs the owner of the key money, and a development server on
 * localhost can be reached by every page its user has open. A request without an `Origin` is not a page's POST.
 */
function isFromOwnPage(request: Request): boolean {
  const origin = request.headers.get('origin');
  return origin === null || (URL.canParse(origin) && new URL(origin).host === request.headers.get('host'));
}

const answerUnconfigured: Handler = (_request, response) => {
  response.statusCode = 503;
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({
      detail: 'No speech service. Use `npm start`, or set SVC_BASE_URL and SVC_API_KEY and start again.',
    }),
  );
};
