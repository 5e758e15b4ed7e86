import type { SessionResponse } from '../../../src/index.js';
import { speaking } from '../../../src/testing/script.js';
import { sessionResponse, sessionUrl } from './speaker.js';

/** Address of the endpoint that {@link startBackend} answers. */
export const ENDPOINT = '/speech/session';

/** Returns the response of a session call whose socket responds to every utterance with a short tone. */
export function response(differences: Record<string, unknown> = {}): SessionResponse {
  return sessionResponse(sessionUrl(speaking({ tone: 440, seconds: 0.05 })), differences);
}

/** Requests of `fetch` to ENDPOINT, and the response to them. */
export const backend = {
  requests: [] as Request[],
  answer: (): Response | Promise<Response> => Response.json(response()),
};

const nativeFetch = window.fetch;

/** Replaces `fetch` with one that responds to requests to ENDPOINT in the page. */
export function startBackend(): void {
  backend.requests = [];
  backend.answer = () => Response.json(response());
  window.fetch = (...args) => {
    const request = new Request(...args);
    if (new URL(request.url).pathname !== ENDPOINT) return nativeFetch(request);
    backend.requests.push(request);
    return Promise.resolve(backend.answer());
  };
}

export function stopBackend(): void {
  window.fetch = nativeFetch;
}
