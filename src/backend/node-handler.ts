import { refuse } from './answer.js';
import type { SpeechBackend } from './speech-backend.js';

/**
 * The part of `http.IncomingMessage` (and of Express' request, which extends it) that the handler needs.
 *
 * Declared with method syntax and loose event arguments so that the real types are assignable.
 */
export interface NodeRequest {
  /** As in `node:http`. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Path at which Express has mounted the handler, which it has removed from `url`. */
  readonly baseUrl?: string | undefined;
  /** As in `node:http`, names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As in `node:http`; HTTP/1 if it is left out. */
  readonly httpVersionMajor?: number | undefined;
  /** True if the body has been read to its end. */
  readonly readableEnded?: boolean | undefined;
  /** Its `encrypted` member is true if the request came over TLS. */
  readonly socket?: object | null | undefined;
  /** The body, if a framework has already read it (as `express.json()` does). */
  readonly body?: unknown;
  /** For `data`, `end` and `error` of the body. */
  on(event: string, listener: (...values: never[]) => void): unknown;
  /** Stops reading a body that is too large. */
  pause(): unknown;
  /** Resumes reading. */
  resume(): unknown;
}

/** The part of `http.ServerResponse` that the handler needs. */
export interface NodeResponse {
  /** As in `node:http`. */
  statusCode: number;
  /** True if other code has already answered. */
  readonly headersSent: boolean;
  /** As in `node:http`. */
  setHeader(name: string, value: string | readonly string[]): unknown;
  /** As in `node:http`. */
  getHeader?(name: string): number | string | string[] | undefined;
  /** Registers a listener for the end of the connection to the page. */
  on(event: 'close', listener: () => void): unknown;
  /** Sends the response. */
  end(body: string): unknown;
}

/**
 * Returns a handler for `node:http`, Express and anything else that calls `(request, response)`.
 *
 * ```js
 * http.createServer(nodeHandler(backend));
 * app.use('/speech', nodeHandler(backend));                          // Express
 * fastify.all('/speech/*', async (request, reply) => {                // Fastify, which has read the body
 *   reply.hijack();
 *   reply.raw.setHeaders(new Map(Object.entries(reply.getHeaders()))); // those of plugins
 *   await handler(Object.assign(request.raw, { body: request.body }), reply.raw);
 * });
 * ```
 *
 * It answers every request, over HTTP/2 as well (`http2.createSecureServer(nodeHandler(backend))`), unless other code,
 * such as a timeout, has already answered. The returned promise resolves when the response is written and never
 * rejects. If the page disconnects, the call to the service is aborted.
 */
export function nodeHandler(backend: SpeechBackend): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const gone = new AbortController();
    let answered = false;
    response.on('close', () => {
      // Not `writableFinished`: in HTTP/2 it is also true after a request was reset.
      if (!answered) gone.abort();
    });
    const { body, fetchRequest } = readRequest(request, gone.signal);
    const { answer, text } = await readAnswer(backend, fetchRequest);
    if (gone.signal.aborted || response.headersSent) return;
    answered = true;
    response.statusCode = answer.status;
    const headers = new Headers();
    // Other code may have set some of these before.
    for (const name of ['Set-Cookie', 'Vary']) {
      for (const value of [response.getHeader?.(name) ?? []].flat()) headers.append(name, String(value));
    }
    answer.headers.forEach((value, name) => headers.append(name, value));
    // Each cookie is a header of its own; `forEach` lists them one by one, and `setHeader` would keep the last.
    headers.forEach((value, name) => {
      response.setHeader(name, name === 'set-cookie' ? headers.getSetCookie() : value);
    });
    if (!body.isRead()) {
      // The server must not wait for the rest of the body, nor parse it as the next request.
      if (!isHttp2(request)) response.setHeader('Connection', 'close');
      request.resume();
    }
    response.end(text);
  };
}

/** Returns the whole answer of the backend. Its body may be that of another server, which breaks off. */
async function readAnswer(
  backend: SpeechBackend,
  request: Request | null,
): Promise<{ answer: Response; text: string }> {
  const read = async (answer: Response) => ({ answer, text: await answer.text() });
  try {
    return await read(request ? await backend.fetch(request) : refuse(400, 'the request cannot be read'));
  } catch {
    return read(refuse(502, 'the server failed'));
  }
}

interface NodeBody {
  readonly content: string | Uint8Array | ReadableStream<Uint8Array> | null;
  /** True if no part of the body is left on the connection. */
  readonly isRead: () => boolean;
}

const NO_BODY: NodeBody = { content: null, isRead: () => true };

function bodyOf(request: NodeRequest): NodeBody {
  const { body, method } = request;
  if (method === 'GET' || method === 'HEAD') return NO_BODY;
  if (isUnread(request)) return isEmpty(request) ? NO_BODY : streamOf(request);
  const isWhole = typeof body === 'string' || ArrayBuffer.isView(body);
  return { content: isWhole ? (body as string | Uint8Array) : JSON.stringify(body), isRead: () => true };
}

/** True if no framework has read the body. Some parsers set an empty object for a body of another type. */
function isUnread({ body, readableEnded }: NodeRequest): boolean {
  return body === undefined || body === null || (readableEnded === false && Object.keys(Object(body)).length === 0);
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

/** Streams the body with backpressure. Cancelling the stream keeps the connection open for a response. */
function streamOf(request: NodeRequest): NodeBody {
  let state: 'open' | 'given-up' | 'ended' = 'open';
  const content = new ReadableStream<Uint8Array>({
    start(controller) {
      request.pause(); // before the listener, which would start the flow
      request.on('data', (chunk: Uint8Array | string) => {
        if (state !== 'open') return;
        // Other code may have called `setEncoding()`.
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
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
      // An HTTP/2 stream that is reset emits no error.
      request.on('aborted', () => breakOff(new Error('the client closed the request')));
    },
    pull: () => void request.resume(),
    cancel: () => {
      state = 'given-up';
    },
  });
  return { content, isRead: () => state === 'ended' };
}

/** A host name or address with an optional port. Other characters in `Host` would be parsed as part of the path. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** @returns `fetchRequest` is null if a `Request` cannot represent the request, such as one with the method TRACE. */
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
    // HTTP/2 also lists its pseudo-headers here.
    if (value !== undefined && !name.startsWith(':'))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const scheme = request.socket && 'encrypted' in request.socket && request.socket.encrypted ? 'https' : 'http';
  // A proxy may send the target with scheme and host (RFC 9112, section 3.2.2).
  const target = String(request.url).replace(/^https?:\/\/[^/]*/i, '');
  const path = (request.baseUrl ?? '') + (target.startsWith('/') ? target : '/');
  const host = String(request.headers.host ?? request.headers[':authority']);
  const address = `${scheme}://${HOST.test(host) ? host : 'localhost'}${path}`;
  const init = { method: request.method ?? 'GET', headers, body: content, signal, duplex: 'half' };
  return new Request(URL.canParse(address) ? address : `${scheme}://localhost${path}`, init as RequestInit);
}
