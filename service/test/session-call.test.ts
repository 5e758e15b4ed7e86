import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { host, KEY, type Host } from './support/host.js';
import { StubEngine } from './support/stub-engine.js';

let service: Host<StubEngine>;
before(async () => {
  service = await host({ maxConcurrentSessions: 7 });
});
after(() => service.close());

/** Asserts that the response is a 422, and returns its body. */
async function refused(body: unknown): Promise<{ detail: string; errors: { field: string; problem: string }[] }> {
  const response = await service.call(body);
  assert.equal(response.status, 422);
  return (await response.json()) as { detail: string; errors: { field: string; problem: string }[] };
}

describe('spec 2.1: session request', () => {
  it('takes a default for every field', async () => {
    const { voice_id, format, sample_rate, url } = await service.session({});
    assert.deepEqual({ voice_id, format, sample_rate }, { voice_id: 'one', format: 'pcm_s16le', sample_rate: 24000 });
    const query = new URL(url).searchParams;
    assert.equal(query.get('normalize_text'), 'true');
    assert.equal(query.get('chunk_seconds'), '15');
    assert.equal(query.get('context_id'), 'turn-1');
    assert.equal(query.has('sampling'), false);
  });

  it('treats an empty or missing body as one without fields', async () => {
    assert.equal((await service.call()).status, 200);
    assert.equal((await service.call('')).status, 200);
  });

  it('makes every field except the text a query parameter of the URL', async () => {
    const fields = {
      voice_id: 'two',
      format: 'pcm_s16le',
      sample_rate: 44100,
      normalize_text: false,
      chunk_seconds: 2.5,
      sampling: { rate: 1.25 },
      context_id: 'a context',
    };
    const query = new URL((await service.session({ ...fields, input: 'Not for logs.' })).url).searchParams;
    for (const [name, value] of Object.entries(fields)) {
      assert.equal(query.get(name), typeof value === 'object' ? JSON.stringify(value) : String(value), name);
    }
    assert.equal(query.has('input'), false);
  });

  it('treats null as absent', async () => {
    assert.equal((await service.session({ voice_id: null, sampling: { rate: null } })).voice_id, 'one');
  });
});

describe('spec 2.2: session response', () => {
  it('has every field', async () => {
    const earliest = Date.now();
    const { url, expires_at, ...rest } = await service.session({ voice_id: 'two', sample_rate: 8000 });
    assert.deepEqual(rest, {
      expires_in_seconds: 30,
      max_concurrent_sessions: 7,
      gateway: 'svc-service',
      protocol: 'svctts.v1',
      voice_id: 'two',
      format: 'pcm_s16le',
      sample_rate: 8000,
      messages: [],
    });
    assert.match(String(expires_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    // Tokens are issued in whole seconds.
    const issuedAt = Date.parse(String(expires_at)) - 30_000;
    assert.ok(issuedAt > earliest - 1000 && issuedAt <= Date.now(), String(expires_at));
    assert.equal(new URL(url).host, new URL(service.service.url).host);
  });

  it('has effective voice, format and rate in the query of its URL', async () => {
    const query = new URL((await service.session({ voice_id: 'two', sample_rate: 16000 })).url).searchParams;
    assert.equal(query.get('voice_id'), 'two');
    assert.equal(query.get('format'), 'pcm_s16le');
    assert.equal(query.get('sample_rate'), '16000');
  });

  it('never holds the API key', async () => {
    assert.ok(!(await (await service.call({ input: 'Hello' })).text()).includes(KEY));
  });

  it('is not to be stored', async () => {
    assert.equal((await service.call({})).headers.get('cache-control'), 'no-store');
  });
});

describe('spec 4.1: session call', () => {
  it('writes the messages of an input', async () => {
    assert.deepEqual((await service.session({ input: 'Hello there.' })).messages, [
      { type: 'synthesize', context_id: 'turn-1', text: 'Hello there.', segment_mode: 'auto' },
      { type: 'end', context_id: 'turn-1' },
    ]);
  });

  it('writes them for the context that was asked for', async () => {
    const { messages } = await service.session({ input: 'Hello', context_id: 'greeting' });
    assert.deepEqual(
      messages.map((message) => (message as { context_id: string }).context_id),
      ['greeting', 'greeting'],
    );
  });

  it('does not check the capacity of the account', async () => {
    const full = await host({ maxConcurrentSessions: 1 });
    try {
      await full.open();
      assert.equal((await full.call({})).status, 200);
    } finally {
      await full.close();
    }
  });

  it('names the public address if it has one: wss for https, below its path', async () => {
    const behindProxy = await host({ publicUrl: 'https://speech.example/voices/' });
    try {
      const url = new URL((await behindProxy.session()).url);
      assert.equal(url.origin + url.pathname, 'wss://speech.example/voices/realtime/stream');
    } finally {
      await behindProxy.close();
    }
  });

  it('names the host that the client used', async () => {
    const url = new URL(JSON.parse(await callWithHost('localhost:1234')).url);
    assert.equal(`${url.protocol}//${url.host}${url.pathname}`, 'ws://localhost:1234/realtime/stream');
  });

  it('refuses a Host header that is none', async () => {
    assert.match(JSON.parse(await callWithHost('a b')).detail, /Host/);
  });
});

/** Makes a session call with its own Host header, which `fetch` does not allow. Returns the body. */
function callWithHost(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: name, 'X-SVC-Api-Key': KEY };
    const call = request(`${service.service.url}/api/v1/realtime/stream/session`, { method: 'POST', headers });
    call.on('error', reject);
    call.on('response', async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve(body);
    });
    call.end();
  });
}

describe('spec 5: authentication', () => {
  for (const [what, headers] of Object.entries({
    'without a key': {},
    'with an empty key': { 'X-SVC-Api-Key': '' },
    'with a wrong key': { 'X-SVC-Api-Key': `${KEY}x` },
    'with the key as a bearer token': { Authorization: `Bearer ${KEY}` },
  }) as [string, Record<string, string>][]) {
    it(`refuses a call ${what}`, async () => {
      const response = await service.call({}, headers);
      assert.equal(response.status, 401);
      assert.equal(typeof ((await response.json()) as { detail: string }).detail, 'string');
    });
  }

  it('ignores a bearer token beside the right key', async () => {
    const response = await service.call({}, { 'X-SVC-Api-Key': KEY, Authorization: 'Bearer whatever' });
    assert.equal(response.status, 200);
  });

  it('asks for a key before it looks at the body', async () => {
    assert.equal((await service.call('{"nonsense', {})).status, 401);
  });

  it('asks for a key on every path below /api/v1, even if there is no such path', async () => {
    const url = `${service.service.url}/api/v1/nothing`;
    assert.equal((await fetch(url)).status, 401);
    assert.equal((await fetch(url, { headers: { 'X-SVC-Api-Key': KEY } })).status, 404);
  });
});

describe('spec 7.1: errors of the session call', () => {
  it('names an unknown sampling parameter', async () => {
    const { detail, errors } = await refused({ sampling: { rate: 1, temperature: 0.5 } });
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['sampling.temperature'],
    );
    assert.match(detail, /sampling\.temperature/);
  });

  for (const [field, body] of Object.entries({
    voice_id: { voice_id: 'nobody' },
    format: { format: 'mp3' },
    sample_rate: { sample_rate: 7999 },
    normalize_text: { normalize_text: 'yes' },
    chunk_seconds: { chunk_seconds: 0.5 },
    timings: { timings: 'words' }, // this engine has none
    sampling: { sampling: [] },
    'sampling.rate': { sampling: { rate: 2.5 } },
    input: { input: 'a'.repeat(10_001) },
    context_id: { context_id: '' },
    pitch: { pitch: 1 },
  })) {
    it(`names ${field} if it is wrong`, async () => {
      const { errors } = await refused(body);
      assert.deepEqual(
        errors.map((error) => error.field),
        [field],
      );
    });
  }

  it('names every field that is wrong', async () => {
    const { errors } = await refused({ voice_id: 'nobody', sample_rate: 1, foo: 2 });
    assert.deepEqual(errors.map(({ field }) => field).sort(), ['foo', 'sample_rate', 'voice_id']);
  });

  for (const body of ['null', '[]', '"text"', '7']) {
    it(`refuses ${body} for a body`, async () => {
      assert.match((await refused(body)).detail, /object/);
    });
  }

  it('refuses what is not JSON with 400', async () => {
    const response = await service.call('{"voice_id": ');
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), { detail: 'The body is not JSON.' });
  });

  it('refuses a body that is too large with 413', async () => {
    assert.equal((await service.call({ input: 'a'.repeat(200_000) })).status, 413);
  });

  it('refuses another type of body with 415', async () => {
    const headers = { 'X-SVC-Api-Key': KEY, 'content-type': 'application/x-www-form-urlencoded' };
    const response = await service.call('voice_id=one', headers);
    assert.equal(response.status, 415);
    assert.equal(typeof ((await response.json()) as { detail: string }).detail, 'string');
  });

  it('answers other methods with 405 and the allowed one', async () => {
    const response = await fetch(`${service.service.url}/api/v1/realtime/stream/session`, {
      headers: { 'X-SVC-Api-Key': KEY },
    });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'POST');
  });

  it('answers 503 with Retry-After while the engine is down', async () => {
    const down = await host();
    down.engine.available = false;
    try {
      const answer = await down.call({});
      assert.equal(answer.status, 503);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      assert.equal((await fetch(`${down.service.url}/healthz`)).status, 503);
    } finally {
      await down.close();
    }
  });
});

describe('GET /healthz', () => {
  it('reports that the service is healthy, without a key', async () => {
    const response = await fetch(`${service.service.url}/healthz`);
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { status: 'ok' });
  });
});
