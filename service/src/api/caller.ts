import type { FastifyRequest } from 'fastify';
import type { PlanName } from '../account/plans.js';

/** Owner of the API key of a request. */
export interface Caller {
  /** Id of the account, which is also the id of its user. */
  readonly accountId: string;
  readonly keyId: string;
  readonly plan: PlanName;
  /** Balance of the account, in milliseconds of an open socket. */
  readonly balanceMs: number;
  /** The key as received: a secret from which other secrets are derived. Never store, log or send it. */
  readonly apiKey: string;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Stores the caller of a request once its key has been verified. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/**
 * Returns the caller of a request below `/api/v1`.
 *
 * @throws {Error} If the request's key was not verified, so the route is not below `/api/v1`.
 */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (!caller) throw new Error('This route was reached without an API key.');
  return caller;
}
