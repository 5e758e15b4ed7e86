import type { FastifyRequest } from 'fastify';
import type { Actor, AuditLog } from './audit.js';
import { isSameSecret } from '../api/same-secret.js';
import type { Clock } from '../clock.js';
import { clientKey } from '../clients/client-key.js';
import { createRateWindows, type RateWindows } from '../clients/rate-windows.js';
import type { Queries } from '../store/database.js';

/** Outcome of a check. `wait`: the address sent too many wrong tokens; the result for this one is withheld. */
export type TokenCheck = 'right' | 'wrong' | 'wait';

/** Wrong tokens of an address per minute after which it has to wait. */
const WRONG_MAX = 10;

/** Compares tokens with the admin token, and limits wrong ones by client address. */
export class AdminToken {
  readonly #token: string;
  readonly #audit: AuditLog;
  readonly #windows: RateWindows;

  constructor(token: string, audit: AuditLog, database: Queries, clock: Clock) {
    this.#token = token;
    this.#audit = audit;
    this.#windows = createRateWindows({ database, clock, most: WRONG_MAX, windowMs: 60_000 });
  }

  /**
   * Checks a token. Checks of one address take turns at its row in the database, so that no number of guesses at the same
   * time gets more than {@link WRONG_MAX} answers. An address is recorded at its first wrong token of a minute, and when
   * it has to wait: ten addresses must not fill the audit log.
   *
   * @param via - Source of the token, for the audit log.
   */
  async check(given: string, request: FastifyRequest, via: Actor['via']): Promise<TokenCheck> {
    const client = clientKey(request.ip);
    const isRight = isSameSecret(given, this.#token);
    const { hits } = await this.#windows.hit(`admin ${client}`, isRight ? 0 : 1);
    if (isRight) return hits < WRONG_MAX ? 'right' : 'wait';
    if (hits > WRONG_MAX) return 'wait';
    if (hits === 1 || hits === WRONG_MAX) await this.#audit.loginRefused({ via, name: 'unknown', client });
    return 'wrong';
  }
}
