import { refuse } from './answer.js';
import type { SpeechBackend } from './speech-backend.js';

/**
 * What is needed of `http.IncomingMessage`, and of Express' request, which is one.
 *
 * Methods are written as such, and the events' arguments loosely, so that the real ones fit.
 */
export interface NodeRequest {
  /** As in `node:http`. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** As in `node:http`, names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As in `node:http`; HTTP/1 if it is left out. */
  readonly httpVersionMajor?: number | undefined;
  /** Whether the body has been read to its end. */
  readonly readableEnded?: boolean | undefined;
  /** Tells by `encrypted` whether the page came over TLS. */
  readonly socket?: object | null | undefined;
  /** The body, where a framework has read it already (as `express.json()` does). */
  readonly body?: unknown;
  /** For `data`, `end` and `error` of the body. */
  on(event: string, listener: (...values: never[]) => void): unknown;
  /** Stops reading a body that is too large. */
  pause(): unknown;
  /** Goes on reading. */
  resume(): unknown;
}

/** What is needed of `http.ServerResponse`. */
export interface NodeResponse {
  /** As in `node:http`. */
  statusCode: number;
  /** Somebody else has answered, if this is true. */
  readonly headersSent: boolean;
  /** As in `node:http`. */
  setHeader(name: string, value: string): unknown;
  /** Tells that the page has gone. */
  on(event: 'close', listener: () => void): unknown;
  /** Sends the answer. */
  end(body: string): unknown;
}

/**
 * Makes a handler for `node:http`, Express and what else calls `(request, response)`.
 *
 * ```js
 * http.createServer(nodeHandler(backend));
 * app.use('/speech', nodeHandler(backend));                          // Express
 * fastify.all('/speech/*', async (request, reply) => {                // Fastify, which has read the body
 *   reply.hijack();
 *   await handler(Object.assign(request.raw, { body: request.body }), reply.raw);
 * });
 * ```
 *
 * It answers every request it is given, over HTTP/2 as well (`http2.createSecureServer(nodeHandler(backend))`), unless
 * something else has answered it meanwhile, such as a timeout. The returned promise resolves when the answer is written,
 * and never rejects; a page that goes away ends the call to the service.
 */
export function nodeHandler(backend: SpeechBackend): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const gone = new AbortController();
    let answered = false;
    response.on('close', () => {
      // Not `writableFinished`, which HTTP/2 has at the end of a request that was reset, too.
      if (!answered) gone.abort();
    });
    const { body, fetchRequest } = readRequest(request, gone.signal);
    const answer = fetchRequest ? await backend.fetch(fetchRequest) : refuse(400, 'the request cannot be read');
    const text = await answer.text();
    if (gone.signal.aborted || response.headersSent) return;
    answered = true;
    response.statusCode = answer.status;
    answer.headers.forEach((value, name) => void response.setHeader(name, value));
    if (!body.isRead()) {
      // What is left of the body must not be waited for, nor be taken for the next request.
      if (!isHttp2(request)) response.setHeader('Connection', 'close');
      request.resume();
    }
    response.end(text);
  };
}

interface NodeBody {
  readonly content: string | Uint8Array | ReadableStream<Uint8Array> | null;
  /** Whether nothing of it is left on the connection. */
  readonly isRead: () => boolean;
}

const NO_BODY: NodeBody = { content: null, isRead: () => true };

function bodyOf(request: NodeRequest): NodeBody {
  const { body, method } = request;
  if (method === 'GET' || method === 'HEAD') return NO_BODY;
  if (typeof body === 'string' || body instanceof Uint8Array) return { content: body, isRead: () => true };
  if (body !== undefined && body !== null) return { content: JSON.stringify(body), isRead: () => true };
  return isEmpty(request) ? NO_BODY : streamOf(request);
}

function isEmpty(request: NodeRequest): boolean {
  if (request.readableEnded) return true;
  const length = request.headers['content-length'];
  // Over HTTP/2 a body needs neither header.
  if (length === undefined) return !isHttp2(request) && request.headers['transfer-encoding'] === undefined;
  return Number(length) === 0;
}

function isHttp2({ httpVersionMajor = 1 }: NodeRequest): boolean {
  return httpVersionMajor >= 2;
}

/** The body as it comes, no faster than it is read. Giving it up leaves the connection open, so that it can be answered. */
function streamOf(request: NodeRequest): NodeBody {
  let state: 'open' | 'given-up' | 'ended' = 'open';
  const content = new ReadableStream<Uint8Array>({
    start(controller) {
      request.pause(); // before the listener, which would start the flow
      request.on('data', (chunk: Uint8Array) => {
        if (state !== 'open') return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) request.pause();
      });
      request.on('end', () => {
        if (state === 'open') controller.close();
        state = 'ended';
      });
      const breakOff = (error: Error): void => {
        if (state === 'open') controller.error(error);
        state = 'ended';
      };
      request.on('error', breakOff);
      // A stream of HTTP/2 that is reset has no error.
      request.on('aborted', () => breakOff(new Error('the request broke off')));
    },
    pull: () => void request.resume(),
    cancel: () => {
      state = 'given-up';
    },
  });
  return { content, isRead: () => state === 'ended' };
}

/** A name or an address, and a port: what else a `Host` may hold would be read as part of the path. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** @returns No `fetchRequest` for what a `Request` cannot be, such as one with the method TRACE. */
function readRequest(
  request: NodeRequest,
  signal: AbortSignal,
): { readonly body: NodeBody; readonly fetchRequest: Request | null } {
  let body = NO_BODY;
  try {
    body = bodyOf(request);
    return { body, fetchRequest: toFetchRequest(request, body.content, signal) };
  } catch {
    return { body, fetchRequest: null };
  }
}

function toFetchRequest(request: NodeRequest, content: NodeBody['content'], signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // HTTP/2 hands its pseudo-headers over as well.
    if (value !== undefined && !name.startsWith(':'))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const scheme = request.socket && 'encrypted' in request.socket && request.socket.encrypted ? 'https' : 'http';
  const path = request.url?.startsWith('/') ? request.url : '/';
  const host = String(request.headers.host ?? request.headers[':authority']);
  const address = `${scheme}://${HOST.test(host) ? host : 'localhost'}${path}`;
  const init = { method: request.method ?? 'GET', headers, body: content, signal, duplex: 'half' };
  return new Request(URL.canParse(address) ? address : `${scheme}://localhost${path}`, init as RequestInit);
}
