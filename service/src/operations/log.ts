import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import pino from 'pino';
import { createRedactor } from './redact.js';

/** Levels of the log, from nothing to everything. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** How much is logged: this level, and those before it. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Causes of an error that are logged with it: a chain of them could be a ring. */
const CAUSES_MAX = 4;

/** What {@link createLogger} can be told. */
export interface LoggerOptions {
  /** `warn` by default. At `info` there are lines for each session and each request. */
  readonly level?: LogLevel;
  /** Secrets of this service that must not be logged, whatever they look like. */
  readonly secrets?: readonly string[];
  /** Where lines go; stderr by default, as they are written: a line is out when the call returns. */
  readonly destination?: { write(line: string): unknown };
}

/**
 * A log of lines of JSON, for Fastify's `loggerInstance`. Stdout is left to the line that says where the service is.
 *
 * Neither keys nor tokens nor text are in it: of a request it has method, path and client address, of an error what it
 * says and where. What an error has besides is left out, since databases put what they were asked there.
 */
export function createLogger(options: LoggerOptions = {}): FastifyBaseLogger {
  const { level = 'warn', secrets, destination = pino.destination({ dest: 2, sync: true }) } = options;
  const redact = createRedactor(secrets);
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        req: (request: FastifyRequest) => ({
          method: request.method,
          path: request.url.split('?', 1)[0],
          client: request.ip,
        }),
        res: (reply: FastifyReply) => ({ status: reply.statusCode }),
        err: (error: unknown) => describeError(error),
      },
    },
    // The last thing before a line is out: so it does not matter how a secret came into it.
    { write: (line) => void destination.write(redact(line)) },
  );
}

interface ErrorEntry {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: ErrorEntry;
}

function describeError(error: unknown, causes = CAUSES_MAX): ErrorEntry {
  if (!(error instanceof Error)) return { type: typeof error, message: typeof error === 'string' ? error : '' };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: describeError(error.cause, causes - 1) }),
  };
}
