import type { IncomingMessage, ServerResponse } from 'node:http';

/** The backend kit, however it was loaded. */
export type Kit = typeof import('../../src/backend/index.js');

/** What the kit makes of a service's address and key. */
export type Backend = ReturnType<Kit['createSpeechBackend']>;

/** Answers a request of the development server. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Which avatar the page shows; `svc-service` comes with one of this id. */
const AVATAR_ID = 'demo';

/**
 * Answers with the avatar in the clear: what the service encrypted for our key is opened on this side, since the page
 * has no key. What to show the page of it is the host's choice; here it is everything.
 *
 * @param backend - Gets the bundle, and says who may have it.
 */
export function avatarSource(kit: Kit, backend: Backend, apiKey: string): Handler {
  return kit.nodeHandler({
    async fetch({ url, method, headers, signal }) {
      const bundle = new URL(`/avatars/${AVATAR_ID}/bundle`, url);
      const sealed = await backend.fetch(new Request(bundle, { method, headers, signal }));
      if (!sealed.ok) return sealed;
      const { payload } = (await sealed.json()) as { payload: string };
      try {
        return Response.json(await kit.decryptAvatarBundle(payload, apiKey), { headers: sealed.headers });
      } catch (error) {
        // Nothing the kit throws holds the key.
        return Response.json({ detail: (error as Error).message }, { status: 502, headers: sealed.headers });
      }
    },
  });
}
