import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { SvcApiError } from '../../../src/backend/index.js';
import { PROTOCOL } from '../../../src/protocol/index.js';

/** API key of realistic length, with characters that are escaped in a URL. */
export const KEY = 'sk_test/4f9d+Zk27=q0Lw';

/** Valid response to a session call. */
export const SESSION = {
  url: 'wss://gateway.example/stream?token=t0ken&sample_rate=24000',
  expires_in_seconds: 30,
  gateway: 'gw-1',
  protocol: PROTOCOL,
  voice_id: 'anna',
  format: 'pcm_s16le',
  sample_rate: 24000,
  messages: [],
};

/** Valid response to a call for an avatar's bundle. */
export const BUNDLE = { payload: 'eyJhbGciOiJkaXIi.c2VhbGVk' };

/** Valid response to a call for a room token. */
export const ROOM = { token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmVk', room_name: 'room-1' };

/** A request that the fake service received. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers a request to the fake service. `turn` is the number of the request, from 0. */
export type Reply = (response: ServerResponse, call: Call, turn: number) => void;

/** Writes a JSON response. */
export function json(response: ServerResponse, status: number, content: unknown, headers = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(content));
}

/** Answers every call with a valid response, as the specification requires. */
export const works: Reply = (response, { path }) =>
  json(response, 200, path.includes('/avatars/') ? BUNDLE : path.includes('/rtc/') ? ROOM : SESSION);

/** Starts an HTTP server on the loopback interface that answers with `reply` until the test ends. */
export async function startService(
  t: Pick<TestContext, 'after'>,
  reply: Reply,
): Promise<{ baseUrl: string; calls: Call[] }> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
      const call = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      reply(response, call, calls.push(call) - 1);
    })();
  });
  // A call must not meet a connection that is just being closed because it was idle.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

/** Returns a clock whose sleeps end at once. `slept` records them, in ms. */
export function fakeClock(nowMs = 0): { slept: number[]; now(): number; sleep(ms: number): Promise<void> } {
  const slept: number[] = [];
  return {
    slept,
    now: () => nowMs,
    sleep: (ms) => {
      slept.push(ms);
      return Promise.resolve();
    },
  };
}

/** Awaits a call that must fail. Returns its error. */
export async function failure(call: Promise<unknown>): Promise<SvcApiError> {
  const error: unknown = await call.then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SvcApiError, String(error));
  return error;
}
