import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, createServer as createHttp2Server, type ClientHttp2Session } from 'node:http2';
import { connect as connectSocket, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { createSpeechBackend, nodeHandler, type SpeechBackend } from '../../../src/backend/index.js';
import { BUNDLE, json, KEY, ROOM, SESSION, startService, works } from './fake-service.js';

/** Starts a `node:http` server with a listener. Returns its address. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A backend that returns the fields of the request. */
const echo: SpeechBackend = {
  fetch: async (request) =>
    Response.json(
      {
        method: request.method,
        url: request.url,
        type: request.headers.get('Content-Type'),
        body: await request.text(),
      },
      { status: 202, headers: { 'X-Echo': 'yes' } },
    ),
};

const posted = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"input":"hé"}' };

describe('nodeHandler', () => {
  it('passes the request to the backend and the response back', async (t) => {
    const host = await serve(t, nodeHandler(echo));
    const response = await fetch(`${host}/a/session?b=c`, posted);
    assert.equal(response.status, 202);
    assert.equal(response.headers.get('X-Echo'), 'yes');
    assert.deepEqual(await response.json(), {
      method: 'POST',
      url: `${host}/a/session?b=c`,
      type: 'application/json',
      body: posted.body,
    });
  });

  it('passes on all of a body of many chunks', async (t) => {
    const host = await serve(t, nodeHandler(echo));
    const chunks = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(10_000, '.'));
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const response = await fetch(host, { method: 'POST', body, duplex: 'half' } as RequestInit);
    assert.equal(((await response.json()) as { body: string }).body, chunks.join(''));
  });

  // stream-utils/raw-body 11
  it('passes on a body that other code has set to be read as text', async (t) => {
    const handle = nodeHandler(echo);
    const host = await serve(t, (request, response) => void handle(request.setEncoding('utf8'), response));
    const response = await fetch(host, posted);
    assert.equal(((await response.json()) as { body: string }).body, posted.body);
  });

  for (const [how, body] of [
    ['as an object', { input: 'hé' }],
    ['as text', '{"input":"hé"}'],
    ['as bytes', Buffer.from('{"input":"hé"}')],
  ] as const) {
    it(`accepts a body that a framework has already read ${how}`, async (t) => {
      const handler = nodeHandler(echo);
      const host = await serve(t, (request, response) => {
        request.resume().on('end', () => void handler(Object.assign(request, { body }), response));
      });
      const response = await fetch(host, posted);
      assert.equal(((await response.json()) as { body: string }).body, '{"input":"hé"}');
    });
  }

  it('answers a page with a session', async (t) => {
    const service = await startService(t, (response) => json(response, 200, SESSION));
    const backend = createSpeechBackend({ baseUrl: service.baseUrl, apiKey: KEY, production: false });
    const host = await serve(t, nodeHandler(backend));
    const response = await fetch(`${host}/session`, posted);
    assert.deepEqual(await response.json(), SESSION);
    assert.equal(service.calls[0]?.body, posted.body);
  });

  it('returns an avatar and a room when Express has removed the prefix and parsed the body', async (t) => {
    const service = await startService(t, works);
    const backend = createSpeechBackend({ baseUrl: service.baseUrl, apiKey: KEY, production: false });
    const handler = nodeHandler(backend);
    const host = await serve(t, (request, response) => {
      const url = request.url?.replace(/^\/speech/, '');
      void handler(Object.assign(request, { url, body: {} }), response); // express.json() of Express 4 leaves {} for a GET
    });
    assert.deepEqual(await (await fetch(`${host}/speech/avatars/a%2Fb/bundle`)).json(), BUNDLE);
    assert.deepEqual(await (await fetch(`${host}/speech/rooms/token?avatar_id=a&name=Zo%C3%AB`)).json(), ROOM);
    assert.deepEqual(
      service.calls.map(({ path }) => path),
      ['/api/v1/avatars/bundle/a%2Fb', '/api/v1/rtc/getToken?avatar_id=a&name=Zo%C3%AB'],
    );
  });

  it('answers a preflight without a body', async (t) => {
    const corsOrigins = ['https://app.example'];
    const backend = createSpeechBackend({ baseUrl: 'http://127.0.0.1:9', apiKey: KEY, corsOrigins });
    const host = await serve(t, nodeHandler(backend));
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
    const response = await fetch(`${host}/session`, { method: 'OPTIONS', headers });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('Access-Control-Allow-Origin'), 'https://app.example');
  });

  it('treats null as no body, because a framework may set it', async (t) => {
    const handler = nodeHandler(echo);
    const host = await serve(t, (request, response) => void handler(Object.assign(request, { body: null }), response));
    const response = await fetch(host, { method: 'POST' });
    assert.equal(((await response.json()) as { body: string }).body, '');
  });

  it('answers 413 while a body that is too large is still being sent', async (t) => {
    const backend = createSpeechBackend({
      baseUrl: 'http://127.0.0.1:9',
      apiKey: KEY,
      production: false,
      maxBodyBytes: 1000,
    });
    const host = await serve(t, nodeHandler(backend));
    const request = httpRequest(`${host}/session`, { method: 'POST', headers: posted.headers });
    request.on('error', () => undefined); // the server may close the connection while the client still writes
    request.write('x'.repeat(2000)); // and never ends
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 413);
    assert.equal(response.headers.connection, 'close');
    request.destroy();
  });

  it('keeps the connection when the body was read completely', async (t) => {
    const host = await serve(t, nodeHandler(echo));
    assert.equal((await fetch(host, posted)).headers.get('Connection'), 'keep-alive');
    assert.equal((await fetch(host, { method: 'POST' })).headers.get('Connection'), 'keep-alive');
    assert.equal((await fetch(host)).headers.get('Connection'), 'keep-alive');
  });

  it('aborts the request when the page goes away', async (t) => {
    const page = new AbortController();
    let aborted: (() => void) | undefined;
    const seen = new Promise<void>((resolve) => (aborted = resolve));
    const host = await serve(
      t,
      nodeHandler({
        fetch: async (request) => {
          page.abort();
          await once(request.signal, 'abort');
          aborted?.();
          return new Response();
        },
      }),
    );
    await assert.rejects(fetch(host, { ...posted, signal: page.signal }), { name: 'AbortError' });
    await seen;
  });

  it('answers 400 to a method that Request refuses', async (t) => {
    const host = await serve(t, nodeHandler(echo));
    const request = httpRequest(host, { method: 'TRACE' }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 400);
    request.destroy();
  });
});

describe('nodeHandler: a response that cannot be sent', () => {
  it('does not touch a response that other code has started, such as a timeout', async (t) => {
    const handler = nodeHandler(echo);
    let handled: Promise<void> | undefined;
    const host = await serve(t, (request, response) => {
      response.writeHead(503).write('too ');
      handled = handler(request, response).then(() => void response.end('late'));
    });
    const response = await fetch(host, posted);
    assert.equal(response.status, 503);
    assert.equal(await response.text(), 'too late');
    await handled;
  });

  it('answers 400 to a parsed body that cannot be serialised', async (t) => {
    const handler = nodeHandler(echo);
    const body: unknown[] = [];
    body.push(body);
    const host = await serve(t, (request, response) => void handler(Object.assign(request, { body }), response));
    assert.equal((await fetch(host, posted)).status, 400);
  });

  it('treats a body that was read and dropped as empty, instead of waiting for it', async (t) => {
    const handler = nodeHandler(echo);
    const host = await serve(t, (request, response) => {
      request.resume().on('end', () => void handler(request, response));
    });
    assert.equal(((await (await fetch(host, posted)).json()) as { body: string }).body, '');
  });
});

describe('nodeHandler: the URL of a request', () => {
  /** Sends a request line and a `Host` header unchanged. Returns the URL of the request that the backend receives. */
  async function addressOf(t: TestContext, path: string, host: string): Promise<string> {
    const address = new URL(await serve(t, nodeHandler(echo)));
    const socket = connectSocket(Number(address.port), address.hostname);
    socket.end(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    return (JSON.parse(/\{.*\}/s.exec(answer)![0]) as { url: string }).url;
  }

  for (const host of ['app.example', 'app.example:8443', 'my_host', '127.0.0.1:80', '[::1]:3000', '[::ffff:1.2.3.4]']) {
    it(`contains the host ${host}`, async (t) => {
      assert.equal(await addressOf(t, '/a/b?c', host), new URL(`http://${host}/a/b?c`).href);
    });
  }

  for (const host of [
    '',
    'h/rooms/token?avatar_id=a&b=',
    'h/rooms/token#',
    'h\\rooms\\token?',
    'user:word@h',
    'a b',
    'h:99999',
    'h:1:2',
    'h%2fa',
    '[::1',
  ]) {
    it(`keeps the path and replaces the invalid host "${host}" by localhost`, async (t) => {
      assert.equal(await addressOf(t, '/a/b?c', host), 'http://localhost/a/b?c');
    });
  }
});

describe('nodeHandler over HTTP/2', () => {
  /** Starts an HTTP/2 server. Returns a client that is connected to it. */
  async function startHttp2(t: TestContext, backend: SpeechBackend): Promise<ClientHttp2Session> {
    const server = createHttp2Server(nodeHandler(backend)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    t.after(() => {
      client.destroy();
      server.close();
    });
    return client;
  }

  const session = { ':method': 'POST', ':path': '/session', 'content-type': 'application/json' };

  async function bodyEchoed(t: TestContext, headers: object, body?: string): Promise<string> {
    const stream = (await startHttp2(t, echo)).request({ ...session, ...headers });
    stream.end(body);
    return (JSON.parse(await text(stream)) as { body: string }).body;
  }

  it('accepts a body without Content-Length', async (t) => {
    assert.equal(await bodyEchoed(t, {}, posted.body), posted.body);
  });

  it('accepts a body with Content-Length', async (t) => {
    const length = String(Buffer.byteLength(posted.body));
    assert.equal(await bodyEchoed(t, { 'content-length': length }, posted.body), posted.body);
  });

  it('passes on an empty body, with or without Content-Length', async (t) => {
    assert.equal(await bodyEchoed(t, {}), '');
    assert.equal(await bodyEchoed(t, { 'content-length': '0' }), '');
  });

  it('answers 413 while a body that is too large is being sent, without a header that HTTP/2 forbids', async (t) => {
    const warnings: string[] = [];
    const warn = (warning: Error) => void warnings.push(warning.name);
    process.on('warning', warn);
    t.after(() => process.off('warning', warn));
    const options = { baseUrl: 'http://127.0.0.1:9', apiKey: KEY, production: false, maxBodyBytes: 1000 };
    const stream = (await startHttp2(t, createSpeechBackend(options))).request(session);
    stream.write('x'.repeat(2000)); // and never ends
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    assert.equal(headers[':status'], 413);
    assert.deepEqual(warnings, []);
  });

  for (const [how, leave] of [
    ['resets its request', (stream: { close(code: number): void }) => stream.close(8)], // CANCEL
    ['closes its connection', (_stream: unknown, client: ClientHttp2Session) => client.destroy()],
  ] as const) {
    it(`ends the call to the service when a page ${how}`, async (t) => {
      let hungUp: Promise<unknown> | undefined;
      const service = await startService(t, (response) => {
        hungUp = once(response, 'close');
        leave(stream, client);
      });
      const errors: unknown[] = [];
      const onError = (error: unknown) => void errors.push(error);
      const options = { baseUrl: service.baseUrl, apiKey: KEY, production: false, onError };
      const client = await startHttp2(t, createSpeechBackend(options));
      const stream = client.request(session).on('error', () => undefined);
      stream.end('{}');
      await once(stream, 'close');
      await hungUp;
      assert.equal(service.calls.length, 1);
      assert.deepEqual(errors, []);
    });

    it(`stops waiting for a body, without a call, when a page ${how} before it is sent`, async (t) => {
      const service = await startService(t, works);
      const authorize = () => {
        leave(stream, client);
        return true;
      };
      const backend = createSpeechBackend({ baseUrl: service.baseUrl, apiKey: KEY, production: false, authorize });
      let answer: Promise<Response> | undefined;
      const client = await startHttp2(t, { fetch: (request) => (answer = backend.fetch(request)) });
      const stream = client.request(session).on('error', () => undefined);
      stream.write('{');
      await once(stream, 'close');
      assert.ok((await answer)!.status >= 400);
      assert.equal(service.calls.length, 0);
    });
  }
});
