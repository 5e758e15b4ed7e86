import type { IncomingMessage, ServerResponse } from 'node:http';

/** The backend kit as a module. */
export type Kit = typeof import('../../src/backend/index.js');

/** Request handler of the development server. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Avatar of the page. `svc-service` includes one with this id. */
const AVATAR_ID = 'demo';

/**
 * Returns a handler that responds with the decrypted avatar bundle. The bundle is encrypted with the API key, which the
 * page does not have. A host may remove parts of it here; the demo sends all of it.
 *
 * @param backend - Fetches the bundle and authorizes the request.
 */
export function avatarSource(kit: Kit, backend: ReturnType<Kit['createSpeechBackend']>, apiKey: string): Handler {
  return kit.nodeHandler({
    async fetch({ url, method, headers, signal }) {
      const bundle = new URL(`/avatars/${AVATAR_ID}/bundle`, url);
      const sealed = await backend.fetch(new Request(bundle, { method, headers, signal }));
      if (!sealed.ok) return sealed;
      const { payload } = (await sealed.json()) as { payload: string };
      try {
        return Response.json(await kit.decryptAvatarBundle(payload, apiKey), { headers: sealed.headers });
      } catch (error) {
        // Errors of the kit never contain the key.
        return Response.json({ detail: (error as Error).message }, { status: 502, headers: sealed.headers });
      }
    },
  });
}
