import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { FastifyInstance } from 'fastify';
import { hkdfSync } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import { BUNDLE, json, KEY, ROOM, SESSION, startService, works, type Call, type Reply } from './fake-service.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A stand-in for the reader's own file: who has a cookie is a user. */
const USERS = `export const userOf = (request) => {
  const id = /user=(\\w+)/.exec(request.headers.get('Cookie') ?? '')?.[1];
  return id ? { id } : null;
};`;

/** The examples of docs/backend.md by their headings, each with the file it says it is. */
async function readExamples(): Promise<Map<string, { file: string; code: string }>> {
  const page = await readFile(join(ROOT, 'docs/backend.md'), 'utf8');
  const examples = new Map<string, { file: string; code: string }>();
  let heading = '';
  for (const [, title, code] of page.matchAll(/^##+ (.*)$|^```js\n([^]*?)^```$/gm)) {
    if (title) heading = title;
    const file = /^\/\/ (\S+)\n/.exec(code ?? '')?.[1];
    if (code && file) examples.set(heading, { file, code });
  }
  return examples;
}

describe('docs/backend.md', () => {
  const folder = join(ROOT, '.cache', 'backend-docs', String(process.pid));
  let reply: Reply = works;
  let calls: Call[] = [];
  let baseUrl = '';
  let examples: Awaited<ReturnType<typeof readExamples>>;
  const ends: (() => unknown)[] = [];

  before(async () => {
    const scope = { after: (end: () => unknown) => void ends.push(end) };
    ({ baseUrl, calls } = await startService(scope, (...args) => reply(...args)));
    Object.assign(process.env, { SVC_BASE_URL: baseUrl, SVC_API_KEY: KEY, PORT: '0' });
    examples = await readExamples();
  });

  after(async () => {
    for (const end of ends) end();
    await rm(folder, { recursive: true, force: true });
  });

  /** Loads an example as it stands on the page, with the files it imports. */
  async function load(heading: string): Promise<Record<string, unknown>> {
    const { file, code } = examples.get(heading)!;
    const example = join(folder, heading, file);
    const files = [
      [example, code],
      [join(folder, heading, 'speech.js'), examples.get('Mount it')!.code],
      [join(folder, heading, 'users.js'), USERS],
    ] as const;
    for (const [name, text] of files) {
      await mkdir(dirname(name), { recursive: true });
      await writeFile(name, text);
    }
    const outfile = join(folder, heading, 'bundle.mjs');
    await build({
      entryPoints: [example],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      alias: { 'svc-speaker/backend.js': join(ROOT, 'src/backend/index.ts') },
      external: ['fastify'],
      logLevel: 'silent',
    });
    return (await import(pathToFileURL(outfile).href)) as Record<string, unknown>;
  }

  /** Uses all three routes as a page would, and as somebody who is no user. */
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

  it('shows node:http', async (t: TestContext) => {
    const { server } = (await load('node:http')) as { server: Server };
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    await usePage((path, init) => fetch(`http://127.0.0.1:${port}/speech/${path}`, init));
    assert.equal(new URL(calls.at(-1)!.path, baseUrl).searchParams.get('name'), 'zoe'); // the user's, not the page's
    server.closeAllConnections();
  });

  it('shows Fastify', async (t: TestContext) => {
    const { app } = (await load('Fastify')) as { app: FastifyInstance };
    t.after(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    await usePage((path, init) => fetch(`http://127.0.0.1:${port}/speech/${path}`, init));
    app.server.closeAllConnections();
  });

  it('shows Next', async () => {
    const route = (await load('Next')) as Record<string, (request: Request, context: object) => Promise<Response>>;
    const context = { params: Promise.resolve({ path: [] }) };
    await usePage(onHost((request) => route[request.method]!(request, context)));
  });

  it('shows SvelteKit', async () => {
    const { fallback } = (await load('SvelteKit')) as { fallback: (event: { request: Request }) => Promise<Response> };
    await usePage(onHost((request) => fallback({ request })));
  });

  it('shows Cloudflare Workers', async () => {
    const { default: worker } = (await load('Cloudflare Workers')) as {
      default: { fetch(request: Request, environment: object): Promise<Response> };
    };
    await usePage(onHost((request) => worker.fetch(request, { SVC_BASE_URL: baseUrl, SVC_API_KEY: KEY })));
  });

  it('shows how to open a bundle', async (t: TestContext) => {
    const { readAvatar } = (await load('Opening a bundle')) as { readAvatar(id: string): Promise<unknown> };
    const key = new Uint8Array(hkdfSync('sha256', KEY, '', 'svc-service avatar bundle v1', 32));
    const payload = await new CompactEncrypt(new TextEncoder().encode('{"version":1}'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'svc-avatar-bundle+1' })
      .encrypt(key);
    reply = (response) => json(response, 200, { payload });
    assert.deepEqual(await readAvatar('ava'), { version: 1 });
    const log = t.mock.method(console, 'error', () => undefined);
    reply = works;
    await assert.rejects(readAvatar('ava'), { name: 'AvatarBundleError' });
    assert.deepEqual(log.mock.calls[0]?.arguments, ['unknown-format']);
  });

  it('has an example for every framework it names', () => {
    const shown = ['node:http', 'Express', 'Fastify', 'Hono', 'Next', 'SvelteKit', 'Cloudflare Workers'];
    for (const heading of shown) assert.ok(examples.has(heading), heading);
  });
});
