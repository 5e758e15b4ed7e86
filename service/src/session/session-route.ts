import type { FastifyInstance, FastifyRequest } from 'fastify';
import { oneShotMessages, PROTOCOL, type SessionResponse } from '../../../src/protocol/index.js';
import type { Limits } from '../limits.js';
import type { SpeechEngine } from '../speech/speech-engine.js';
import type { Account, Accounts } from './account.js';
import type { SessionTokens } from './session-token.js';
import { describeRefusal, readSessionOrder, sessionQuery } from './stream-session.js';

/** What the routes below `/api/v1` need. */
export interface ApiOptions {
  readonly accounts: Accounts;
  readonly tokens: SessionTokens;
  readonly engine: SpeechEngine;
  readonly limits: Limits;
  /** Name of this gateway, in responses. */
  readonly gateway: string;
  /** Address of the socket for whoever sent this request, without a query. */
  readonly socketUrl: (request: FastifyRequest) => URL;
}

/**
 * Adds the routes below `/api/v1`, all of which need the header `X-SVC-Api-Key` (interface-spec 5): the session call
 * (interface-spec 4.1).
 */
export async function addApi(app: FastifyInstance, options: ApiOptions): Promise<void> {
  const { accounts, engine, gateway, limits, tokens } = options;
  const callers = new WeakMap<FastifyRequest, Account>();

  app.addHook('onRequest', async (request, reply) => {
    const key = request.headers['x-svc-api-key'];
    const account = typeof key === 'string' ? await accounts.authenticate(key) : null;
    if (account) callers.set(request, account);
    else await reply.code(401).send({ detail: 'The header X-SVC-Api-Key is missing, or its key is wrong or revoked.' });
  });
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ detail: 'There is nothing here.' }));

  app.post('/realtime/stream/session', async (request, reply) => {
    const account = callers.get(request)!;
    const order = readSessionOrder(request.body, engine, limits);
    if (!order.ok) return reply.code(422).send(describeRefusal(order.errors));
    if (!engine.available) return reply.code(503).send({ detail: 'The speech engine is down: try again later.' });
    const { session, input } = order.value;
    const { token, expiresAtMs } = await tokens.issue({ accountId: account.id, session });
    const url = options.socketUrl(request);
    url.searchParams.set('token', token);
    for (const [name, value] of sessionQuery(session)) url.searchParams.set(name, value);
    const response: SessionResponse = {
      url: url.href,
      expires_in_seconds: tokens.lifetimeSeconds,
      expires_at: new Date(expiresAtMs).toISOString(),
      max_concurrent_sessions: account.maxConcurrentSessions,
      gateway,
      protocol: PROTOCOL,
      voice_id: session.voice_id,
      format: session.format,
      sample_rate: session.sample_rate,
      messages: input === undefined ? [] : oneShotMessages(input, session.context_id),
    };
    return reply.header('cache-control', 'no-store').send(response);
  });
}
