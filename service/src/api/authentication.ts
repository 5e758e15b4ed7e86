import type { FastifyInstance } from 'fastify';
import { setCaller, type Caller } from './caller.js';

/** Whose a key is; `null` if it is wrong or revoked. */
export interface Authenticator {
  authenticate(apiKey: string): Promise<Omit<Caller, 'apiKey'> | null>;
}

/**
 * Asks for the header `X-SVC-Api-Key` on everything in this scope, paths that do not exist included (interface-spec 5).
 * Other credentials, such as a bearer token, are not looked at. Who it is, `callerOf` says afterwards.
 */
export function addAuthentication(app: FastifyInstance, accounts: Authenticator): void {
  app.addHook('onRequest', async (request, reply) => {
    const apiKey = request.headers['x-svc-api-key'];
    const holder = typeof apiKey === 'string' && apiKey ? await accounts.authenticate(apiKey) : null;
    if (holder) return setCaller(request, { ...holder, apiKey: apiKey as string });
    return reply.code(401).send({ detail: 'The header X-SVC-Api-Key is missing, or its key is wrong or revoked.' });
  });
}
