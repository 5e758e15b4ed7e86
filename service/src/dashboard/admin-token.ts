import type { FastifyRequest } from 'fastify';
import type { Actor, AuditLog } from '../admin/audit.js';
import { isSameSecret } from '../api/same-secret.js';
import { clientKey } from '../operations/client-key.js';

/** Shortest admin token, in characters. */
export const ADMIN_TOKEN_CHARACTERS_MIN = 32;

/** Outcome of a check. `wait`: the address sent too many wrong tokens; the result for this one is withheld. */
export type TokenCheck = 'right' | 'wrong' | 'wait';

/**
 * Describes the fault of an admin token that is too short; returns null for a valid one.
 *
 * @param name - Name of the setting, for the message.
 */
export function describeBadToken(name: string, token: string): string | null {
  if (token.length >= ADMIN_TOKEN_CHARACTERS_MIN) return null;
  return (
    `${name} has ${token.length} characters. It must have at least ${ADMIN_TOKEN_CHARACTERS_MIN}, because it gives ` +
    'access to every account. Make one with: openssl rand -hex 32'
  );
}

/** Compares tokens with the admin token, and limits wrong ones by client address. */
export class AdminToken {
  readonly #token: string;
  readonly #audit: AuditLog;

  constructor(token: string, audit: AuditLog) {
    this.#token = token;
    this.#audit = audit;
  }

  /**
   * Checks a token.
   *
   * @param via - Source of the token, for the audit log.
   */
  async check(given: string, request: FastifyRequest, via: Actor['via']): Promise<TokenCheck> {
    const client = clientKey(request.ip);
    const isRight = isSameSecret(given, this.#token);
    if (await this.#audit.mustWait(client)) return 'wait';
    if (!isRight) await this.#audit.loginRefused({ via, name: 'unknown', client });
    return isRight ? 'right' : 'wrong';
  }
}
