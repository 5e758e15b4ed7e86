import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSameSecret } from '../api/same-secret.js';
import type { AdminSession, AdminSessions } from './admin-sessions.js';
import type { AdminToken, TokenCheck } from './admin-token.js';
import type { Actor } from './audit.js';

/** Name of the session's cookie. */
export const COOKIE_NAME = 'svc_admin';

const COOKIE_IN_HEADER = new RegExp(`(?:^|;\\s*)${COOKIE_NAME}=([^;\\s]*)`);

/** Methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Administrator that sent a request. */
export interface Administrator {
  readonly actor: Actor;
  /** Session of the browser; `null` for a request with the admin token, or of the command line. */
  readonly session: AdminSession | null;
}

const administrators = new WeakMap<FastifyRequest, Administrator>();

/**
 * Returns the administrator that sent a request.
 *
 * @throws {Error} If the route is outside the scopes of {@link addAdminAuthentication} and {@link addLocalAdministrator}.
 */
export function administratorOf(request: FastifyRequest): Administrator {
  const administrator = administrators.get(request);
  if (!administrator) throw new Error('This route was reached without an admin token.');
  return administrator;
}

/**
 * Requires the admin token (`Authorization: Bearer`) or the cookie of a login on every request in this scope, including
 * paths that do not exist. With the cookie, a method that changes something also needs `X-CSRF-Token`.
 */
export function addAdminAuthentication(
  app: FastifyInstance,
  { token, sessions }: { readonly token: AdminToken; readonly sessions: AdminSessions },
): void {
  app.addHook('onRequest', async (request, reply) => {
    const [, given] = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (given !== undefined) {
      const check = await token.check(given, request, 'api');
      if (check !== 'right') return refuseToken(reply, check);
      const actor = { via: 'api', name: 'admin token', client: request.ip } as const;
      administrators.set(request, { actor, session: null });
      return undefined;
    }
    const [, cookie = ''] = COOKIE_IN_HEADER.exec(request.headers.cookie ?? '') ?? [];
    const session = await sessions.find(cookie);
    if (!session) return refuseToken(reply, 'wrong');
    const csrf = request.headers['x-csrf-token'];
    const isSafe = SAFE_METHODS.has(request.method);
    if (!isSafe && !(typeof csrf === 'string' && isSameSecret(csrf, sessions.csrfTokenOf(session)))) {
      return reply.code(403).send({
        detail: 'The header X-CSRF-Token is missing or wrong. Send csrf_token of GET /admin/api/session.',
      });
    }
    const actor = { via: 'dashboard', name: session.name, client: request.ip } as const;
    administrators.set(request, { actor, session });
    return undefined;
  });
}

/** Makes every request in this scope one of the command line: only an administrator can reach it. */
export function addLocalAdministrator(app: FastifyInstance): void {
  const actor = { via: 'command', name: 'command line', client: null } as const;
  app.addHook('onRequest', async (request) => void administrators.set(request, { actor, session: null }));
}

/** Answers a request whose token is not right. */
export function refuseToken(reply: FastifyReply, check: Exclude<TokenCheck, 'right'>): FastifyReply {
  if (check === 'wait') {
    const detail = 'Too many wrong admin tokens came from this address: try again in a minute.';
    return reply.code(429).header('retry-after', 60).send({ detail });
  }
  return reply.code(401).header('www-authenticate', 'Bearer').send({
    detail: 'The admin token is missing or wrong. Send Authorization: Bearer with SVC_ADMIN_TOKEN, or log in.',
  });
}
