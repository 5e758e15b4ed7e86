import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { createGzip, gzipSync } from 'node:zlib';
import { SvcClient, type SvcClientOptions } from '../../../src/backend/index.js';
import { BUNDLE, failure, fakeClock, json, KEY, ROOM, SESSION, startService, type Reply } from './fake-service.js';

/** The three calls, each with a valid response. */
const calls: [name: string, call: (client: SvcClient, signal?: AbortSignal) => Promise<unknown>, good: object][] = [
  ['createSession', (client, signal) => client.createSession({}, { signal }), SESSION],
  ['getAvatarBundle', (client, signal) => client.getAvatarBundle('ava', { signal }), BUNDLE],
  ['getRoomToken', (client, signal) => client.getRoomToken({ avatarId: 'ava' }, { signal }), ROOM],
];

const HTML = '<!doctype html><title>Oops</title><pre>at /srv/secret/app.js:1</pre>';

/** Writes an endless body, as fast as the client reads it. */
function writeForEver(response: ServerResponse, chunk: Buffer | string): void {
  const more = (): void => void (response.destroyed || response.write(chunk, more));
  more();
}

for (const [name, call, good] of calls) {
  const text = JSON.stringify(good);

  /** Makes the call to a service that answers with `reply`. Returns the error, and the calls of the service. */
  async function failAt(t: Parameters<typeof startService>[0], reply: Reply, options: Partial<SvcClientOptions> = {}) {
    const service = await startService(t, reply);
    const client = new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY, clock: fakeClock(), ...options });
    return { error: await failure(call(client)), calls: service.calls };
  }

  describe(`SvcClient.${name}, when the service misbehaves`, () => {
    for (const status of [200, 500, 502]) {
      it(`reveals nothing of a page of HTML with status ${status}`, async (t) => {
        const { error } = await failAt(t, (response) => {
          response.writeHead(status, { 'Content-Type': 'text/html' }).end(HTML);
        });
        assert.equal(error.status, status);
        assert.equal(error.code, status === 200 ? 'invalid-response' : 'unexpected-status');
        assert.ok(!error.message.includes('secret'));
      });
    }

    for (const [what, body] of [
      ['JSON that breaks off', text.slice(0, -2)],
      ['JSON twice', text + text],
      ['a list', `[${text}]`],
      ['null', 'null'],
      ['an empty object', '{}'],
      ['nothing', ''],
      ['bytes that are no text', Buffer.from([0x1f, 0x8b, 0xff, 0x00])],
    ] as const) {
      it(`refuses ${what} as an answer`, async (t) => {
        const { error } = await failAt(t, (response) => void response.writeHead(200).end(body));
        assert.deepEqual([error.status, error.code], [200, 'invalid-response']);
      });
    }

    for (const status of [201, 204]) {
      it(`refuses ${status} without a body`, async (t) => {
        const { error } = await failAt(t, (response) => void response.writeHead(status).end());
        assert.deepEqual([error.status, error.code], [status, 'invalid-response']);
      });
    }

    for (const type of ['text/plain', 'application/octet-stream', 'nonsense', '']) {
      it(`accepts a valid answer of the type ${type || 'nothing'}`, async (t) => {
        const service = await startService(t, (response) => {
          response.writeHead(200, type ? { 'Content-Type': type } : {}).end(text);
        });
        assert.deepEqual(await call(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY })), good);
      });
    }

    it('accepts a valid answer that is compressed', async (t) => {
      const service = await startService(t, (response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(text));
      });
      assert.deepEqual(await call(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY })), good);
    });

    it('times out if the body comes too slowly', async (t) => {
      const slow: Reply = (response) => void response.writeHead(200).write(text.slice(0, 5));
      const { error } = await failAt(t, slow, { timeoutMs: 30 });
      assert.deepEqual([error.status, error.code], [0, 'timeout']);
    });

    it('stops reading a body that does not end, and closes the connection', async (t) => {
      let hungUp: Promise<unknown> | undefined;
      const { error } = await failAt(t, (response) => {
        hungUp = once(response, 'close');
        writeForEver(response, ' '.repeat(1 << 20));
      });
      assert.equal(error.code, 'invalid-response');
      assert.match(error.detail, /^the answer is larger than \d+ bytes: check/);
      await hungUp;
    });

    it('stops reading an error that does not end', async (t) => {
      const { error } = await failAt(t, (response) => {
        writeForEver(response.writeHead(500), 'x'.repeat(1 << 20));
      });
      assert.deepEqual([error.code, error.detail], ['unexpected-status', 'the service gave no reason']);
    });

    it('limits the size of a compressed body after decompression', async (t) => {
      const { error } = await failAt(t, (response) => {
        const gzip = createGzip();
        gzip.pipe(response.writeHead(200, { 'Content-Encoding': 'gzip' }));
        // 32 MiB of spaces are about 32 kB on the wire: far below every limit, and a valid start of JSON.
        gzip.end(Buffer.alloc(32 * 1024 * 1024, ' '));
      });
      assert.equal(error.code, 'invalid-response');
      assert.match(error.detail, /^the answer is larger than/);
    });

    for (const [what, spoil] of [
      ['before its answer', (response) => void response.socket?.destroy()],
      [
        'in the middle of its answer',
        (response) => {
          response.writeHead(200, { 'Content-Length': text.length });
          response.write(text.slice(0, 8), () => response.socket?.resetAndDestroy());
        },
      ],
    ] as [string, Reply][]) {
      it(`reports a network error when the service closes the connection ${what}`, async (t) => {
        const { error } = await failAt(t, spoil);
        assert.deepEqual([error.status, error.code], [0, 'network']);
      });
    }

    it('reports a network error with the address when nothing listens', async () => {
      const client = new SvcClient({ baseUrl: 'http://127.0.0.1:1', apiKey: KEY }); // nothing listens on this port
      const { code, detail } = await failure(call(client));
      assert.equal(code, 'network');
      assert.match(detail, /^http:\/\/127\.0\.0\.1:1 cannot be reached: /);
    });

    for (const status of [301, 302, 303, 307, 308]) {
      it(`does not follow a ${status} to another host, so that the key stays where it belongs`, async (t) => {
        const other = await startService(t, (response) => json(response, 200, good));
        const { error, calls: made } = await failAt(t, (response) => {
          json(response, status, good, { Location: `${other.baseUrl}/take?key=${KEY}` });
        });
        assert.deepEqual([error.status, error.code], [status, 'redirected']);
        assert.ok(error.detail.includes(other.baseUrl));
        assert.equal(made.length, 1);
        assert.equal(other.calls.length, 0);
      });
    }

    it('waits until the date that a 429 names', async (t) => {
      const service = await startService(t, (response, _call, turn) =>
        turn === 0
          ? json(
              response,
              429,
              {},
              { 'Retry-After': 'Thu, 01 Jan 1970 00:01:05 GMT', Date: 'Thu, 01 Jan 1970 00:01:00 GMT' },
            )
          : json(response, 200, good),
      );
      const clock = fakeClock(60_000);
      await call(new SvcClient({ baseUrl: service.baseUrl, apiKey: KEY, clock }));
      assert.deepEqual(clock.slept, [5000]);
    });

    it('doubles its own delay when a 503 has no Retry-After', async (t) => {
      const clock = fakeClock();
      const down: Reply = (response) => void response.writeHead(503, { 'Content-Type': 'text/html' }).end(HTML);
      const { error, calls: made } = await failAt(t, down, { clock, random: () => 0.5 });
      assert.deepEqual([error.code, error.detail], ['unavailable', 'the service gave no reason']);
      assert.deepEqual(clock.slept, [250, 500, 1000]);
      assert.equal(made.length, 4);
    });

    it('keeps the key out of errors when the service echoes it, in any encoding', async (t) => {
      const escaped = Array.from(KEY, (c) => `%${c.charCodeAt(0).toString(16)}`).join('');
      for (const status of [200, 400, 401, 404, 422, 500]) {
        for (const body of [
          { detail: `bad ${KEY}` },
          { message: escaped },
          { detail: [{ loc: [KEY], msg: escaped }] },
        ]) {
          const { error } = await failAt(t, (response) => json(response, status, body, { 'X-Echo': KEY }));
          const shown = inspect(error, { showHidden: true, depth: 9 });
          assert.ok(!shown.includes(KEY) && !shown.includes(escaped), shown);
        }
      }
    });
  });
}
