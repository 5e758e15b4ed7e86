import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createSpeechBackend, type SpeechBackend, type SpeechBackendOptions } from '../../../src/backend/index.js';
import { fakeClock, KEY, startService, type Call, type Reply } from './fake-service.js';

/** Starts a backend in front of a fake service. Returns it, the calls of the service, and the errors of `onError`. */
export async function startBackend(
  t: TestContext,
  reply: Reply,
  options: Partial<SpeechBackendOptions> = {},
): Promise<{ backend: SpeechBackend; calls: Call[]; errors: unknown[] }> {
  const { baseUrl, calls } = await startService(t, reply);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const clock = fakeClock();
  const backend = createSpeechBackend({ baseUrl, apiKey: KEY, production: false, clock, onError, ...options });
  return { backend, calls, errors };
}

/** Returns a request for a session, as the element sends it. */
export function post(body: unknown = {}, init: RequestInit = {}): Request {
  return new Request('https://host.example/speech/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
}

/** Returns a request for a path below the one at which the backend is mounted. */
export function get(path: string, init: RequestInit = {}): Request {
  return new Request(`https://host.example/speech/${path}`, init);
}

/** Returns the `detail` of an error response. Its body must have no other field. */
export async function detailOf(response: Response): Promise<string> {
  const body = (await response.json()) as { detail: string };
  assert.deepEqual(Object.keys(body), ['detail']);
  return body.detail;
}
