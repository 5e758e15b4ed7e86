import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { resumedBody } from '../../../src/connection/resumed-body.js';

const file = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251));
/** A clock whose timers end at once. */
const clock = {
  now: () => 0,
  after: (_ms: number, action: () => void) => {
    const timer = setImmediate(action);
    return () => clearImmediate(timer);
  },
};

/** A file on a server that breaks off its responses. */
interface Served {
  /** Headers of the file. */
  readonly headers: Record<string, string>;
  /** Number of bytes after which each response breaks off; the last one repeats. */
  readonly bytes: readonly number[];
  /** True if the file has changed when the rest is requested, so that the server sends all of it again. */
  readonly hasChanged?: boolean;
}

describe('resumedBody', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** Serves the file, and reads it. Returns the bytes, the error of the stream and the headers of the requests. */
  async function read({ headers, bytes, hasChanged = false }: Served) {
    const requests: IncomingHttpHeaders[] = [];
    let open: ServerResponse;
    let breakAt = 0;
    server = createServer((request, response) => {
      const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
      const from = range && !hasChanged ? Number(range[1]) : 0;
      const count = bytes[Math.min(requests.push(request.headers), bytes.length) - 1]!;
      if (range && !hasChanged) {
        response.setHeader('Content-Range', `bytes ${from}-${file.length - 1}/${file.length}`).statusCode = 206;
      }
      response.setHeader('Content-Length', file.length - from);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      open = response;
      breakAt = from + count;
      if (breakAt < file.length) response.write(file.subarray(from, breakAt));
      else response.end(file.subarray(from));
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const response = await fetch(url, { headers: { 'X-Own': 'kept' } });
    const again = (more: [string, string][]): Promise<Response> =>
      fetch(url, { headers: [['X-Own', 'kept'], ...more] });
    const body = resumedBody(response, file.length, again, clock)!;
    const chunks: Uint8Array[] = [];
    let error: unknown;
    try {
      for await (const chunk of body) {
        chunks.push(chunk);
        // Earlier, the client might drop what it has received.
        if (Buffer.concat(chunks).length === breakAt && breakAt < file.length) open!.destroy();
      }
    } catch (cause) {
      error = cause;
    }
    return { received: Buffer.concat(chunks), error, requests };
  }

  const ranges = { 'Accept-Ranges': 'bytes', ETag: '"1"' };

  it('requests the rest of a body that breaks, from the first missing byte, if the file is the same', async () => {
    const { received, error, requests } = await read({ headers: ranges, bytes: [20_000, 10_000, 20_000] });
    assert.equal(error, undefined);
    assert.ok(received.equals(file));
    assert.deepEqual(
      requests.map(({ range, 'if-range': validator, 'x-own': own }) => [range, validator, own]),
      [
        [undefined, undefined, 'kept'],
        ['bytes=20000-', '"1"', 'kept'],
        ['bytes=30000-', '"1"', 'kept'],
      ],
    );
  });

  it('uses the time of the last change if there is no strong tag', async () => {
    const date = 'Tue, 03 Nov 2026 10:00:00 GMT';
    const headers = { ...ranges, ETag: 'W/"1"', 'Last-Modified': date };
    const { received, requests } = await read({ headers, bytes: [20_000, 30_000] });
    assert.ok(received.equals(file));
    assert.equal(requests[1]!['if-range'], date);
  });

  it('fails as before if the file has changed', async () => {
    const { received, error, requests } = await read({ headers: ranges, bytes: [20_000, 50_000], hasChanged: true });
    assert.ok(error instanceof Error);
    assert.ok(received.equals(file.subarray(0, 20_000)));
    assert.equal(requests.length, 2);
  });

  it('fails after three requests for the rest', async () => {
    const { received, error, requests } = await read({ headers: ranges, bytes: [20_000, 1000] });
    assert.ok(error instanceof Error);
    assert.equal(received.length, 23_000);
    assert.equal(requests.length, 4);
  });

  for (const [what, headers] of [
    ['byte ranges', { ETag: '"1"' }],
    ['a validator', { 'Accept-Ranges': 'bytes' }],
    ['a strong validator', { 'Accept-Ranges': 'bytes', ETag: 'W/"1"' }],
  ] as const) {
    it(`requests nothing from a server without ${what}`, async () => {
      const { error, requests } = await read({ headers, bytes: [20_000] });
      assert.ok(error instanceof Error);
      assert.equal(requests.length, 1);
    });
  }

  it('resumes a body that ends too early without an error', async () => {
    const response = new Response(file.subarray(0, 20_000), { headers: ranges });
    const rest = (headers: [string, string][]): Promise<Response> => {
      assert.deepEqual(headers[0], ['Range', 'bytes=20000-']);
      const range = { 'Content-Range': `bytes 20000-49999/${file.length}` };
      return Promise.resolve(new Response(file.subarray(20_000), { status: 206, headers: range }));
    };
    const body = resumedBody(response, file.length, rest, clock);
    assert.ok(Buffer.from(await new Response(body).arrayBuffer()).equals(file));
  });

  it('leaves a body alone whose length is unknown', () => {
    const response = new Response(file, { headers: ranges });
    assert.equal(
      resumedBody(response, null, () => Promise.reject(new Error('Not requested.')), clock),
      response.body,
    );
  });
});
