import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createSpeechBackend, type SvcApiError } from '../../../src/backend/index.js';
import { json, KEY, SESSION, startService, works, type Reply } from './fake-service.js';
import { detailOf, post, startBackend } from './host-page.js';

describe('createSpeechBackend while an app is built', () => {
  for (const [missing, options] of [
    ['baseUrl', { baseUrl: undefined, apiKey: KEY }],
    ['baseUrl', { baseUrl: '', apiKey: undefined }],
    ['apiKey', { baseUrl: 'https://api.example', apiKey: undefined }],
  ] as const) {
    it(`answers 503 and names what is missing: ${JSON.stringify(Object.entries(options))}`, async () => {
      const backend = createSpeechBackend({ ...options, authorize: () => false });
      const response = await backend.fetch(post());
      assert.equal(response.status, 503);
      assert.match(await detailOf(response), new RegExp(`^${missing} is missing: set the variable`));
    });

    it(`throws at once if it is strict: ${JSON.stringify(Object.entries(options))}`, () => {
      assert.throws(() => createSpeechBackend({ ...options, strict: true }), {
        name: 'TypeError',
        message: `${missing} is missing: set the variable that it is read from`,
      });
    });
  }

  it('throws at once for an address that cannot be one', () => {
    assert.throws(() => createSpeechBackend({ baseUrl: 'api.example', apiKey: KEY }), /^TypeError: baseUrl must be/);
  });
});

describe('createSpeechBackend: POST /session', () => {
  it('answers with the session, not to be cached', async (t) => {
    const { backend, calls } = await startBackend(t, works);
    const response = await backend.fetch(post({ voice_id: 'anna' }));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('Cache-Control'), 'no-store');
    assert.equal(response.headers.get('Content-Type'), 'application/json');
    assert.deepEqual(await response.json(), SESSION);
    assert.equal(calls[0]?.body, '{"voice_id":"anna"}');
  });

  it('answers wherever it is mounted', async (t) => {
    const { backend } = await startBackend(t, works);
    for (const path of ['/session', '/a/b/session', '/session/', '/session?x=1']) {
      const request = post();
      assert.equal((await backend.fetch(new Request(`https://host.example${path}`, request))).status, 200);
    }
  });

  it('answers 404 to other paths, without a call', async (t) => {
    const { backend, calls } = await startBackend(t, works);
    for (const path of ['/', '/sessions', '/my-session', '/session/x', '/rooms', '/token']) {
      const response = await backend.fetch(new Request(`https://host.example${path}`, post()));
      assert.equal(response.status, 404);
      await detailOf(response);
    }
    assert.equal(calls.length, 0);
  });

  it('answers 405 to other methods and names the right one in Allow', async (t) => {
    const { backend, calls } = await startBackend(t, works);
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await backend.fetch(new Request('https://host.example/session', { method }));
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('Allow'), 'POST');
    }
    assert.equal(calls.length, 0);
  });

  it('sends no CORS headers', async (t) => {
    const { backend } = await startBackend(t, works);
    const response = await backend.fetch(
      post({}, { headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' } }),
    );
    assert.deepEqual(
      [...response.headers.keys()].filter((name) => name.startsWith('access-control')),
      [],
    );
  });

  for (const [status, what, request] of [
    [400, 'what is not JSON', () => post('{"voice_id":')],
    [400, 'an empty body', () => post('')],
    [400, 'JSON that is too deep', () => post(`{"sampling":${'{"a":'.repeat(9000)}1${'}'.repeat(9001)}`)],
    [413, 'a body that is too large', () => post({ input: 'x'.repeat(70_000) })],
    [415, 'a type that a form can send', () => post({}, { headers: { 'Content-Type': 'text/plain' } })],
    [415, 'no type', () => post({}, { headers: {} })],
    [422, 'JSON that is no object', () => post([])],
    [422, 'a field that is wrong', () => post({ sample_rate: 1 })],
    [422, 'a field that is not known', () => post({ api_key: 'x' })],
  ] as const) {
    it(`answers ${status} to ${what}, without a call`, async (t) => {
      const { backend, calls, errors } = await startBackend(t, works);
      const response = await backend.fetch(request());
      assert.equal(response.status, status);
      assert.equal(response.headers.get('Cache-Control'), 'no-store');
      assert.notEqual(await detailOf(response), '');
      assert.equal(calls.length, 0);
      assert.deepEqual(errors, []);
    });
  }

  it('stops reading a body without a length when it gets too large', async (t) => {
    const { backend } = await startBackend(t, works, { maxBodyBytes: 1000 });
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        sent++;
        controller.enqueue(new Uint8Array(100));
      },
    });
    const response = await backend.fetch(post({}, { body, duplex: 'half' } as RequestInit));
    assert.equal(response.status, 413);
    assert.ok(sent < 20); // 11 chunks exceed 1000 bytes; a few more may be queued
  });

  it('names the field that is wrong', async (t) => {
    const { backend } = await startBackend(t, works);
    assert.match(await detailOf(await backend.fetch(post({ voice: 'anna' }))), /^voice is not known/);
  });
});

describe('createSpeechBackend: who may have a session', () => {
  it('calls authorize before anything else, with the request', async (t) => {
    const { backend, calls } = await startBackend(t, works, {
      production: true,
      authorize: (request) => Promise.resolve(request.headers.get('Cookie') === 'user=1'),
    });
    assert.equal((await backend.fetch(post('not JSON'))).status, 403);
    assert.equal(calls.length, 0);
    const headers = { 'Content-Type': 'application/json', Cookie: 'user=1' };
    assert.equal((await backend.fetch(post({}, { headers }))).status, 200);
  });

  it('answers with the response that authorize returns', async (t) => {
    const refused = Response.redirect('https://page.example/login', 303); // its headers are immutable
    const { backend, calls } = await startBackend(t, works, {
      corsOrigins: ['https://page.example'],
      authorize: (request) =>
        request.headers.has('Cookie') ? refused : Response.json({ detail: 'log in first' }, { status: 401 }),
    });
    const stranger = await backend.fetch(post({}));
    assert.equal(stranger.status, 401);
    assert.equal(await detailOf(stranger), 'log in first');
    const headers = { 'Content-Type': 'application/json', Cookie: 'user=1', Origin: 'https://page.example' };
    const sent = await backend.fetch(post({}, { headers }));
    assert.equal(sent.status, 303);
    assert.equal(sent.headers.get('Location'), 'https://page.example/login');
    assert.equal(sent.headers.get('Access-Control-Allow-Origin'), 'https://page.example');
    assert.equal(calls.length, 0);
  });

  it('calls allow with the requested session', async (t) => {
    const { backend, calls } = await startBackend(t, works, { allow: ({ voice_id }) => voice_id === 'anna' });
    assert.equal((await backend.fetch(post({ voice_id: 'anna' }))).status, 200);
    assert.equal((await backend.fetch(post({ voice_id: 'bert' }))).status, 403);
    assert.equal(calls.length, 1);
  });

  it('answers 403 in production without authorize, and names the remedy', async (t) => {
    const { backend, calls } = await startBackend(t, works, { production: true });
    const response = await backend.fetch(post());
    assert.equal(response.status, 403);
    assert.match(await detailOf(response), /authorize\(request\)/);
    assert.equal(calls.length, 0);
  });

  const locked = {
    get env(): never {
      throw new Error('asks for a permission');
    },
  };
  for (const [environment, globals, status] of [
    ['NODE_ENV is production', { process: { env: { NODE_ENV: 'production' } } }, 403],
    ['NODE_ENV is not production', { process: { env: { NODE_ENV: 'development' } } }, 200],
    ['NODE_ENV is not set', { process: { env: {} } }, 200],
    ['the runtime has no environment', { process: undefined }, 403],
    ['the environment must not be asked', { process: locked }, 403],
    [
      'the platform is Cloudflare Workers',
      { process: { env: {} }, navigator: { userAgent: 'Cloudflare-Workers' } },
      403,
    ],
    ['the platform is Cloudflare Workers without a navigator', { process: { env: {} }, WebSocketPair: Map }, 403],
    ['the runtime is a newer Node', { process: { env: {} }, navigator: { userAgent: 'Node.js/24' } }, 200],
  ] as const) {
    it(`answers ${status} without authorize where ${environment}`, async (t) => {
      const service = await startService(t, works);
      const originals = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
      for (const [name, value] of Object.entries(globals)) {
        Object.defineProperty(globalThis, name, { value, configurable: true });
      }
      let backend;
      try {
        backend = createSpeechBackend({ baseUrl: service.baseUrl, apiKey: KEY });
      } finally {
        for (const [name, original] of originals as [string, PropertyDescriptor | undefined][]) {
          if (original) Object.defineProperty(globalThis, name, original);
          else Reflect.deleteProperty(globalThis, name);
        }
      }
      assert.equal((await backend.fetch(post())).status, status);
    });
  }

  it('answers 500 and reports to onError when a hook throws', async (t) => {
    const reason = new Error('database password is hunter2');
    const { backend, errors } = await startBackend(t, works, { authorize: () => Promise.reject(reason) });
    const response = await backend.fetch(post());
    assert.equal(response.status, 500);
    assert.equal(await detailOf(response), 'the server failed');
    assert.deepEqual(errors, [reason]);
  });

  for (const [how, fail] of [
    [
      'throws',
      () => {
        throw new Error('the log is full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the log is full'))],
  ] as const) {
    it(`answers as usual when onError ${how}, and logs that to the console`, async (t) => {
      const logged = t.mock.method(console, 'error', () => undefined);
      const { backend } = await startBackend(t, (response) => json(response, 401, {}), { onError: fail });
      assert.equal((await backend.fetch(post())).status, 502);
      await setImmediate(); // the rejection is logged after the response
      assert.deepEqual(
        logged.mock.calls.map((call) => String(call.arguments[1])),
        ['Error: the log is full'],
      );
    });
  }
});

describe('createSpeechBackend: failures of the service', () => {
  for (const [upstream, status] of [
    [401, 502],
    [402, 402],
    [403, 502],
    [404, 502],
    [418, 502],
    [429, 429],
    [500, 502],
    [503, 503],
  ] as const) {
    it(`answers ${status} to the page after ${upstream}, and reports the error to onError`, async (t) => {
      const { backend, errors } = await startBackend(t, (response) =>
        json(response, upstream, { detail: `key ${KEY}` }),
      );
      const response = await backend.fetch(post());
      assert.equal(response.status, status);
      assert.ok(!(await detailOf(response)).includes('key sk'));
      assert.equal((errors[0] as SvcApiError).status, upstream);
    });
  }

  it('forwards which field the service refuses', async (t) => {
    const detail = `sampling.top_k is not known (key ${KEY})`;
    const { backend, errors } = await startBackend(t, (response) => json(response, 422, { detail }));
    const response = await backend.fetch(post({ sampling: { top_k: 1 } }));
    assert.equal(response.status, 422);
    assert.equal(await detailOf(response), 'sampling.top_k is not known (key [key])');
    assert.deepEqual(errors, []);
  });

  it('forwards Retry-After', async (t) => {
    const { backend } = await startBackend(t, (response) => json(response, 429, {}, { 'Retry-After': '56' }));
    assert.equal((await backend.fetch(post())).headers.get('Retry-After'), '56');
  });

  it('answers 502 when the service answers nonsense or redirects', async (t) => {
    const replies: Reply[] = [
      (response) => void response.writeHead(200).end('<html>'),
      (response) => json(response, 307, {}, { Location: 'https://elsewhere.example/' }),
      (response) => void response.socket?.destroy(),
    ];
    for (const reply of replies) {
      const { backend } = await startBackend(t, reply);
      assert.equal((await backend.fetch(post())).status, 502);
    }
  });

  it('answers 504 when the service does not answer', async (t) => {
    const { backend } = await startBackend(t, () => undefined, { timeoutMs: 20 });
    assert.equal((await backend.fetch(post())).status, 504);
  });

  it('aborts the call when the page aborts its request', async (t) => {
    const abort = new AbortController();
    const { backend, errors } = await startBackend(t, () => abort.abort());
    const response = await backend.fetch(post({}, { signal: abort.signal }));
    assert.equal(response.status, 499);
    assert.deepEqual(errors, []);
  });
});

describe('createSpeechBackend: the API key', () => {
  it('never appears in an answer, whatever the service and the page do', async (t) => {
    const replies: Reply[] = [
      works,
      (response) => json(response, 200, { ...SESSION, note: KEY }),
      (response) => json(response, 200, { ...SESSION, gateway: KEY }),
      ...[401, 402, 403, 404, 422, 429, 500, 503].map(
        (status): Reply =>
          (response) =>
            json(response, status, { detail: `${KEY} ${encodeURIComponent(KEY)}` }),
      ),
    ];
    for (const reply of replies) {
      const { backend } = await startBackend(t, reply);
      for (const request of [post(), post('{'), new Request('https://host.example/session')]) {
        const response = await backend.fetch(request);
        const shown = (await response.text()) + JSON.stringify([...response.headers]);
        assert.ok(!shown.includes(KEY) && !shown.includes(encodeURIComponent(KEY)), shown);
      }
    }
  });
});
