import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import pino from 'pino';
import { createRedactor } from './redact.js';

/** Levels of the log, from least to most output. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Minimum level of a line: this one and those before it in {@link LOG_LEVELS} are logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Maximum number of causes logged with an error. A chain of causes could be circular. */
const CAUSES_MAX = 4;

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** Level; `warn` by default. At `info`, every session and every request is logged. */
  readonly level?: LogLevel;
  /** Secrets of this service that must not be logged, in any form. */
  readonly secrets?: readonly string[];
  /** Destination of the lines; by default stderr, with synchronous writes. */
  readonly destination?: { write(line: string): unknown };
}

/**
 * Creates a log of JSON lines, for Fastify's `loggerInstance`. It does not use stdout, which is for the line `ready …`.
 *
 * The log contains no keys, tokens or text. A request is logged with method, path and client address, an error with
 * message, code and stack. Other members of an error are left out, because databases put the values of a statement
 * there.
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
    // Redact last, just before a line is written, so that it does not matter how a secret got into it.
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
