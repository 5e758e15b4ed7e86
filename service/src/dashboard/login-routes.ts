/// <reference types="@fastify/swagger" />
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuditLog } from './audit.js';
import { NAME_PATTERN } from '../api/errors.js';
import { refusalSchema } from '../api/refusal-schema.js';
import { administratorOf, COOKIE_NAME, refuseToken } from './admin-authentication.js';
import { SESSION_SECONDS, type AdminSession, type AdminSessions } from './admin-sessions.js';
import type { AdminToken } from './admin-token.js';
import { answer, body, text, wrong } from './schema.js';

/** Options of the routes for logins. */
export interface LoginOptions {
  readonly token: AdminToken;
  readonly sessions: AdminSessions;
  readonly audit: AuditLog;
  /** Address of the service for clients; `null` if not configured. */
  readonly publicUrl: URL | null;
}

const sessionSchema = answer('The session of the browser.', {
  name: text('Name given at the login; it is in the audit log.'),
  csrf_token: { type: ['string', 'null'], description: 'Value of `X-CSRF-Token`; null with the admin token.' },
  expires_at: {
    type: ['string', 'null'],
    description: 'End of the session: ISO 8601, UTC; null with the admin token.',
  },
});

/** Adds `POST /login`, which needs no session. */
export function addLoginRoute(app: FastifyInstance, { token, sessions, audit, publicUrl }: LoginOptions): void {
  app.post<{ Body: { token: string; name?: string } }>(
    '/login',
    {
      schema: {
        operationId: 'adminLogin',
        summary: 'Log a browser in: sets the session cookie',
        security: [],
        body: body(
          {
            token: { type: 'string', maxLength: 512, description: 'SVC_ADMIN_TOKEN.' },
            name: {
              type: 'string',
              minLength: 1,
              maxLength: 64,
              pattern: NAME_PATTERN,
              description: 'Name for the audit log; not verified.',
            },
          },
          ['token'],
        ),
        response: {
          200: sessionSchema,
          401: refusalSchema('The admin token is wrong.'),
          422: wrong,
        },
      },
    },
    async (request, reply) => {
      const { token: given, name = 'administrator' } = request.body;
      const check = await token.check(given, request, 'dashboard');
      if (check !== 'right') return refuseToken(reply, check);
      const actor = { via: 'dashboard', name, client: request.ip } as const;
      const session = await audit.record(
        actor,
        'login',
        {},
        async () => ({ result: await sessions.open(name), details: {} }),
        () => false,
      );
      return reply
        .header('set-cookie', cookie(request, publicUrl, sessions.cookieOf(session), SESSION_SECONDS))
        .send(describe(session, sessions));
    },
  );
}

/** Adds `GET /session` and `POST /logout`. The scope must authenticate the administrator. */
export function addSessionRoutes(app: FastifyInstance, { sessions, audit, publicUrl }: LoginOptions): void {
  app.get(
    '/session',
    {
      schema: {
        operationId: 'getAdminSession',
        summary: 'Show who is logged in, and the CSRF token',
        response: { 200: sessionSchema },
      },
    },
    async (request, reply) => {
      const { actor, session } = administratorOf(request);
      return reply.send(
        session ? describe(session, sessions) : { name: actor.name, csrf_token: null, expires_at: null },
      );
    },
  );
  app.post(
    '/logout',
    {
      schema: {
        operationId: 'adminLogout',
        summary: 'Log the browser out: ends its session',
        response: { 204: { description: 'The session has ended.', type: 'null' } },
      },
    },
    async (request, reply) => {
      const { actor, session } = administratorOf(request);
      if (session) {
        const work = async () => ({ result: await sessions.close(session.id), details: {} });
        await audit.record(actor, 'logout', {}, work, () => false);
      }
      return reply
        .code(204)
        .header('set-cookie', cookie(request, publicUrl, '', 0))
        .send();
    },
  );
}

function describe(session: AdminSession, sessions: AdminSessions): object {
  return { name: session.name, csrf_token: sessions.csrfTokenOf(session), expires_at: session.expiresAt };
}

/** Returns the header that sets the cookie. Its path is that of the dashboard as browsers see it. */
function cookie(request: FastifyRequest, publicUrl: URL | null, value: string, seconds: number): string {
  const isSecure = (publicUrl?.protocol ?? `${request.protocol}:`) === 'https:';
  const path = `${publicUrl?.pathname.replace(/\/$/, '') ?? ''}/admin`;
  const flags = `HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return `${COOKIE_NAME}=${value}; Path=${path}; Max-Age=${seconds}; ${flags}`;
}
