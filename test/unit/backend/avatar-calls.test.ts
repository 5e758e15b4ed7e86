import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SvcClient, type SvcCallOptions } from '../../../src/backend/index.js';
import { BUNDLE, failure, fakeClock, json, KEY, ROOM, startService, works } from './fake-service.js';

/** The two calls that behave alike, each with a valid response. */
const calls: [name: string, call: (client: SvcClient, options?: SvcCallOptions) => Promise<unknown>, good: object][] = [
  ['getAvatarBundle', (client, options) => client.getAvatarBundle('ava', options), BUNDLE],
  ['getRoomToken', (client, options) => client.getRoomToken({ avatarId: 'ava' }, options), ROOM],
];

/** Invalid ids: empty, with dot segments, or not well-formed strings. */
const notIds = ['', '.', '..', '../rtc', 'a/../../b', '..\\b', 'a/.', 'a\ud800', undefined, null, 7] as string[];

describe('SvcClient.getAvatarBundle', () => {
  it('requests the bundle with the key in the header, and returns only the payload', async (t) => {
    const service = await startService(t, (response) => json(response, 200, { ...BUNDLE, region: 'eu' }));
    const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY });
    assert.deepEqual(await client.getAvatarBundle('ava-1'), BUNDLE);
    const [call] = service.calls;
    assert.equal(`${call?.method} ${call?.path}`, 'GET /api/v1/avatars/bundle/ava-1');
    assert.equal(call?.headers['x-svc-api-key'], KEY);
    assert.equal(call?.headers['content-type'], undefined);
    assert.equal(call?.body, '');
  });

  it('keeps any id in one path segment below its route', async () => {
    const paths: string[] = [];
    const client = new SvcClient({
      baseUrl: 'https://api.example/base',
      apiKey: KEY,
      fetch: (url) => {
        paths.push(new URL(url).href); // as fetch would parse it
        return Promise.resolve(Response.json(BUNDLE));
      },
    });
    const hostile = fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'F', '?', '#', '\r', '\n', 'é') });
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostile, fc.string({ unit: 'binary' })), async (id) => {
        paths.length = 0;
        const refused = await client.getAvatarBundle(id).then(
          () => false,
          (error: unknown) => error instanceof TypeError,
        );
        if (refused) return assert.deepEqual(paths, []);
        const [, segment = ''] = /^https:\/\/api\.example\/base\/api\/v1\/avatars\/bundle\/([^/?#]+)$/.exec(paths[0]!)!;
        assert.equal(decodeURIComponent(segment), id);
      }),
      { numRuns: 500 }, // most of these ids are refused, but some must be accepted
    );
  });
});

describe('SvcClient.getRoomToken', () => {
  it('sends the key in the header, and returns only token and room', async (t) => {
    const service = await startService(t, (response) => json(response, 200, { ...ROOM, region: 'eu' }));
    const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY });
    assert.deepEqual(await client.getRoomToken({ avatarId: 'ava-1' }), ROOM);
    const [call] = service.calls;
    assert.equal(`${call?.method} ${call?.path}`, 'GET /api/v1/rtc/getToken?avatar_id=ava-1');
    assert.equal(call?.headers['x-svc-api-key'], KEY);
  });

  it('sends any name and room in the query', async (t) => {
    const service = await startService(t, works);
    const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY });
    for (const [name, room] of [
      ['Zoë & Co', 'a b'],
      ['x&room=other&avatar_id=b', '#?/..'],
      ['\r\nX-Injected: 1', '\u0000'],
      ['', ''],
    ] as const) {
      await client.getRoomToken({ avatarId: 'a&b=c', name, room });
      const call = service.calls.at(-1)!;
      const query = [...new URL(call.path, service.baseUrl).searchParams];
      assert.deepEqual(query, [
        ['avatar_id', 'a&b=c'],
        ['name', name],
        ['room', room],
      ]);
      assert.equal(call.headers['x-injected'], undefined);
    }
  });
});

for (const [name, call, good] of calls) {
  describe(`SvcClient.${name}`, () => {
    it('retries after 429 and 503, with the delay of Retry-After', async (t) => {
      const service = await startService(t, (response, _call, turn) => {
        if (turn === 0) json(response, 429, {}, { 'Retry-After': '3' });
        else json(response, turn === 1 ? 503 : 200, good);
      });
      const clock = fakeClock();
      const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY, clock, random: () => 0.5 });
      assert.deepEqual(await call(client), good);
      assert.deepEqual(clock.slept, [3000, 500]); // Retry-After, then the second backoff step: the 503 has no header
    });

    it('reports the rate limit of the last answer', async (t) => {
      const service = await startService(t, (response) => json(response, 200, good, { 'X-RateLimit-Remaining': '41' }));
      const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY });
      await call(client);
      assert.equal(client.rateLimitRemaining, 41);
    });

    for (const [status, code] of [
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [404, 'not-found'],
      [422, 'invalid-request'],
    ] as const) {
      it(`reports ${status} as ${code}, without a retry`, async (t) => {
        const service = await startService(t, (response) => json(response, status, { detail: 'because' }));
        const error = await failure(call(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY })));
        assert.deepEqual([error.status, error.code, error.detail], [status, code, 'because']);
        assert.equal(service.calls.length, 1);
      });
    }

    for (const field of Object.keys(good)) {
      for (const wrong of [undefined, null, '', 7, {}]) {
        it(`refuses an answer whose ${field} is ${JSON.stringify(wrong)}`, async (t) => {
          const service = await startService(t, (response) => json(response, 200, { ...good, [field]: wrong }));
          const error = await failure(call(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY })));
          assert.deepEqual([error.code, error.detail], ['invalid-response', `${field} must be a non-empty string`]);
        });
      }

      it(`refuses an answer whose ${field} holds the API key`, async (t) => {
        const service = await startService(t, (response) => json(response, 200, { ...good, [field]: `x${KEY}x` }));
        const error = await failure(call(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY })));
        assert.equal(error.code, 'invalid-response');
        assert.ok(!error.message.includes(KEY));
      });
    }

    it('ends when its signal aborts', async (t) => {
      const abort = new AbortController();
      const service = await startService(t, () => abort.abort(new Error('enough')));
      const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY });
      await assert.rejects(call(client, { signal: abort.signal }), /enough/);
    });
  });
}

describe('an avatar id', () => {
  for (const id of notIds) {
    it(`is refused, without a call, when it is ${JSON.stringify(id)}`, async () => {
      const fetch = () => assert.fail('a call was made');
      const client = new SvcClient({ baseUrl: 'https://api.example', apiKey: KEY, fetch });
      await assert.rejects(client.getAvatarBundle(id), TypeError);
      await assert.rejects(client.getRoomToken({ avatarId: id }), TypeError);
    });
  }
});
