import type { FastifyInstance } from 'fastify';
import { setCaller, type Caller } from './caller.js';

/** Looks up API keys. Returns `null` for a key that is unknown or revoked. */
export interface Authenticator {
  authenticate(apiKey: string): Promise<Omit<Caller, 'apiKey'> | null>;
}

/**
 * Requires the header `X-SVC-Api-Key` on every request in this scope, including unknown paths (interface-spec 5).
 * Ignores other credentials, such as a bearer token. Afterwards `callerOf` returns the caller.
 */
export function addAuthentication(app: FastifyInstance, accounts: Authenticator): void {
  app.addHook('onRequest', async (request, reply) => {
    const apiKey = request.headers['x-svc-api-key'];
    const holder = typeof apiKey === 'string' && apiKey ? await accounts.authenticate(apiKey) : null;
    if (holder) return setCaller(request, { ...holder, apiKey: apiKey as string });
    return reply.code(401).send({ detail: 'The header X-SVC-Api-Key is missing, or its key is wrong or revoked.' });
  });
}
