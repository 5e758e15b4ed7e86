import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { CompactEncrypt } from 'jose';
import { Miniflare } from 'miniflare';
import { BUNDLE, json, KEY, ROOM, SESSION, startService, works, type Call, type Reply } from './fake-service.js';

const COMPATIBILITY_DATE = '2025-06-01'; // from 2025-04-01 on, workers with nodejs_compat have process.env

/** First compatibility date with which workers have `URL.canParse`. */
const OLDEST_COMPATIBILITY_DATE = '2022-10-31';

/** Returns the reason why Cloudflare's runtime cannot be started here; null if it can. */
function missingRuntime(): string | null {
  try {
    const fromMiniflare = createRequire(import.meta.resolve('miniflare'));
    const { default: file } = fromMiniflare('workerd') as { default: string };
    const { status, error, stderr } = spawnSync(file, ['--version'], { encoding: 'utf8' });
    return status === 0 ? null : `workerd --version failed: ${error?.message ?? stderr}`;
  } catch (error) {
    return String(error);
  }
}

const missing = missingRuntime();
if (missing)
  console.error(`SKIPPED: the backend kit was not run on Cloudflare's runtime, which is not here. ${missing}`);

describe('the backend kit on Cloudflare Workers', { skip: missing ?? false }, () => {
  let reply: Reply = works;
  let calls: Call[] = [];
  let redirects: Call[] = [];
  let elsewhere = '';
  let workers: Miniflare;
  const ends: (() => void)[] = [];

  before(async () => {
    const scope = { after: (end: () => void) => void ends.push(end) };
    const service = await startService(scope, (response, call, turn) => reply(response, call, turn));
    const other = await startService(scope, works);
    calls = service.calls;
    [redirects, elsewhere] = [other.calls, other.baseUrl];
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('edge-worker.ts', import.meta.url))],
      bundle: true,
      write: false,
      platform: 'neutral', // an import of a Node module fails the build
      format: 'esm',
    });
    const worker = {
      modules: true,
      script: outputFiles[0]!.text,
      compatibilityDate: COMPATIBILITY_DATE,
      bindings: { BASE_URL: service.baseUrl, KEY },
    } as const;
    workers = new Miniflare({
      cf: false, // otherwise Miniflare downloads it
      workers: [
        { ...worker, name: 'plain' },
        { ...worker, name: 'compatible', compatibilityFlags: ['nodejs_compat'], routes: ['compatible.example/*'] },
        {
          ...worker,
          name: 'nameless',
          compatibilityFlags: ['nodejs_compat', 'no_global_navigator'],
          routes: ['nameless.example/*'],
        },
        { ...worker, name: 'old', compatibilityDate: OLDEST_COMPATIBILITY_DATE, routes: ['old.example/*'] },
      ],
    });
    await workers.ready;
  });

  after(async () => {
    await workers?.dispose();
    for (const end of ends) end();
  });

  /** Sends a page's request to the worker, whose service answers with `given`. */
  async function ask(path: string, given: Reply = works, body?: string, host = 'plain.example') {
    reply = given;
    calls.length = 0;
    redirects.length = 0;
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const init = body === undefined ? {} : { ...post, body };
    const response = await workers.dispatchFetch(`https://${host}/${path}`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  it('answers with sessions, bundles and rooms', async () => {
    assert.deepEqual(JSON.parse((await ask('speech/session', works, '{"voice_id":"anna"}')).text), SESSION);
    assert.equal(calls[0]?.body, '{"voice_id":"anna"}');
    assert.equal(calls[0]?.headers['x-svc-api-key'], KEY);
    assert.deepEqual(JSON.parse((await ask('speech/avatars/ava/bundle')).text), BUNDLE);
    assert.deepEqual(JSON.parse((await ask('speech/rooms/token?avatar_id=ava&name=Zoe')).text), ROOM);
    assert.equal(calls[0]?.path, '/api/v1/rtc/getToken?avatar_id=ava&name=Zoe');
  });

  it('enforces the limit of a body', async () => {
    const { status } = await ask('speech/session', works, JSON.stringify({ input: 'x'.repeat(70_000) }));
    assert.equal(status, 413);
    assert.equal(calls.length, 0);
  });

  for (const status of [301, 302, 307, 308]) {
    it(`does not follow a ${status} to another host, so that the key stays where it belongs`, async () => {
      const redirect: Reply = (response) => json(response, status, {}, { Location: `${elsewhere}/take` });
      assert.equal((await ask('speech/session', redirect, '{}')).status, 502);
      assert.equal((await ask('speech/avatars/ava/bundle', redirect)).status, 502);
      assert.equal(calls.length, 1);
      assert.equal(redirects.length, 0);
    });
  }

  it('opens a bundle of the embedded service', async () => {
    const bundle = { version: 1, avatar: { id: 'ava', name: 'Avä' } };
    const key = new Uint8Array(hkdfSync('sha256', KEY, '', 'svc-service avatar bundle v1', 32));
    const payload = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(bundle)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'svc-avatar-bundle+1' })
      .encrypt(key);
    const { text } = await ask('opened-bundle', (response) => json(response, 200, { payload }));
    assert.deepEqual(JSON.parse(text), bundle);
    assert.match((await ask('refused-bundle', works, payload.replace('..', '..A'))).text, /^AvatarBundleError/);
  });

  it('ends a call when its signal aborts', async () => {
    const waiting: ServerResponse[] = [];
    let hungUp: Promise<unknown> | undefined;
    const { text } = await ask('aborted', (response, { path }) => {
      if (path === '/until-called') waiting.push(response);
      else hungUp = once(response, 'close');
      if (hungUp) for (const each of waiting) each.end();
    });
    assert.equal(text, 'Error: enough');
    await hungUp;
  });

  it('times out if the service does not answer in time', async () => {
    assert.equal((await ask('impatient/session', () => undefined, '{}')).status, 504);
    assert.equal(
      (await ask('impatient/session', (response) => void response.writeHead(200).write('{'), '{}')).status,
      504,
    );
  });

  it('tries again after 503', async () => {
    const flaky: Reply = (response, call, turn) =>
      turn === 0 ? json(response, 503, {}, { 'Retry-After': '0' }) : works(response, call, turn);
    assert.equal((await ask('speech/session', flaky, '{}')).status, 200);
    assert.equal(calls.length, 2);
  });

  it('runs on the oldest runtime that docs/backend.md names', async () => {
    const page = await readFile(new URL('../../../docs/backend.md', import.meta.url), 'utf8');
    assert.ok(page.includes(OLDEST_COMPATIBILITY_DATE));
    const { text } = await ask('speech/session', works, '{}', 'old.example');
    assert.deepEqual(JSON.parse(text), SESSION);
    for (const path of ['speech/avatars/ava/bundle', 'speech/rooms/token?avatar_id=ava']) {
      assert.equal((await ask(path, works, undefined, 'old.example')).status, 200);
    }
  });

  for (const host of ['plain.example', 'compatible.example', 'nameless.example', 'old.example']) {
    it(`answers 403 without authorize on ${host}, whatever its environment`, async () => {
      for (const [path, body] of [
        ['open-to-all/session', '{}'],
        ['open-to-all/avatars/ava/bundle', undefined],
        ['open-to-all/rooms/token?avatar_id=ava', undefined],
      ] as const) {
        const { status, text } = await ask(path, works, body, host);
        assert.equal(status, 403);
        assert.match(text, /authorize\(request\)/);
      }
      assert.equal(calls.length, 0);
    });
  }
});
