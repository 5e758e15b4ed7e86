import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { SvcClient } from '../../../src/backend/index.js';
import { failure, fakeClock, json, KEY, SESSION, startService } from './fake-service.js';

/** Options with which the first retry comes after 250 ms, and each delay is twice the one before. */
const middle = { random: () => 0.5 };

describe('SvcClient.createSession', () => {
  it('posts the request with the key in its header and returns the session', async (t) => {
    const service = await startService(t, (response) => json(response, 200, { ...SESSION, region: 'eu' }));
    const client = new SvcClient({ baseUrl: `${service.baseUrl}/`, apiKey: KEY });
    assert.deepEqual(await client.createSession({ voice_id: 'anna', sample_rate: 24000 }), SESSION);
    const [call] = service.calls;
    assert.equal(`${call?.method} ${call?.path}`, 'POST /api/v1/realtime/stream/session');
    assert.equal(call?.headers['x-svc-api-key'], KEY);
    assert.equal(call?.headers['content-type'], 'application/json');
    assert.equal(call?.body, '{"voice_id":"anna","sample_rate":24000}');
  });

  it('requests the defaults when called without a request', async (t) => {
    const service = await startService(t, (response) => json(response, 200, SESSION));
    await new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY }).createSession();
    assert.equal(service.calls[0]?.body, '{}');
  });

  it('calls below the path of the base address', async (t) => {
    const service = await startService(t, (response) => json(response, 200, SESSION));
    await new SvcClient({ baseUrl: `${service.baseUrl}/speech/`, apiKey: KEY }).createSession();
    assert.equal(service.calls[0]?.path, '/speech/api/v1/realtime/stream/session');
  });

  it('reports the rate limit of the last answer that has one', async (t) => {
    const told = ['199', 'many', undefined, '0'];
    const service = await startService(t, (response, _call, turn) =>
      json(response, turn < 3 ? 200 : 401, SESSION, told[turn] ? { 'X-RateLimit-Remaining': told[turn] } : {}),
    );
    const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY });
    assert.equal(client.rateLimitRemaining, null);
    for (const expected of [199, 199, 199]) {
      await client.createSession();
      assert.equal(client.rateLimitRemaining, expected);
    }
    await failure(client.createSession());
    assert.equal(client.rateLimitRemaining, 0);
  });

  for (const [status, code] of [
    [400, 'unexpected-status'],
    [401, 'unauthorized'],
    [402, 'payment-required'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [422, 'invalid-request'],
    [500, 'unexpected-status'],
  ] as const) {
    it(`reports ${status} as ${code}, without a retry`, async (t) => {
      const service = await startService(t, (response) => json(response, status, { detail: 'because' }));
      const clock = fakeClock();
      const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY, clock }).createSession());
      assert.deepEqual([error.status, error.code, error.detail], [status, code, 'because']);
      assert.equal(service.calls.length, 1);
      assert.deepEqual(clock.slept, []);
    });
  }

  for (const status of [429, 503]) {
    it(`retries after ${status}, with growing delays`, async (t) => {
      const service = await startService(t, (response, _call, turn) =>
        turn < 3 ? json(response, status, {}) : json(response, 200, SESSION),
      );
      const clock = fakeClock();
      const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY, clock, ...middle });
      assert.deepEqual(await client.createSession(), SESSION);
      assert.deepEqual(clock.slept, [250, 500, 1000]);
    });
  }

  it('fails after the configured number of retries', async (t) => {
    const service = await startService(t, (response) => json(response, 503, { detail: 'down' }));
    const options = { baseUrl: service.baseUrl, apiKey: KEY, clock: fakeClock() };
    assert.equal((await failure(new SvcClient({ ...options, retries: 1 }).createSession())).code, 'unavailable');
    assert.equal(service.calls.length, 2);
    await failure(new SvcClient({ ...options, retries: 0 }).createSession());
    assert.equal(service.calls.length, 3);
  });

  it('honours Retry-After in seconds or as a date', async (t) => {
    const asked = ['3', 'Thu, 01 Jan 1970 00:00:04 GMT', '0', 'soon'];
    const service = await startService(t, (response, _call, turn) =>
      turn < 4
        ? json(response, 429, {}, { 'Retry-After': asked[turn], Date: 'Thu, 01 Jan 1970 00:00:01 GMT' })
        : json(response, 200, SESSION),
    );
    const clock = fakeClock(1000);
    await new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY, clock, retries: 4, ...middle }).createSession();
    assert.deepEqual(clock.slept, [3000, 3000, 1000, 2000]);
  });

  it('does not wait if Retry-After is too long', async (t) => {
    const service = await startService(t, (response) => json(response, 429, {}, { 'Retry-After': '56' }));
    const clock = fakeClock();
    const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY, clock }).createSession());
    assert.equal(error.retryAfterMs, 56_000);
    assert.deepEqual(clock.slept, []);
  });

  it('ends the wait before another try when its signal aborts', async (t) => {
    const service = await startService(t, (response) => json(response, 503, {}, { 'Retry-After': '9' }));
    const abort = new AbortController();
    const client = new SvcClient({
      baseUrl: service.baseUrl,
      apiKey: KEY,
      random: () => {
        queueMicrotask(() => abort.abort(new Error('enough'))); // called right before the wait, so this runs during it
        return 0;
      },
    });
    await assert.rejects(client.createSession({}, { signal: abort.signal }), /enough/);
  });

  it('ends a slow answer when its signal aborts', async (t) => {
    const abort = new AbortController();
    const service = await startService(t, (response) => {
      response.writeHead(200).write('{"url":', () => abort.abort(new Error('enough')));
    });
    const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY });
    await assert.rejects(client.createSession({}, { signal: abort.signal }), /enough/);
  });

  it('makes no call when its signal is already aborted', async (t) => {
    const service = await startService(t, (response) => json(response, 200, SESSION));
    const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY });
    await assert.rejects(client.createSession({}, { signal: AbortSignal.abort(new Error('never')) }), /never/);
    assert.equal(service.calls.length, 0);
  });

  it('times out if an answer does not end in time', async (t) => {
    const service = await startService(t, (response) => void response.writeHead(200).write('{'));
    const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY, timeoutMs: 20 });
    const error = await failure(client.createSession());
    assert.deepEqual([error.status, error.code], [0, 'timeout']);
  });

  for (const [what, reply, code] of [
    ['a page of HTML', '<html>200 but no</html>', 'invalid-response'],
    ['truncated JSON', JSON.stringify(SESSION).slice(0, -20), 'invalid-response'],
    ['nothing', '', 'invalid-response'],
    ['JSON that is no session', '[1,2,3]', 'invalid-response'],
    ['a session without a URL', JSON.stringify({ ...SESSION, url: undefined }), 'invalid-response'],
  ] as const) {
    it(`reports what is wrong with an answer: ${what}`, async (t) => {
      const service = await startService(t, (response) => void response.writeHead(200).end(reply));
      const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY }).createSession());
      assert.deepEqual([error.status, error.code], [200, code]);
      assert.notEqual(error.detail, '');
    });
  }

  it('stops reading an answer that is too large', async (t) => {
    const chunk = ' '.repeat(1 << 20);
    const service = await startService(t, (response) => {
      const more = () => void (response.destroyed || response.write(chunk, more));
      more();
    });
    const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY }).createSession());
    assert.equal(error.code, 'invalid-response');
    assert.match(error.detail, /^the answer is larger than 4194304 bytes: check/);
  });

  it('reports a broken connection as a network error', async (t) => {
    const service = await startService(t, (response) => void response.socket?.destroy());
    const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY }).createSession());
    assert.deepEqual([error.status, error.code], [0, 'network']);
  });

  it('does not show a page of HTML as the reason of an error', async (t) => {
    const service = await startService(t, (response) => void response.writeHead(500).end('<html>trace</html>'));
    const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY }).createSession());
    assert.equal(error.detail, 'the service gave no reason');
  });
});

describe('the API key', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not follow a ${status} to another host`, async (t) => {
      const other = await startService(t, (response) => json(response, 200, SESSION));
      const service = await startService(t, (response) =>
        json(response, status, {}, { Location: `${other.baseUrl}/api/v1/realtime/stream/session?x=${KEY}` }),
      );
      const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY }).createSession());
      assert.deepEqual([error.status, error.code], [status, 'redirected']);
      assert.ok(error.message.includes(other.baseUrl));
      assert.equal(other.calls.length, 0);
    });
  }

  it('is not visible in the client object', () => {
    const client = new SvcClient({ baseUrl: 'https://api.example', apiKey: KEY });
    const views = [
      inspect(client, { showHidden: true, depth: 9, getters: true }),
      JSON.stringify(client),
      Object.prototype.toString.call(client),
    ];
    for (const view of views) assert.ok(!view.includes(KEY), view);
  });

  it('is removed from the detail of the service', async (t) => {
    const service = await startService(t, (response) =>
      json(response, 401, { detail: `Bad key ${KEY}, see ?key=${encodeURIComponent(KEY)}` }),
    );
    const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY }).createSession());
    assert.equal(error.detail, 'Bad key [key], see ?key=[key]');
    assert.ok(!inspect(error, { showHidden: true, depth: 9 }).includes(KEY));
  });

  it('is removed before a long detail is truncated', async (t) => {
    const service = await startService(t, (response) => json(response, 401, { detail: 'x'.repeat(490) + KEY }));
    const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY }).createSession());
    assert.ok(!error.detail.includes(KEY.slice(0, 4)));
  });

  it('is removed from the error of a failing fetch', async () => {
    const client = new SvcClient({
      baseUrl: 'https://api.example',
      apiKey: KEY,
      fetch: (_url, init) => Promise.reject(new Error(`cannot send ${JSON.stringify(init.headers)}`)),
    });
    const error = await failure(client.createSession());
    assert.ok(!inspect(error, { showHidden: true, depth: 9 }).includes(KEY));
  });

  it('is not returned in a session that contains it', async (t) => {
    const url = `${SESSION.url}&key=${encodeURIComponent(KEY)}`;
    const service = await startService(t, (response) => json(response, 200, { ...SESSION, url }));
    const error = await failure(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY }).createSession());
    assert.equal(error.code, 'invalid-response');
  });

  for (const apiKey of ['', 'with space', 'line\n', 'ключ']) {
    it(`is refused, and not repeated, when it is ${JSON.stringify(apiKey)}`, () => {
      assert.throws(
        () => new SvcClient({ baseUrl: 'https://api.example', apiKey }),
        (error: Error) => error instanceof TypeError && (apiKey === '' || !error.message.includes(apiKey)),
      );
    });
  }
});

describe('new SvcClient', () => {
  for (const baseUrl of [
    '',
    'api.example',
    'ftp://api.example',
    'https://api.example?x=1',
    'https://u:p@api.example',
    KEY,
    `https://api.example?key=${KEY}`,
  ]) {
    it(`refuses the address ${baseUrl || 'nothing'}, and does not repeat it: it may be a secret`, () => {
      assert.throws(
        () => new SvcClient({ baseUrl, apiKey: 'another-key' }),
        (error: Error) => error instanceof TypeError && (baseUrl === '' || !error.message.includes(baseUrl)),
      );
    });
  }

  it('refuses retries and times out of range', () => {
    for (const wrong of [{ retries: -1 }, { retries: 0.5 }, { timeoutMs: 0 }, { timeoutMs: Number.NaN }]) {
      assert.throws(() => new SvcClient({ baseUrl: 'https://api.example', apiKey: KEY, ...wrong }), RangeError);
    }
  });
});
