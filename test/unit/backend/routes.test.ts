import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SvcApiError } from '../../../src/backend/index.js';
import { BUNDLE, json, KEY, ROOM, SESSION, works, type Reply } from './fake-service.js';
import { detailOf, get, post, startBackend } from './host-page.js';

/** A route of the backend. */
interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly good: object;
  /** Statuses of the service that the page gets with the service's detail. */
  readonly forwarded: readonly number[];
  /** Statuses of the service that become 502, as those of its faults do. */
  readonly hidden: readonly number[];
  /** Returns a good request to a path, by default that of the route. */
  request(init?: RequestInit, path?: string): Request;
}

const routes: readonly Route[] = [
  {
    name: 'POST /session',
    method: 'POST',
    path: 'session',
    good: SESSION,
    forwarded: [422],
    hidden: [403, 404],
    request: ({ headers, ...init } = {}, path = 'session') => {
      const all = { 'Content-Type': 'application/json', ...(headers as Record<string, string> | undefined) };
      return new Request(`https://host.example/${path}`, post({}, { ...init, headers: all }));
    },
  },
  ...(
    [
      ['GET /avatars/:id/bundle', 'avatars/ava/bundle', BUNDLE],
      ['GET /rooms/token', 'rooms/token?avatar_id=ava', ROOM],
    ] as const
  ).map(([name, path, good]) => ({
    name,
    method: 'GET',
    path,
    good,
    forwarded: [403, 404, 422],
    hidden: [],
    request: (init?: RequestInit, other: string = path) => get(other, init),
  })),
];

for (const { name, method, path, good, forwarded, hidden, request } of routes) {
  describe(`createSpeechBackend: ${name}`, () => {
    it('answers with the payload of the service, not to be cached', async (t) => {
      const { backend } = await startBackend(t, works);
      const response = await backend.fetch(request());
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('Cache-Control'), 'no-store');
      assert.equal(response.headers.get('Content-Type'), 'application/json');
      assert.deepEqual(await response.json(), good);
    });

    it('answers wherever it is mounted, with a slash at the end or without', async (t) => {
      const { backend } = await startBackend(t, works);
      const [pathname, query = 'x=1'] = path.split('?');
      for (const address of [pathname, `a/b/${pathname}`, `${pathname}/`]) {
        assert.equal((await backend.fetch(request({}, `${address}?${query}`))).status, 200);
      }
    });

    it('answers 405 to other methods and names the right one in Allow', async (t) => {
      const { backend, calls } = await startBackend(t, works);
      for (const other of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'].filter((one) => one !== method)) {
        const response = await backend.fetch(get(path, { method: other }));
        assert.equal(response.status, 405);
        assert.equal(response.headers.get('Allow'), method);
      }
      assert.equal(calls.length, 0);
    });

    it('calls authorize with the request', async (t) => {
      const { backend, calls } = await startBackend(t, works, {
        production: true,
        authorize: (asked) => Promise.resolve(asked.headers.get('Cookie') === 'user=1'),
      });
      assert.equal((await backend.fetch(request())).status, 403);
      assert.equal(calls.length, 0);
      assert.equal((await backend.fetch(request({ headers: { Cookie: 'user=1' } }))).status, 200);
    });

    it('answers 403 in production without authorize, and names the remedy', async (t) => {
      const { backend, calls } = await startBackend(t, works, { production: true });
      const response = await backend.fetch(request());
      assert.equal(response.status, 403);
      assert.match(await detailOf(response), /authorize\(request\)/);
      assert.equal(calls.length, 0);
    });

    for (const upstream of forwarded) {
      it(`forwards ${upstream} with the detail of the service`, async (t) => {
        const reply: Reply = (response) => json(response, upstream, { detail: `not this one (key ${KEY})` });
        const { backend, errors } = await startBackend(t, reply);
        const response = await backend.fetch(request());
        assert.equal(response.status, upstream);
        assert.equal(await detailOf(response), 'not this one (key [key])');
        assert.deepEqual(errors, []);
      });
    }

    for (const [upstream, status] of [
      [401, 502],
      [402, 402],
      [418, 502],
      [429, 429],
      [500, 502],
      [503, 503],
      ...hidden.map((one) => [one, 502] as const),
    ] as const) {
      it(`answers ${status} to the page after ${upstream}, and reports the error to onError`, async (t) => {
        const { backend, errors } = await startBackend(t, (response) => json(response, upstream, { detail: KEY }));
        const response = await backend.fetch(request());
        assert.equal(response.status, status);
        assert.doesNotMatch(await detailOf(response), /\[key\]/); // the message is the backend's own
        assert.equal((errors[0] as SvcApiError).status, upstream);
      });
    }

    it('forwards Retry-After', async (t) => {
      const { backend } = await startBackend(t, (response) => json(response, 429, {}, { 'Retry-After': '56' }));
      assert.equal((await backend.fetch(request())).headers.get('Retry-After'), '56');
    });

    it('aborts the call when the page aborts its request', async (t) => {
      const abort = new AbortController();
      const { backend, errors } = await startBackend(t, () => abort.abort());
      assert.equal((await backend.fetch(request({ signal: abort.signal }))).status, 499);
      assert.deepEqual(errors, []);
    });

    it('never reveals the key in an answer, whatever the service and the page do', async (t) => {
      const spelled = [KEY, encodeURIComponent(KEY)];
      for (const status of [200, 401, 402, 403, 404, 422, 429, 500, 503]) {
        for (const field of [Object.keys(good)[0]!, 'note']) {
          const reply: Reply = (response) =>
            json(response, status, { ...good, [field]: spelled.join(), detail: spelled.join() }, { 'X-Echo': KEY });
          const { backend } = await startBackend(t, reply);
          for (const asked of [request(), get(path, { method: 'PUT' }), request({}, `${path}/x`)]) {
            const response = await backend.fetch(asked);
            const shown = (await response.text()) + JSON.stringify([...response.headers]);
            for (const key of spelled) assert.ok(!shown.includes(key), shown);
          }
        }
      }
    });
  });
}
