import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { CompactEncrypt } from 'jose';
import { Miniflare } from 'miniflare';
import {
  BUNDLE,
  json,
  KEY,
  ROOM,
  SESSION,
  startService,
  works,
  type Call,
  type Reply,
} from '../unit/backend/fake-service.js';
import { ROOT } from '../../scripts/root.mjs';
import { readAvatarBundle } from '../../service/src/avatar/avatar-bundle.js';
import { bundle, load } from './example.js';
import { long } from '../long.js';

describe('docs/backend.md', () => {
  let reply: Reply = works;
  let calls: Call[] = [];
  let baseUrl = '';
  const ends: (() => unknown)[] = [];

  before(async () => {
    const scope = { after: (end: () => unknown) => void ends.push(end) };
    ({ baseUrl, calls } = await startService(scope, (...args) => reply(...args)));
    Object.assign(process.env, { SVC_BASE_URL: baseUrl, SVC_API_KEY: KEY, PORT: '0' });
  });

  after(() => {
    for (const end of ends) end();
  });

  /** Requests all three routes as a page would, and checks that requests without a user are refused. */
  async function usePage(ask: (path: string, init: RequestInit) => Promise<Response> | Response): Promise<void> {
    reply = works;
    const headers = { Cookie: 'user=zoe', 'Content-Type': 'application/json' };
    const session = await ask('session', { method: 'POST', headers, body: '{"voice_id":"anna"}' });
    assert.deepEqual(await session.json(), SESSION);
    assert.equal(calls.at(-1)?.body, '{"voice_id":"anna"}');
    assert.deepEqual(await (await ask('avatars/a%2Fb/bundle', { headers })).json(), BUNDLE);
    assert.equal(calls.at(-1)?.path, '/api/v1/avatars/bundle/a%2Fb');
    assert.deepEqual(await (await ask('rooms/token?avatar_id=ava&name=else', { headers })).json(), ROOM);
    const made = calls.length;
    assert.equal(
      (await ask('session', { method: 'POST', headers: { ...headers, Cookie: '' }, body: '{}' })).status,
      403,
    );
    assert.equal((await ask('avatars/ava/bundle', {})).status, 403);
    assert.equal(
      (await ask('avatars/ava/bundle', { headers: { ...headers, 'Sec-Fetch-Site': 'cross-site' } })).status,
      403,
    );
    assert.equal((await ask('nothing', { headers })).status, 404);
    assert.equal(calls.length, made);
  }

  const onHost = (call: (request: Request) => Promise<Response>) => (path: string, init: RequestInit) =>
    call(new Request(`https://host.example/speech/${path}`, init));

  /** Returns a function that sends requests to paths below `/speech/` of a listening server. */
  function onServer(t: TestContext, server: Server) {
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}/speech/${path}`, init);
  }

  it('shows node:http', async (t: TestContext) => {
    const { server } = await load<{ server: Server }>('backend/node-http/server.js');
    await usePage(onServer(t, server));
    assert.equal(new URL(calls.at(-1)!.path, baseUrl).searchParams.get('name'), 'zoe'); // the user's, not the page's
  });

  it('shows Express', async (t: TestContext) => {
    const { server } = await load<{ server: Server }>('backend/express/server.js');
    await usePage(onServer(t, server));
  });

  it('shows Express in the README', long, async (t: TestContext) => {
    Object.assign(globalThis, { isLoggedIn: (request: Request) => request.headers.get('Cookie') === 'user=zoe' });
    t.after(() => void Reflect.deleteProperty(globalThis, 'isLoggedIn'));
    const { app } = await load<{ app: { listen(port: number): Server } }>('backend/readme/server.js');
    const server = app.listen(0);
    await once(server, 'listening');
    await usePage(onServer(t, server));
  });

  it('shows Fastify', long, async (t: TestContext) => {
    const { app } = await load<{ app: FastifyInstance }>('backend/fastify/server.js');
    t.after(() => app.close());
    await usePage(onServer(t, app.server));
  });

  it('shows Hono', async () => {
    const { default: app } = await load<{ default: { fetch(request: Request): Promise<Response> } }>(
      'backend/hono/server.js',
    );
    await usePage(onHost((request) => app.fetch(request)));
  });

  it('shows Next, as the function that its router calls', async () => {
    const route = await load<Record<string, (request: Request, context: object) => Promise<Response>>>(
      'backend/next/app/speech/[...path]/route.js',
    );
    const context = { params: Promise.resolve({ path: [] }) };
    await usePage(onHost((request) => route[request.method]!(request, context)));
  });

  it('shows SvelteKit, as the function that its router calls', long, async () => {
    const { fallback } = await load<{ fallback: (event: { request: Request }) => Promise<Response> }>(
      'backend/sveltekit/src/routes/speech/[...path]/+server.js',
    );
    await usePage(onHost((request) => fallback({ request })));
  });

  it('shows Nuxt, as the function that its router calls', long, async (t: TestContext) => {
    interface Event {
      readonly request: Request;
    }
    type Handler = (event: Event) => Promise<Response>;
    const imported = {
      defineEventHandler: (handler: Handler) => handler,
      toWebRequest: ({ request }: Event) => request,
    };
    Object.assign(globalThis, imported);
    t.after(() => {
      for (const name of Object.keys(imported)) Reflect.deleteProperty(globalThis, name);
    });
    const { default: handler } = await load<{ default: Handler }>('backend/nuxt/server/routes/speech/[...path].js');
    await usePage(onHost((request) => handler({ request })));
  });

  it('shows Astro, as the function that its router calls', long, async () => {
    const { ALL } = await load<{ ALL: (context: { request: Request }) => Promise<Response> }>(
      'backend/astro/src/pages/speech/[...path].js',
    );
    await usePage(onHost((request) => ALL({ request })));
  });

  it('shows React Router, as the functions that its router calls', long, async () => {
    type Handler = (args: { request: Request }) => Promise<Response>;
    const { loader, action } = await load<Record<'loader' | 'action', Handler>>(
      'backend/react-router/app/speech-route.js',
    );
    await usePage(onHost((request) => (request.method === 'GET' ? loader : action)({ request })));
  });

  it('shows Cloudflare Workers, on their own runtime', long, async (t: TestContext) => {
    const workers = new Miniflare({
      cf: false, // otherwise Miniflare downloads it
      modules: true,
      script: await bundle('backend/workers/worker.js', { platform: 'neutral' }),
      compatibilityDate: '2022-10-31',
      bindings: { SVC_BASE_URL: baseUrl, SVC_API_KEY: KEY },
    });
    t.after(() => workers.dispose());
    await usePage(async (path, init) => {
      const answer = await workers.dispatchFetch(`https://host.example/speech/${path}`, init as object);
      return answer as unknown as Response;
    });
  });

  it('shows how to allow pages of other origins', async () => {
    const { backend } = await load<{ backend: { fetch(request: Request): Promise<Response> } }>('backend/origins.js');
    const preflight = (Origin: string) =>
      backend.fetch(
        new Request('https://host.example/speech/session', {
          method: 'OPTIONS',
          headers: { Origin, 'Access-Control-Request-Method': 'POST' },
        }),
      );
    const allowed = await preflight('https://app.example');
    assert.equal(allowed.headers.get('Access-Control-Allow-Origin'), 'https://app.example');
    assert.equal((await preflight('https://else.example')).headers.get('Access-Control-Allow-Origin'), null);
  });

  it('shows how to open a bundle, and how to hand it to the page', async (t: TestContext) => {
    const { readAvatar } = await load<{ readAvatar(id: string): Promise<unknown> }>('backend/avatar.js');
    const { getAvatar } = await load<{ getAvatar(): Promise<Response> }>('backend/avatar-route.js');
    const key = new Uint8Array(hkdfSync('sha256', KEY, '', 'svc-service avatar bundle v1', 32));
    const payload = await new CompactEncrypt(new TextEncoder().encode('{"version":1}'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'svc-avatar-bundle+1' })
      .encrypt(key);
    reply = (response) => json(response, 200, { payload });
    assert.deepEqual(await readAvatar('ava'), { version: 1 });
    assert.deepEqual(await (await getAvatar()).json(), { version: 1 });
    assert.match(calls.at(-1)!.path, /\/demo$/);
    const log = t.mock.method(console, 'error', () => undefined);
    reply = works;
    await assert.rejects(readAvatar('ava'), { name: 'AvatarBundleError' });
    assert.deepEqual(log.mock.calls[0]?.arguments, ['unknown-format']);
  });

  it('shows an avatar that the service takes, and all its shapes', () => {
    const [file, page] = ['docs/examples/service/otter.json', 'docs/avatars.md'].map((name) =>
      readFileSync(join(ROOT, name), 'utf8'),
    );
    assert.ok(page!.includes(file!));
    const avatar = JSON.parse(file!) as Record<string, unknown>;
    assert.deepEqual(readAvatarBundle(avatar, 'otter').mouth, avatar.mouth);
  });
});
