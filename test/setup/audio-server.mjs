import { createServer } from 'node:http';

/**
 * @typedef {object} Kept
 * @property {Buffer} bytes
 * @property {number} requests - Number of requests for the file.
 * @property {number} closedEarly - Number of responses that the browser closed before they were complete.
 * @property {string[]} received - Bodies of the requests.
 * @property {Set<import('node:http').ServerResponse>} open - Responses that are not complete.
 */

/** @type {Map<string, Kept>} */
const files = new Map();

/**
 * Handles the requests to a server of audio streams for tests. A test PUTs a file to `/audio/NAME` and GETs it from
 * there. The query selects the response:
 *
 * - `type`: its Content-Type. Without `type`, it has none.
 * - `status`: its status, 200 by default.
 * - `cut`: send this number of bytes, then end the response.
 * - `hang`: send this number of bytes, then leave the connection open.
 * - `ranges`: support byte ranges, as for a file with an ETag. `cut` and `hang` then apply to the first request only.
 * - `chunked`: send no Content-Length.
 * - `cors`: the origin that may read the response; with `cors-cookies`, also with credentials.
 *
 * `/audio/NAME?break` aborts the open responses for the file. `?log` responds with the requests so far, as JSON.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
export async function answerAudio(request, response) {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  const file = files.get(pathname);
  if (query.has('cors')) response.setHeader('Access-Control-Allow-Origin', query.get('cors') ?? '');
  if (query.has('cors-cookies')) response.setHeader('Access-Control-Allow-Credentials', 'true');
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  if (request.method === 'PUT') {
    files.set(pathname, { bytes: body, requests: 0, closedEarly: 0, received: [], open: new Set() });
    response.end();
  } else if (!file) {
    response.writeHead(404).end();
  } else if (query.has('log')) {
    const { requests, closedEarly, received } = file;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ requests, closedEarly, received }));
  } else if (query.has('break')) {
    for (const one of file.open) one.destroy();
    response.end();
  } else {
    file.requests++;
    file.received.push(body.toString());
    file.open.add(response);
    response.on('close', () => {
      file.open.delete(response);
      if (!response.writableFinished) file.closedEarly++;
    });
    const type = query.get('type');
    if (type) response.setHeader('Content-Type', type);
    const { length } = file.bytes;
    if (query.has('ranges')) response.setHeader('Accept-Ranges', 'bytes').setHeader('ETag', '"1"');
    const range = query.has('ranges') ? /^bytes=(\d+)-$/.exec(request.headers.range ?? '') : null;
    if (range) {
      const from = Number(range[1]);
      response.setHeader('Content-Range', `bytes ${from}-${length - 1}/${length}`);
      response.writeHead(206, { 'Content-Length': length - from }).end(file.bytes.subarray(from));
      return;
    }
    if (!query.has('chunked')) response.setHeader('Content-Length', length);
    response.writeHead(Number(query.get('status') ?? 200));
    const count = Number(query.get('cut') ?? query.get('hang') ?? length);
    const sent = file.bytes.subarray(0, count);
    if (query.has('hang')) response.write(sent);
    else response.end(sent);
  }
}

/**
 * Serves the same files on the page's own origin. Must run before any other middleware.
 *
 * @param {{ path: string, respond?: boolean, req: import('node:http').IncomingMessage, res: import('node:http').ServerResponse }} context
 * @param {() => Promise<unknown>} next
 */
export async function audioMiddleware(context, next) {
  if (!context.path.startsWith('/audio/')) return next();
  context.respond = false;
  context.res.statusCode = 200;
  return answerAudio(context.req, context.res);
}

/** Starts a server on an origin other than the page's. */
export async function startAudioServer() {
  const server = createServer((request, response) => void answerAudio(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
