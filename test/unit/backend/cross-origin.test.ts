import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSpeechBackend } from '../../../src/backend/index.js';
import { json, KEY, works } from './fake-service.js';
import { get, post, startBackend } from './host-page.js';

const APP = 'https://app.example';
const corsOrigins = [APP, 'http://localhost:5173'];

/** The GET routes. */
const paths = ['avatars/ava/bundle', 'rooms/token?avatar_id=ava'];

function corsHeaders(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => /^(access-control|vary)/.test(name)));
}

function preflight(path: string, origin: string, method: string): Request {
  return get(path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  });
}

describe('createSpeechBackend: pages of other origins', () => {
  for (const [whose, headers, status] of [
    ['its own page', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['its own page, behind a proxy that changes the host', { 'Sec-Fetch-Site': 'same-origin', Origin: APP }, 200],
    ['its own page, behind a proxy that ends TLS', { Origin: 'http://host.example' }, 200],
    ['nobody: the address was typed', { 'Sec-Fetch-Site': 'none' }, 200],
    ['a server, or an old browser', {}, 200],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another site that names itself', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }, 403],
    ['a subdomain beside it', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['an old browser, for another origin', { Origin: 'https://evil.example' }, 403],
    ['a page without an origin', { Origin: 'null' }, 403],
    ['a page whose origin begins like its own', { Origin: 'https://host.example.evil.example' }, 403],
    ['a page without TLS, by an image', { Referer: 'http://evil.example/page' }, 403],
    ['a page without TLS on a subdomain, by an image', { Referer: 'http://sub.host.example/page' }, 403],
    ['its own page without TLS, by an image', { Referer: 'http://host.example/page' }, 200],
    ['a page that says what is no address', { Referer: 'page' }, 403],
    ['another port', { Origin: 'https://host.example:8443' }, 403],
    ['a page without a host', { Origin: 'file://' }, 403],
    // patcireamo/ChungusHub 67, Tr3kkR/Yuzu 2537: no Sec-Fetch-Site without TLS, and a proxy that changes the host
    ['its own page, behind a proxy', { Origin: 'http://lan:5173', 'X-Forwarded-Host': 'lan:5173' }, 200],
    ['its own page, behind two proxies', { Origin: 'http://lan:5173', 'X-Forwarded-Host': 'lan:5173, in:80' }, 200],
    ['its own page, by an image behind a proxy', { Referer: 'http://lan/page', 'X-Forwarded-Host': 'lan' }, 200],
    ['another port behind a proxy', { Origin: 'http://lan:5174', 'X-Forwarded-Host': 'lan:5173' }, 403],
    ['another page behind a proxy', { Origin: 'http://evil.example', 'X-Forwarded-Host': 'lan' }, 403],
    // PegaProx/project-pegaprox 626: proxies add the default port
    ['its own page, behind a proxy that adds the port', { Origin: APP, 'X-Forwarded-Host': 'app.example:443' }, 200],
    // vercel/next.js 36625, 65568: the framework has another host in request.url
    ['its own page, in a container', { Origin: APP, Host: 'app.example' }, 200],
    ['another page, in a container', { Origin: 'https://evil.example', Host: 'app.example' }, 403],
  ] as const) {
    it(`answers ${status} to a GET or POST that comes from ${whose}`, async (t) => {
      const { backend, calls } = await startBackend(t, works);
      const posted = post({}, { headers: { 'Content-Type': 'application/json', ...headers } });
      const requests = [posted, ...paths.map((path) => get(path, { headers }))];
      for (const request of requests) assert.equal((await backend.fetch(request)).status, status);
      assert.equal(calls.length, status === 200 ? requests.length : 0);
    });
  }

  it('sends no CORS headers without corsOrigins', async (t) => {
    const { backend } = await startBackend(t, works);
    const posted = post({}, { headers: { 'Content-Type': 'application/json', Origin: APP } });
    for (const request of [posted, get(paths[0]!, { headers: { Origin: APP } }), preflight('session', APP, 'POST')]) {
      assert.deepEqual(corsHeaders(await backend.fetch(request)), {});
    }
  });

  it('does not call authorize for a GET from another site', async (t) => {
    const authorize = () => assert.fail('it was asked');
    const { backend } = await startBackend(t, works, { authorize });
    assert.equal((await backend.fetch(get(paths[0]!, { headers: { 'Sec-Fetch-Site': 'cross-site' } }))).status, 403);
  });
});

describe('createSpeechBackend: corsOrigins', () => {
  for (const origin of ['chrome-extension://abcdefghijklmnop', 'capacitor://localhost']) {
    it(`takes ${origin}, the origin of an extension or app`, async (t) => {
      const { backend } = await startBackend(t, works, { corsOrigins: [origin] });
      const response = await backend.fetch(
        post({}, { headers: { Origin: origin, 'Content-Type': 'application/json' } }),
      );
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('Access-Control-Allow-Origin'), origin);
    });
  }

  it('lets pages of these origins send cookies and read the answers', async (t) => {
    const { backend } = await startBackend(t, works, { corsOrigins });
    for (const origin of corsOrigins) {
      const headers = { Origin: origin, 'Sec-Fetch-Site': 'cross-site', 'Content-Type': 'application/json' };
      for (const request of [post({}, { headers }), ...paths.map((path) => get(path, { headers }))]) {
        const response = await backend.fetch(request);
        assert.equal(response.status, 200);
        assert.deepEqual(corsHeaders(response), {
          'access-control-allow-credentials': 'true',
          'access-control-allow-origin': origin,
          'access-control-expose-headers': 'Retry-After',
          vary: 'Origin',
        });
      }
    }
  });

  it('accepts the Referer of an allowed page without TLS, since its images send no other header', async (t) => {
    const { backend } = await startBackend(t, works, { corsOrigins });
    const statusOf = async (Referer: string) => (await backend.fetch(get(paths[0]!, { headers: { Referer } }))).status;
    assert.equal(await statusOf('http://localhost:5173/page'), 200);
    assert.equal(await statusOf('http://localhost:5174/page'), 403);
  });

  it('lets these pages read errors as well', async (t) => {
    const { backend } = await startBackend(t, (response) => json(response, 429, {}), { corsOrigins });
    for (const [path, status] of [
      [paths[0]!, 429],
      ['nothing', 404],
      ['session', 405],
    ] as const) {
      const response = await backend.fetch(get(path, { headers: { Origin: APP } }));
      assert.equal(response.status, status);
      assert.equal(response.headers.get('Access-Control-Allow-Origin'), APP);
    }
  });

  it('refuses other pages, with Vary: Origin as the only CORS header', async (t) => {
    const { backend, calls } = await startBackend(t, works, { corsOrigins });
    for (const origin of ['https://evil.example', `${APP}.evil.example`, 'https://APP.example', 'null', '*']) {
      for (const path of paths) {
        const response = await backend.fetch(get(path, { headers: { Origin: origin } }));
        assert.equal(response.status, 403);
        assert.deepEqual(corsHeaders(response), { vary: 'Origin' });
      }
      const answered = await backend.fetch(preflight('session', origin, 'POST'));
      assert.equal(answered.status, 405);
      assert.deepEqual(corsHeaders(answered), { vary: 'Origin' });
    }
    assert.equal(calls.length, 0);
  });

  it('answers a preflight without calling authorize or the service', async (t) => {
    const authorize = () => assert.fail('it was asked'); // a preflight has no cookies
    const { backend, calls } = await startBackend(t, works, { corsOrigins, authorize });
    for (const [path, method] of [
      ['session', 'POST'],
      [paths[0]!, 'GET'],
      [paths[1]!, 'GET'],
    ] as const) {
      const response = await backend.fetch(preflight(path, APP, method));
      assert.equal(response.status, 204);
      assert.equal(await response.text(), '');
      assert.deepEqual(corsHeaders(response), {
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-allow-methods': method,
        'access-control-allow-origin': APP,
        'access-control-expose-headers': 'Retry-After',
        'access-control-max-age': '600',
        vary: 'Access-Control-Request-Headers, Origin',
      });
    }
    assert.equal(calls.length, 0);
  });

  it('answers 405 to an OPTIONS request that is not a preflight', async (t) => {
    const { backend } = await startBackend(t, works, { corsOrigins });
    const response = await backend.fetch(get('session', { method: 'OPTIONS', headers: { Origin: APP } }));
    assert.equal(response.status, 405);
  });

  for (const origin of [
    '*',
    'null',
    '',
    'app.example',
    `${APP}/`,
    `${APP}/page`,
    'https://APP.example',
    'ftp://a',
    'https://*.example',
    'file:///',
    'capacitor://localhost/page',
    'data:text/html,',
  ]) {
    it(`refuses ${origin || 'nothing'}, which is no exact origin`, () => {
      assert.throws(() => createSpeechBackend({ baseUrl: APP, apiKey: KEY, corsOrigins: [origin] }), TypeError);
    });
  }
});
