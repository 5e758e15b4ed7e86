import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { describeFieldErrors, type FieldError } from '../../../src/protocol/index.js';

/** Pattern of a name: at least one visible character, no control characters. */
export const NAME_PATTERN = '^(?=.*\\S)\\P{Cc}+$';

/** Pattern of an `Idempotency-Key`: visible ASCII characters except the comma, with which Node joins repeated headers. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-+\\--~]{1,255}$';

/** `Retry-After` of every answer with status 503, in seconds. */
const RETRY_SECONDS = 2;

/** Patterns of schemas, each with the problem of a value that does not match. */
const PATTERNS = new Map([
  [NAME_PATTERN, 'must hold more than spaces, and no control characters'],
  [IDEMPOTENCY_KEY_PATTERN, 'must be one value of 1 to 255 visible ASCII characters, such as a UUID'],
]);

/**
 * Gives every answer that is not a success a body `{detail}` (interface-spec 7.2):
 *
 * - 400: the body is not JSON. An empty body counts as none.
 * - 404: there is no such route.
 * - 422: a schema refuses a parameter; `detail` names it.
 * - 500: any other error; it is reported, and the answer does not explain it.
 * - 503: the database cannot be reached (`DatabaseError`). Every 503 has `Retry-After`.
 */
export function addErrors(app: FastifyInstance, report: (error: unknown) => void): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string));
    } catch {
      done(Object.assign(new Error('The body is not JSON.'), { statusCode: 400 }));
    }
  });
  app.addHook('preValidation', async (request) => readQueryNumbers(request));
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) void reply.header('retry-after', RETRY_SECONDS);
  });
  app.setErrorHandler(async (error: FastifyError, _request, reply) => {
    if (error.validation) {
      const errors = error.validation.map(toFieldError);
      return reply.code(422).send({ detail: describeFieldErrors(errors), errors });
    }
    if (error.code === 'unreachable') {
      report(error);
      return reply.code(503).send({ detail: 'The service cannot reach its database: try again later.' });
    }
    const status = error.statusCode ?? 500;
    if (status >= 500) report(error);
    return reply.code(status).send({ detail: status >= 500 ? 'The service failed.' : error.message });
  });
  addNotFound(app);
}

/** Replaces the texts of a query string that its schema declares as integers, if they are integers. */
function readQueryNumbers({ query, routeOptions }: FastifyRequest): void {
  const schema = routeOptions.schema?.querystring as { properties?: Record<string, { type?: unknown }> } | undefined;
  const values = query as Record<string, unknown>;
  for (const [name, { type }] of Object.entries(schema?.properties ?? {})) {
    const value = values[name];
    if (type === 'integer' && typeof value === 'string' && /^-?\d{1,17}$/.test(value)) values[name] = Number(value);
  }
}

/** Adds the answer 404 to a scope, so that the scope's hooks run; {@link addErrors} adds it to the root. */
export function addNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ detail: 'There is nothing here.' }));
}

/** Converts an error of the schema validator (ajv). */
function toFieldError({ instancePath, message, params }: NonNullable<FastifyError['validation']>[number]): FieldError {
  const { additionalProperty, missingProperty } = params as { additionalProperty?: string; missingProperty?: string };
  if (missingProperty !== undefined) return { field: missingProperty, problem: 'is required' };
  if (additionalProperty !== undefined) return { field: additionalProperty.slice(0, 64), problem: 'is not known' };
  const { pattern } = params as { pattern?: string };
  const problem = pattern === undefined ? message : PATTERNS.get(pattern);
  return { field: instancePath.slice(1).replaceAll('/', '.'), problem: problem ?? 'is not valid' };
}

/** Answers to errors of Node's HTTP parser, by error code: status line and detail. */
const MALFORMED = new Map([
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'The headers are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long to arrive.']],
]);

/** Answers a request that the HTTP parser rejected, and closes its connection. Listener for `clientError`. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, detail] = MALFORMED.get(error.code ?? '') ?? ['400 Bad Request', 'This is not an HTTP request.'];
  const body = JSON.stringify({ detail });
  const head = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n${head}\r\n\r\n${body}`);
}
