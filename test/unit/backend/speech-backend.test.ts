import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  createSpeechBackend,
  type OwnSessionOptions,
  type SpeechBackendOptions,
  SvcApiError,
} from '../../../src/backend/index.js';
import { json, KEY, SESSION, startService, works, type Reply } from './fake-service.js';
import { detailOf, get, post, startBackend } from './host-page.js';

describe('createSpeechBackend while an app is built', () => {
  for (const [missing, options] of [
    ['baseUrl', { baseUrl: undefined, apiKey: KEY }],
    ['baseUrl', { baseUrl: '', apiKey: undefined }],
    ['apiKey', { baseUrl: 'https://api.example', apiKey: undefined }],
  ] as const) {
    it(`answers 503, and names what is missing there and once in the log: ${JSON.stringify(Object.entries(options))}`, async () => {
      const errors: unknown[] = [];
      const onError = (error: unknown) => errors.push(error);
      const backend = createSpeechBackend({ ...options, authorize: () => false, onError });
      for (let request = 1; request <= 2; request++) {
        const response = await backend.fetch(post());
        assert.equal(response.status, 503);
        assert.match(await detailOf(response), new RegExp(`^${missing} is missing: set the variable`));
      }
      assert.equal(errors.length, 1); // not one for each visitor
      assert.match(String(errors[0]), new RegExp(missing));
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
  it('sends the requested session to the service', async (t) => {
    const { backend, calls } = await startBackend(t, works);
    await backend.fetch(post({ voice_id: 'anna' }));
    assert.equal(calls[0]?.body, '{"voice_id":"anna"}');
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

describe('createSpeechBackend with sessions of its own', () => {
  const own = (options: Partial<OwnSessionOptions> = {}) => {
    const asked: unknown[] = [];
    const errors: unknown[] = [];
    const backend = createSpeechBackend({
      production: false,
      onError: (error) => errors.push(error),
      session: (request, { signal }) => {
        asked.push([request, signal instanceof AbortSignal]);
        return SESSION;
      },
      ...options,
    });
    return { backend, asked, errors };
  };

  it('answers with them, without a service', async () => {
    const { backend, asked } = own();
    const response = await backend.fetch(post({ voice_id: 'anna', reason: 'resume' }));
    assert.deepEqual([response.status, await response.json()], [200, SESSION]);
    assert.deepEqual(asked, [[{ voice_id: 'anna' }, true]]);
    for (const path of ['avatars/a/bundle', 'rooms/token?avatar_id=a']) {
      assert.equal((await backend.fetch(get(path))).status, 404);
    }
  });

  it('checks the request and the visitor first', async () => {
    const { backend, asked } = own({ allow: () => false });
    assert.equal((await backend.fetch(post({ voice: 'anna' }))).status, 422);
    assert.equal((await backend.fetch(post())).status, 403);
    assert.equal((await own({ production: true }).backend.fetch(post())).status, 403);
    assert.deepEqual(asked, []);
  });

  it('has avatars and rooms of a service too', async (t) => {
    const { backend, calls } = await startBackend(t, works, {
      session: () => SESSION,
    } as Partial<SpeechBackendOptions>);
    assert.equal((await backend.fetch(post())).status, 200);
    assert.equal((await backend.fetch(get('avatars/a/bundle'))).status, 200);
    assert.equal(calls.length, 1);
  });

  it('reports what goes wrong there, and tells the page nothing of it', async () => {
    const secret = new Error(`the key ${KEY} is wrong`);
    for (const [session, status] of [
      [() => Promise.reject(secret), 500],
      [() => ({ url: 'not a socket' }) as never, 500],
      [() => Promise.reject(new SvcApiError(429, 'rate-limited', 'slowly', 2000)), 429],
    ] as const) {
      const { backend, errors } = own({ session });
      const response = await backend.fetch(post());
      assert.equal(response.status, status);
      assert.ok(!(await detailOf(response)).includes(KEY));
      assert.equal(errors.length, 1);
    }
  });
});

describe('createSpeechBackend: who may have a session', () => {
  it('calls authorize before anything else', async (t) => {
    const { backend } = await startBackend(t, works, { production: true, authorize: () => Promise.resolve(false) });
    assert.equal((await backend.fetch(post('not JSON'))).status, 403);
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

  it('calls allow with the requested session and the request', async (t) => {
    const { backend, calls } = await startBackend(t, works, {
      allow: ({ voice_id }, request) => voice_id === 'anna' && request.headers.has('Cookie'),
    });
    const headers = { 'Content-Type': 'application/json', Cookie: 'user=1' };
    assert.equal((await backend.fetch(post({ voice_id: 'anna' }, { headers }))).status, 200);
    assert.equal((await backend.fetch(post({ voice_id: 'bert' }, { headers }))).status, 403);
    assert.equal((await backend.fetch(post({ voice_id: 'anna' }))).status, 403);
    assert.equal(calls.length, 1);
  });

  it('tells allow that the rest of an utterance is asked for, and the service not', async (t) => {
    const { backend, calls } = await startBackend(t, works, {
      allow: ({ reason, voice_id }) => reason !== 'resume' || voice_id === 'anna',
    });
    assert.equal((await backend.fetch(post({ voice_id: 'bert', reason: 'resume' }))).status, 403);
    assert.equal((await backend.fetch(post({ voice_id: 'anna', reason: 'resume' }))).status, 200);
    assert.equal((await backend.fetch(post({ reason: 'retry' }))).status, 422);
    assert.deepEqual(
      calls.map(({ body }) => body),
      ['{"voice_id":"anna"}'],
    );
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
});
