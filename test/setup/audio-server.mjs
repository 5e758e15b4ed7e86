import { createServer } from 'node:http';

/**
 * @typedef {object} Kept
 * @property {Buffer} bytes
 * @property {number} requests - Number of requests for it.
 * @property {number} closedEarly - Number of answers that were closed by the browser before they were complete.
 * @property {string[]} received - Bodies of the requests.
 * @property {Set<import('node:http').ServerResponse>} open - Answers that are not complete.
 */

/** @type {Map<string, Kept>} */
const files = new Map();

/**
 * A server of audio streams for tests, as a request handler. A test PUTs a file to `/audio/NAME`, and gets it from there; the
 * query says how:
 *
 * - `type`: its Content-Type; none without.
 * - `status`: 200 by default.
 * - `cut`: send this many bytes, and end there.
 * - `hang`: send this many bytes, and leave the connection open.
 * - `chunked`: send no Content-Length.
 * - `cors`: the origin that may read it; with `cors-cookies` also with credentials.
 *
 * `/audio/NAME?break` breaks off the answers for it that are open; `?log` answers with what the server has seen.
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
    if (!query.has('chunked')) response.setHeader('Content-Length', file.bytes.length);
    response.writeHead(Number(query.get('status') ?? 200));
    const count = Number(query.get('cut') ?? query.get('hang') ?? file.bytes.length);
    const sent = file.bytes.subarray(0, count);
    if (query.has('hang')) response.write(sent);
    else response.end(sent);
  }
}

/**
 * Serves them on the page's own origin, too. Before any other middleware.
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

/** Starts a server on another origin than the page's. */
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
