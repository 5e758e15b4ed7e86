import type { IncomingMessage, ServerResponse } from 'node:http';

/** The backend kit, however it was loaded. */
export type Kit = typeof import('../../src/backend/index.js');

/** Answers a request of the development server. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Which avatar the page shows; `svc-service` comes with one of this id. */
const AVATAR_ID = 'demo';

/**
 * Answers with the avatar in the clear: what the service encrypted for our key is opened on this side, since the page
 * has no key. What to show the page of it is the host's choice; here it is everything.
 */
export function avatarSource(kit: Kit, baseUrl: string, apiKey: string): Handler {
  const client = new kit.SvcClient({ baseUrl, apiKey });
  return async (request, response) => {
    const answer = (status: number, content: unknown): void => {
      response.statusCode = status;
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Cache-Control', 'no-store');
      response.end(JSON.stringify(content));
    };
    // Each one is a call at the service, of which a minute has only so many; pages of other sites get none of them.
    const from = request.headers['sec-fetch-site'];
    if (from !== undefined && from !== 'same-origin' && from !== 'none') return answer(403, { detail: 'not allowed' });
    try {
      const { payload } = await client.getAvatarBundle(AVATAR_ID);
      answer(200, await kit.decryptAvatarBundle(payload, apiKey));
    } catch (error) {
      // Nothing the kit throws holds the key.
      const { status, message } = error as { status?: number; message: string };
      answer(status && status >= 400 ? status : 502, { detail: message });
    }
  };
}
