import { refuse } from './answer.js';
import type { SpeechBackend } from './speech-backend.js';

/**
 * What is needed of `http.IncomingMessage`, and of Express' request, which is one.
 *
 * Methods are written as such, and the events' arguments loosely, so that the real ones fit.
 */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket?: object | null | undefined;
  /** The body, where a framework has read it already (as `express.json()` does). */
  readonly body?: unknown;
  on(event: string, listener: (...values: never[]) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** What is needed of `http.ServerResponse`. */
export interface NodeResponse {
  statusCode: number;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string): unknown;
  on(event: 'close', listener: () => void): unknown;
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
 * It answers every request it is given. The returned promise resolves when the answer is written, and never rejects; a
 * page that goes away ends the call to the service.
 */
export function nodeHandler(backend: SpeechBackend): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const body = bodyOf(request);
    const fetchRequest = toFetchRequest(request, body.content, gone.signal);
    const answer = fetchRequest ? await backend.fetch(fetchRequest) : refuse(400, 'the request cannot be read');
    response.statusCode = answer.status;
    answer.headers.forEach((value, name) => void response.setHeader(name, value));
    if (!body.isRead()) {
      // What is left of the body must not be waited for, nor be taken for the next request.
      response.setHeader('Connection', 'close');
      request.resume();
    }
    response.end(await answer.text());
  };
}

interface NodeBody {
  readonly content: string | Uint8Array | ReadableStream<Uint8Array> | null;
  /** Whether nothing of it is left on the connection. */
  readonly isRead: () => boolean;
}

function bodyOf(request: NodeRequest): NodeBody {
  const { body, headers, method } = request;
  if (method === 'GET' || method === 'HEAD') return { content: null, isRead: () => true };
  if (typeof body === 'string' || body instanceof Uint8Array) return { content: body, isRead: () => true };
  if (body !== undefined && body !== null) return { content: JSON.stringify(body), isRead: () => true };
  const isEmpty = Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
  return isEmpty ? { content: null, isRead: () => true } : streamOf(request);
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
      request.on('error', (error: Error) => {
        if (state === 'open') controller.error(error);
        state = 'ended';
      });
    },
    pull: () => void request.resume(),
    cancel: () => {
      state = 'given-up';
    },
  });
  return { content, isRead: () => state === 'ended' };
}

/** @returns `null` for what a `Request` cannot be, such as one with the method TRACE. */
function toFetchRequest(request: NodeRequest, content: NodeBody['content'], signal: AbortSignal): Request | null {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // HTTP/2 hands its pseudo-headers over as well.
    if (value !== undefined && !name.startsWith(':'))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const scheme = request.socket && 'encrypted' in request.socket && request.socket.encrypted ? 'https' : 'http';
  const path = request.url?.startsWith('/') ? request.url : '/';
  const address = `${scheme}://${String(request.headers.host ?? request.headers[':authority'] ?? 'localhost')}${path}`;
  const init = { method: request.method ?? 'GET', headers, body: content, signal, duplex: 'half' };
  try {
    return new Request(URL.canParse(address) ? address : `http://localhost${path}`, init as RequestInit);
  } catch {
    return null;
  }
}
