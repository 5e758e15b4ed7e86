import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import type * as Backend from '../../../src/backend/index.js';
import { KEY, SESSION } from './fake-service.js';

/** Loads the backend kit where there is nothing but ECMAScript and the given globals, as on an edge platform. */
async function load(globals: Record<string, unknown>): Promise<typeof Backend> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../../src/backend/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'neutral', // an import of a Node module fails the build
    format: 'iife',
    globalName: 'kit',
  });
  return runInContext(`${outputFiles.map(({ text }) => text).join('')}; kit`, createContext(globals)) as typeof Backend;
}

describe('the backend kit', () => {
  it('loads where there is nothing but ECMAScript', async () => {
    assert.equal(typeof (await load({})).createSpeechBackend, 'function');
  });

  it('gives a session where there is nothing but the Fetch API', async () => {
    const kit = await load({
      Request,
      Response,
      Headers,
      URL,
      AbortController,
      AbortSignal,
      ReadableStream,
      TextDecoder,
    });
    const backend = kit.createSpeechBackend({
      baseUrl: 'https://api.example',
      apiKey: KEY,
      authorize: () => true,
      fetch: () => Promise.resolve(Response.json(SESSION)),
    });
    const headers = { 'Content-Type': 'application/json' };
    const request = new Request('https://host.example/session', { method: 'POST', headers, body: '{}' });
    assert.deepEqual(await (await backend.fetch(request)).json(), SESSION);
  });
});
