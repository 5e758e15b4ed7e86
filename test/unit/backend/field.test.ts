import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import { connect as connectSocket, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { createSpeechBackend, nodeHandler, SvcClient, type SpeechBackend } from '../../../src/backend/index.js';
import { failure, fakeClock, json, KEY, SESSION, startService, works } from './fake-service.js';

/** Cases that users of other backends reported. The numbers are those of the issue trackers. */

const posted = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };

/** Starts a `node:http` server with a listener. Returns its address. */
async function serve(t: TestContext, listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/session`);
}

/** Returns a backend that nobody may use. `refuse` returns the reason. */
function refusing(refuse: () => Response | Promise<Response>): SpeechBackend {
  return createSpeechBackend({ baseUrl: 'http://127.0.0.1:9', apiKey: KEY, authorize: refuse, onError: () => {} });
}

/** Starts a server that decides who may log in, and answers each request with `listener`. Returns a call of it. */
async function startLogin(t: TestContext, listener: RequestListener): Promise<() => Promise<Response>> {
  const url = await serve(t, listener);
  return () => fetch(url);
}

describe('The response of authorize', () => {
  it('keeps each of its cookies (h3js/srvx 144, marko-js/run 37)', async (t) => {
    const cookies = ['session=; Max-Age=0', 'login=next; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT'];
    const headers = cookies.map((cookie) => ['Set-Cookie', cookie] as [string, string]);
    const url = await serve(t, nodeHandler(refusing(() => new Response('{}', { status: 401, headers }))));
    assert.deepEqual((await fetch(url, posted)).headers.getSetCookie(), cookies);
  });

  it('refuses also if it is a Response of another library (sindresorhus/ky 857, remix-run/react-router 9690)', async (t) => {
    const service = await startService(t, works);
    const foreign = {
      status: 401,
      statusText: 'No',
      headers: new Headers({ 'X-Reason': 'none' }),
      body: null,
      url: '',
    };
    const authorize = () => foreign as Response;
    const backend = createSpeechBackend({ baseUrl: service.baseUrl, apiKey: KEY, authorize });
    const response = await backend.fetch(new Request('https://host.example/session', posted));
    assert.deepEqual([response.status, response.headers.get('X-Reason')], [401, 'none']);
    assert.equal(service.calls.length, 0);
  });

  it('refuses also if it is an error without a status', async (t) => {
    const service = await startService(t, works);
    const onError = (): void => {};
    const backend = createSpeechBackend({ ...service, apiKey: KEY, authorize: () => Response.error(), onError });
    assert.equal((await backend.fetch(new Request('https://host.example/session', posted))).status, 500);
    assert.equal(service.calls.length, 0);
  });

  it('can be read if it was fetched, compressed, from another server (cloudflare/vinext 263, honojs/hono 3518)', async (t) => {
    const body = gzipSync('{"detail":"log in"}');
    const login = await startLogin(t, (_, response) => {
      response.writeHead(401, { 'Content-Encoding': 'gzip', 'Content-Length': body.length }).end(body);
    });
    const url = await serve(t, nodeHandler(refusing(login)));
    const response = await fetch(url, posted);
    assert.equal(response.status, 401);
    assert.deepEqual(await response.json(), { detail: 'log in' });
  });

  it('has no header that HTTP/2 forbids if it was fetched over HTTP/1 (honojs/hono 3518)', async (t) => {
    const login = await startLogin(t, (_, response) => {
      response.writeHead(401, { Connection: 'keep-alive' }).write('{"detail":');
      response.end('"log in"}');
    });
    const server = createHttp2Server(nodeHandler(refusing(login))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    t.after(() => {
      client.destroy();
      server.close();
    });
    const stream = client.request({ ':method': 'POST', ':path': '/session' }).end('{}');
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    assert.equal(headers[':status'], 401);
    assert.equal(await text(stream), '{"detail":"log in"}');
  });

  it('is 502 if the other server breaks off, and the handler does not reject', async (t) => {
    const login = await startLogin(t, (_, response) => {
      response.writeHead(401, { 'Content-Length': 100 });
      response.write('{"detail":', () => response.destroy());
    });
    const url = await serve(t, nodeHandler(refusing(login)));
    assert.equal((await fetch(url, posted)).status, 502);
  });
});

describe('The path of a request', () => {
  const echo: SpeechBackend = { fetch: async ({ url }) => new Response(url) };

  for (const [target, path] of [
    ['http://app.example/speech/session?a=b', '/speech/session?a=b'], // middleapi/standard-server 85
    ['HTTP://other.example:81/session', '/session'],
    ['http://app.example', '/'],
    ['//session', '//session'], // punkpeye/mcp-proxy 66
    ['//', '//'],
    ['*', '/'], // h3js/srvx 206
  ] as const) {
    it(`is ${path} for the request target ${target}`, async (t) => {
      const { hostname, port } = await serve(t, nodeHandler(echo));
      const socket = connectSocket(Number(port), hostname);
      socket.end(`OPTIONS ${target} HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n\r\n`);
      const [, url] = (await text(socket)).split('\r\n\r\n');
      assert.ok(url!.includes(`http://app.example${path}`), url);
    });
  }
});

describe('A handler that Express has mounted', () => {
  for (const [baseUrl, url, whole] of [
    ['/speech', '/session?a=b', '/speech/session?a=b'],
    ['/speech/session', '/', '/speech/session/'],
    ['', '/session', '/session'],
  ] as const) {
    it(`gets the whole path: ${url} at ${baseUrl || '/'} (better-auth/better-call 32)`, async (t) => {
      const { baseUrl: service } = await startService(t, works);
      const paths: string[] = [];
      const authorize = ({ url: asked }: Request) => paths.push(asked.slice(asked.indexOf('/', 7))) > 0;
      const handler = nodeHandler(createSpeechBackend({ baseUrl: service, apiKey: KEY, authorize }));
      const host = await serve(t, (request, response) => {
        void handler(Object.assign(request, { baseUrl, url }), response);
      });
      assert.equal((await fetch(host, posted)).status, 200);
      assert.deepEqual(paths, [whole]);
    });
  }
});

describe('A connection that the service closes while it is kept', () => {
  it('is replaced by another one (nodejs/undici 3492, openclaw/openclaw 97608)', async (t) => {
    const { baseUrl, calls } = await startService(t, (response, _, turn) => {
      if (turn === 1) response.socket!.destroy();
      else json(response, 200, SESSION);
    });
    const client = new SvcClient({ baseUrl, apiKey: KEY });
    assert.deepEqual(await client.createSession(), SESSION);
    assert.deepEqual(await client.createSession(), SESSION);
    assert.equal(calls.length, 3);
  });

  it('is an error without retries, and if it happens twice', async (t) => {
    const { baseUrl, calls } = await startService(t, (response) => void response.socket!.destroy());
    assert.equal((await failure(new SvcClient({ baseUrl, apiKey: KEY, retries: 0 }).createSession())).code, 'network');
    assert.equal(calls.length, 1);
    assert.equal((await failure(new SvcClient({ baseUrl, apiKey: KEY }).createSession())).code, 'network');
    assert.equal(calls.length, 3);
  });
});

describe('The address of the service', () => {
  for (const end of ['', '/', '/api/v1', '/api/v1/', '/speech/api/v1', '/speech//', '//api/v1', '/speech//api/v1/']) {
    it(`may end with ${end || 'its host'} (spencerwi/cliflux 12, apify/crawlee 1095)`, async (t) => {
      const { baseUrl, calls } = await startService(t, (response) => json(response, 200, SESSION));
      await new SvcClient({ baseUrl: baseUrl + end, apiKey: KEY }).createSession();
      const prefix = end.startsWith('/speech') ? '/speech' : '';
      assert.equal(calls[0]?.path, `${prefix}/api/v1/realtime/stream/session`);
    });
  }
});

describe('The date in Retry-After', () => {
  for (const [whose, date] of [
    ['an hour fast', 'Thu, 01 Jan 1970 03:00:00 GMT'],
    ['an hour slow', 'Thu, 01 Jan 1970 01:00:00 GMT'],
  ] as const) {
    it(`follows the clock of the service, which is ${whose} (xorbitsai/xllamacpp 155)`, async (t) => {
      const { baseUrl } = await startService(t, (response, _, turn) => {
        const later = date.replace('00 GMT', '03 GMT');
        if (turn > 0) json(response, 200, SESSION);
        else json(response, 429, {}, { 'Retry-After': later, Date: date });
      });
      const clock = fakeClock(7_200_000);
      await new SvcClient({ baseUrl, apiKey: KEY, clock }).createSession();
      assert.deepEqual(clock.slept, [3000]);
    });
  }

  it('follows the own clock if the service shows none', async (t) => {
    const { baseUrl } = await startService(t, (response, _, turn) => {
      response.sendDate = false;
      if (turn > 0) json(response, 200, SESSION);
      else json(response, 429, {}, { 'Retry-After': 'Thu, 01 Jan 1970 01:00:03 GMT' });
    });
    const clock = fakeClock(3_600_000);
    await new SvcClient({ baseUrl, apiKey: KEY, clock }).createSession();
    assert.deepEqual(clock.slept, [3000]);
  });
});

describe('What other code has done before the handler', () => {
  it('keeps its cookies and its Vary (expressjs/session 23, hoangvvo/next-session 319)', async (t) => {
    const headers = [
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['Vary', 'Origin'],
      ['Cache-Control', 'no-store'],
    ] as [string, string][];
    const handler = nodeHandler(refusing(() => new Response('{}', { status: 401, headers })));
    const url = await serve(t, (request, response) => {
      response.setHeader('Set-Cookie', 'first=0');
      response.setHeader('Vary', 'Accept-Encoding');
      response.setHeader('Cache-Control', 'public');
      void handler(request, response);
    });
    const response = await fetch(url, posted);
    assert.deepEqual(response.headers.getSetCookie(), ['first=0', 'a=1', 'b=2']);
    assert.equal(response.headers.get('Vary'), 'Accept-Encoding, Origin');
    assert.equal(response.headers.get('Cache-Control'), 'no-store');
  });

  it('may be a parser of other bodies, which sets an empty one (expressjs/body-parser 350)', async (t) => {
    const echo = nodeHandler({ fetch: async (request) => new Response(await request.text()) });
    const url = await serve(t, (request, response) => void echo(Object.assign(request, { body: {} }), response));
    const sent = { ...posted, body: '{"voice_id":"anna"}' };
    assert.equal(await (await fetch(url, sent)).text(), sent.body);
  });

  it('may be a parser whose result is empty', async (t) => {
    const echo = nodeHandler({ fetch: async (request) => new Response(await request.text()) });
    const url = await serve(t, (request, response) => {
      request.resume().on('end', () => void echo(Object.assign(request, { body: {} }), response));
    });
    assert.equal(await (await fetch(url, posted)).text(), '{}');
  });

  it('may have read the body of a Request, which the error reports (honojs/hono 4259)', async (t) => {
    const { baseUrl, calls } = await startService(t, works);
    const errors: unknown[] = [];
    const backend = createSpeechBackend({ baseUrl, apiKey: KEY, onError: (error) => errors.push(error) });
    const request = new Request('https://host.example/session', posted);
    await request.json();
    assert.equal((await backend.fetch(request)).status, 500);
    assert.match(String(errors), /other code has read the body.*clone\(\)/);
    assert.equal(calls.length, 0);
  });

  it('may have read bytes of another realm (ipfs/aegir 153, opennextjs/opennextjs-aws 117)', async (t) => {
    const echo = nodeHandler({ fetch: async (request) => new Response(await request.text()) });
    const body: unknown = runInNewContext('new Uint8Array([123, 125])');
    const url = await serve(t, (request, response) => {
      request.resume().on('end', () => void echo(Object.assign(request, { body }), response));
    });
    assert.equal(await (await fetch(url, posted)).text(), '{}');
  });
});

describe('A request of Express', () => {
  it('is refused by fetch(), which names nodeHandler (arcjet/arcjet-js 4208)', async (t) => {
    const backend = refusing(() => assert.fail('It must not be asked.'));
    const reason = new Promise<unknown>((resolve) => {
      void serve(t, (request, response) => {
        backend.fetch(request as never).catch(resolve);
        response.end();
      }).then((url) => fetch(url, posted));
    });
    assert.match(String(await reason), /TypeError: .*nodeHandler\(backend\)/);
  });
});

describe('A request whose Host is missing or wrong', () => {
  it('is answered, although its URL is a path or cannot be parsed (oven-sh/bun 33721)', async (t) => {
    const { baseUrl } = await startService(t, works);
    const backend = createSpeechBackend({ baseUrl, apiKey: KEY });
    const statusOf = async (url: string, init?: RequestInit): Promise<number> => {
      const request = new Request('https://host.example', init);
      return (await backend.fetch(Object.defineProperty(request, 'url', { value: url }))).status;
    };
    for (const origin of ['', 'http://h:99999', 'http://[::1', 'http://a%zz', 'https,http://proxy.example']) {
      assert.equal(await statusOf(`${origin}/speech/session`, posted), 200, origin);
      assert.equal(await statusOf(`${origin}/speech/rooms/token?avatar_id=ava`), 200, origin);
      assert.equal(await statusOf(`${origin}/health?from=/session`), 404, origin);
    }
    const headers = { ...posted.headers, Origin: 'https://other.example' };
    assert.equal(await statusOf('/speech/session', { ...posted, headers }), 403);
  });
});

describe('A key', () => {
  const accepts = (apiKey: string) => () => new SvcClient({ baseUrl: 'https://svc.example', apiKey });

  it('has no quotes around it, which Docker takes from an env file (topoteretes/cognee 1721)', () => {
    for (const apiKey of [`"${KEY}"`, `'${KEY}'`]) assert.throws(accepts(apiKey), /quotes/);
    assert.doesNotThrow(accepts(`sk"'${KEY}`));
  });
});

describe('A call of the service', () => {
  it('is not cached by Next.js, and has no cache mode, which Workers refuse (stytchauth/stytch-node 262)', async () => {
    const inits: RequestInit[] = [];
    const answer = (_url: string, init: RequestInit): Promise<Response> => {
      inits.push(init);
      return Promise.resolve(Response.json({ ...SESSION, token: 't', room_name: 'r' }));
    };
    const client = new SvcClient({ baseUrl: 'https://svc.example', apiKey: KEY, fetch: answer });
    await client.createSession();
    await client.getRoomToken({ avatarId: 'ava' });
    for (const init of inits) {
      assert.deepEqual((init as { next?: unknown }).next, { revalidate: 0 });
      assert.equal('cache' in init, false);
    }
    assert.equal(inits.length, 2);
  });
});

describe('The reason of an error', () => {
  for (const [body, detail] of [
    [{ error: { message: 'Wrong key.', type: 'auth' } }, 'Wrong key.'],
    [{ detail: { status: 'quota_exceeded', message: 'No quota.' } }, 'No quota.'],
    [{ err_code: 'INVALID_AUTH', err_msg: 'Wrong grant.' }, 'Wrong grant.'],
    [{ error: [{ message: 'One.' }, { message: 'Two.' }] }, 'One.; Two.'],
    [{ detail: [{ loc: ['body', 'rate'], msg: 'too high' }], message: 'Invalid.' }, 'rate: too high'],
  ] as const) {
    it(`is found in ${JSON.stringify(body)} (elevenlabs/elevenlabs-js 153)`, async (t) => {
      const { baseUrl } = await startService(t, (response) => json(response, 422, body));
      const error = await failure(new SvcClient({ baseUrl, apiKey: KEY }).createSession());
      assert.equal(error.detail, detail);
    });
  }
});
