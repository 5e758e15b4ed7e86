import type { FastifyInstance, FastifyRequest } from 'fastify';
import { oneShotMessages, PROTOCOL, type SessionResponse } from '../../../src/protocol/index.js';
import { PLANS } from '../account/plans.js';
import { callerOf } from '../api/caller.js';
import type { Limits } from '../limits.js';
import { sessionRouteOptions } from './session-schema.js';
import type { SpeechEngine } from '../speech/speech-engine.js';
import type { SessionTokens } from './session-token.js';
import { describeRefusal, readSessionOrder, sessionQuery } from './stream-session.js';

/** Path of the session call below `/api/v1`. */
export const SESSION_PATH = '/realtime/stream/session';

/** Options of {@link addSessionRoute}. */
export interface SessionRouteOptions {
  readonly tokens: SessionTokens;
  readonly engine: SpeechEngine;
  readonly limits: Limits;
  /** Name of this gateway, in responses. */
  readonly gateway: string;
  /** Slots of every account; its plan sets them by default. */
  readonly maxConcurrentSessions: number | undefined;
  /** Returns the address of the socket for the sender of a request, without a query. */
  readonly socketUrl: (request: FastifyRequest) => URL;
  /** Returns the span of a request as W3C `traceparent`, if calls are traced. */
  readonly traceparentOf: (request: FastifyRequest) => string | undefined;
  /** Returns true if the service is about to stop. */
  readonly isDraining: () => boolean;
}

/** Adds the session call (interface-spec 4.1). The scope must authenticate the caller. */
export function addSessionRoute(app: FastifyInstance, options: SessionRouteOptions): void {
  const { engine, gateway, limits, maxConcurrentSessions, tokens } = options;
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: SESSION_PATH,
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply.code(405).header('allow', 'POST').send({ detail: 'Only POST is answered here.' }),
  });
  app.post(SESSION_PATH, sessionRouteOptions(engine, limits), async (request, reply) => {
    const { accountId, balanceMs, keyId, plan } = callerOf(request);
    if (plan === 'none') return reply.code(402).send({ detail: 'The account has no API plan: choose one.' });
    if (balanceMs <= 0) return reply.code(402).send({ detail: 'The account is out of credits: add credits.' });
    const order = readSessionOrder(request.body, engine, limits);
    if (!order.ok) return reply.code(422).send(describeRefusal(order.errors));
    if (options.isDraining()) {
      return reply.code(503).header('retry-after', 1).send({ detail: 'The service is shutting down: try again.' });
    }
    if (!engine.available) return reply.code(503).send({ detail: 'The speech engine is down: try again later.' });
    const { session, input } = order.value;
    const traceparent = options.traceparentOf(request);
    const claims = { accountId, keyId, session, ...(traceparent === undefined ? {} : { traceparent }) };
    const { token, expiresAtMs } = await tokens.issue(claims);
    const url = options.socketUrl(request);
    url.searchParams.set('token', token);
    for (const [name, value] of sessionQuery(session)) url.searchParams.set(name, value);
    const response: SessionResponse = {
      url: url.href,
      expires_in_seconds: tokens.lifetimeSeconds,
      expires_at: new Date(expiresAtMs).toISOString(),
      max_concurrent_sessions: maxConcurrentSessions ?? PLANS[plan].maxConcurrentSessions,
      gateway,
      protocol: PROTOCOL,
      voice_id: session.voice_id,
      format: session.format,
      sample_rate: session.sample_rate,
      ...(session.timings && { timings: session.timings }),
      messages: input === undefined ? [] : oneShotMessages(input, session.context_id),
    };
    return reply.header('cache-control', 'no-store').send(response);
  });
}
