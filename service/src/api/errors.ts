import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance } from 'fastify';
import { describeFieldErrors, type FieldError } from '../../../src/protocol/index.js';

/** Of a name that people can read. */
export const NAME_PATTERN = '^(?=.*\\S)\\P{Cc}+$';

/** When a client may try again what it was told is not possible at the moment. */
const RETRY_SECONDS = 2;

/** Rules of schemas that are regular expressions, in words. */
const PATTERNS = new Map([[NAME_PATTERN, 'must hold more than spaces, and no control characters']]);

/**
 * Gives every answer that is not a success a body `{detail}` (interface-spec 7.2): 404 for what is not there, 422 naming
 * the parameter for what its schema refuses, 400 for a body that is no JSON, 503 while the database cannot be reached
 * (`DatabaseError`), with `Retry-After` as every 503, 500 for what else is our fault, which is reported and not explained. A body that is empty is the
 * same as none.
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

/** The same answer for what is not there, in a scope whose hooks are to run before it. */
export function addNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ detail: 'There is nothing here.' }));
}

/** What a schema's validator (ajv) found, in our words. */
function toFieldError({ instancePath, message, params }: NonNullable<FastifyError['validation']>[number]): FieldError {
  const { missingProperty } = params as { missingProperty?: string };
  if (missingProperty !== undefined) return { field: missingProperty, problem: 'is required' };
  const { pattern } = params as { pattern?: string };
  const problem = pattern === undefined ? message : PATTERNS.get(pattern);
  return { field: instancePath.slice(1).replaceAll('/', '.'), problem: problem ?? 'is not valid' };
}

/** Answers what is no HTTP request, or has a head that is too large or takes too long, in the same form. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, detail] = MALFORMED.get(error.code ?? '') ?? ['400 Bad Request', 'This is no HTTP request.'];
  const body = JSON.stringify({ detail });
  const head = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n${head}\r\n\r\n${body}`);
}

const MALFORMED = new Map([
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'The headers are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long to arrive.']],
]);
