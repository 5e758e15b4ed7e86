import rateLimit, { type FastifyRateLimitOptions, type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { systemClock, withTimeLimit, type Clock } from '../clock.js';
import type { Queries } from '../store/database.js';
import { clientKey } from './client-key.js';
import { Networks, readNetworks } from './networks.js';
import { createRateWindows, type RateWindows } from './rate-windows.js';

/** Length of a window, in ms. */
const WINDOW_MS = 60_000;

/** Options of {@link createRateLimit}. */
export interface RateLimitOptions {
  readonly database: Queries;
  /** Requests of a client per minute; 200 by default (interface-spec 8). */
  readonly requestsPerMinute?: number;
  /** Addresses and networks of clients that are exempt. */
  readonly exempt?: readonly string[];
  /** Time limit for counting a request, in ms; then the client gets 503. */
  readonly countingMs: number;
  readonly clock?: Clock;
  /** Receives errors of the database. */
  readonly report: (error: unknown) => void;
}

/**
 * Counts a request of a client address, and answers it if it exceeds the limit. Can serve as a hook.
 *
 * @returns The reply, if it was sent.
 */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/**
 * Limits the requests of each client address (interface-spec 8). A window of one minute begins with a client's first
 * request.
 *
 * As a hook of a scope, it counts everything in the scope: routes, paths that do not exist, requests without a key,
 * requests that fail. Add it before any other hook, especially authentication, and give the scope a not-found handler;
 * requests answered before this hook are not counted.
 *
 * Every answer has `X-RateLimit-Limit`, `-Remaining` and `-Reset` (seconds until the count restarts). A refused request
 * gets 429 with `Retry-After`. If the database is unreachable, every request gets 503.
 *
 * This uses the plugin's counter rather than its hook. That hook belongs to a route, so it runs after authentication,
 * and not at all for a path that does not exist.
 *
 * @throws {RangeError} If `requestsPerMinute` is not a whole number above 0.
 */
export async function createRateLimit(app: FastifyInstance, options: RateLimitOptions): Promise<RateLimit> {
  const { database, requestsPerMinute = 200, exempt = [], countingMs, clock = systemClock, report } = options;
  if (!Number.isSafeInteger(requestsPerMinute) || requestsPerMinute < 1) {
    throw new RangeError(`requestsPerMinute must be a whole number above 0, not ${requestsPerMinute}.`);
  }
  const exempted = new Networks(readNetworks('rateLimitExempt', exempt));
  const windows = createRateWindows({ database, clock, most: requestsPerMinute, windowMs: WINDOW_MS });
  await app.register(rateLimit, {
    global: false,
    max: requestsPerMinute,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => clientKey(request.ip),
    allowList: (request) => exempted.has(request.ip),
    store: storeOf(windows),
  });

  const count = app.createRateLimit();
  return async (request, reply) => {
    const counting = withTimeLimit(count(request), countingMs, clock, 'Counting a request');
    const counted = await counting.catch((error: unknown) => {
      report(error);
      return null;
    });
    if (!counted) {
      return reply.code(503).send({ detail: 'The service cannot reach its database: try again later.' });
    }
    if (counted.isAllowed) return undefined; // exempt
    const { isExceeded, remaining } = counted;
    const seconds = Math.max(1, counted.ttlInSeconds);
    void reply.headers({
      'x-ratelimit-limit': requestsPerMinute,
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': seconds,
    });
    if (isExceeded) {
      const detail = `More than ${requestsPerMinute} requests in a minute: try again in ${seconds} s.`;
      return reply.code(429).header('retry-after', seconds).send({ detail });
    }
    return undefined;
  };
}

/** Returns a store as the plugin expects it: a class that the plugin instantiates. */
function storeOf(windows: RateWindows): new (options: FastifyRateLimitOptions) => FastifyRateLimitStore {
  return class WindowStore implements FastifyRateLimitStore {
    incr: FastifyRateLimitStore['incr'] = (key, settle) => {
      windows.hit(key).then(
        ({ hits, leftMs }) => settle(null, { current: hits, ttl: leftMs }),
        (error: Error) => settle(error),
      );
    };

    child(): this {
      return this;
    }
  };
}
