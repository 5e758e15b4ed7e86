import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createSpeechBackend, type SpeechBackend, type SpeechBackendOptions } from '../../../src/backend/index.js';
import { fakeClock, KEY, startService, type Call, type Reply } from './fake-service.js';

/** A backend in front of a service that answers as told; what that got, and what the backend reported. */
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

/** A request for a session, as the element makes it. */
export function post(body: unknown = {}, init: RequestInit = {}): Request {
  return new Request('https://host.example/speech/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
}

/** A request of a page for something below the place where the backend is mounted. */
export function get(path: string, init: RequestInit = {}): Request {
  return new Request(`https://host.example/speech/${path}`, init);
}

/** Reads an error answer; its body must hold `detail` and nothing else. */
export async function detailOf(response: Response): Promise<string> {
  const body = (await response.json()) as { detail: string };
  assert.deepEqual(Object.keys(body), ['detail']);
  return body.detail;
}
