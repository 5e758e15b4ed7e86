import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import type * as Backend from '../../../src/backend/index.js';
import { BUNDLE, KEY, ROOM, SESSION } from './fake-service.js';
import { get, post } from './host-page.js';

const SEALED =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwidHlwIjoic3ZjLWF2YXRhci1idW5kbGUrMSJ9..yHeLFpwgCnZLPTFh.ebo9zsj4Ra0OkEpwyTfhNTOjaBPLxeCPGXl-cbE5IAZoLKw6jsaSX9KNlY5ylOT_5w.9B9BOR1n4vSFAlNQ9RQTbw';

const options = {
  entryPoints: [fileURLToPath(new URL('../../../src/backend/index.ts', import.meta.url))],
  bundle: true,
  write: false as const,
  platform: 'neutral', // an import of a Node module fails the build
  format: 'iife',
  globalName: 'kit',
} satisfies BuildOptions;

/** Loads the backend kit in a realm that has only ECMAScript and the given globals, as on an edge platform. */
async function load(globals: Record<string, unknown>): Promise<typeof Backend> {
  const { outputFiles } = await build(options);
  return runInContext(`${outputFiles.map(({ text }) => text).join('')}; kit`, createContext(globals)) as typeof Backend;
}

describe('the backend kit', () => {
  it('loads where there is nothing but ECMAScript', async () => {
    assert.equal(typeof (await load({})).createSpeechBackend, 'function');
  });

  it('answers all its routes where there is nothing but the Fetch API and its base64', async () => {
    const kit = await load({
      Request,
      Response,
      Headers,
      URL,
      URLSearchParams,
      AbortController,
      AbortSignal,
      ReadableStream,
      TextDecoder,
      btoa,
    });
    const answers: Record<string, object> = { session: SESSION, ava: BUNDLE, getToken: ROOM };
    const backend = kit.createSpeechBackend({
      baseUrl: 'https://api.example',
      apiKey: KEY,
      authorize: () => true,
      fetch: (url) => Promise.resolve(Response.json(answers[new URL(url).pathname.split('/').at(-1)!])),
    });
    assert.deepEqual(await (await backend.fetch(post())).json(), SESSION);
    assert.deepEqual(await (await backend.fetch(get('avatars/ava/bundle'))).json(), BUNDLE);
    assert.deepEqual(await (await backend.fetch(get('rooms/token?avatar_id=ava'))).json(), ROOM);
  });

  it('opens a bundle where there is nothing but WebCrypto', async () => {
    const kit = await load({ TextDecoder, TextEncoder, Uint8Array, ArrayBuffer, atob, crypto });
    // `SEALED` was made once with jose, so the test notices a change of the format even if both sides make it.
    const opened = JSON.stringify(await kit.decryptAvatarBundle(SEALED, KEY)); // its objects belong to another realm
    assert.deepEqual(JSON.parse(opened), { version: 1, avatar: { id: 'ava', name: 'Avä' } });
  });

  it('stays small', async () => {
    const { outputFiles } = await build({ ...options, minify: true });
    const bytes = gzipSync(outputFiles[0]!.contents).byteLength;
    assert.ok(bytes < 10.6 * 1024, `${bytes} bytes`); // a worker compiles this code at each cold start
  });
});
