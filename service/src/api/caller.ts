import type { FastifyRequest } from 'fastify';
import type { PlanName } from '../account/plans.js';

/** Whose API key a request came with. */
export interface Caller {
  /** The account, which is its user's id, too. */
  readonly accountId: string;
  readonly keyId: string;
  readonly plan: PlanName;
  /** What is left on the account, in milliseconds of an open socket. */
  readonly balanceMs: number;
  /** The key as it was sent: a secret, for deriving another one from it. Never store, log or send it. */
  readonly apiKey: string;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Notes who sent a request, once its key was found to be right. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/**
 * Who sent a request below `/api/v1`.
 *
 * @throws {Error} If nobody looked at its key: the route is not below `/api/v1`.
 */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (!caller) throw new Error('This route was reached without an API key.');
  return caller;
}
