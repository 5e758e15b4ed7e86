import { createHmac, randomBytes, scryptSync } from 'node:crypto';
import { isSameSecret } from '../api/same-secret.js';
import type { Queries } from '../store/database.js';

/** Lifetime of a login, in seconds. */
export const SESSION_SECONDS = 8 * 3600;

/** Deletes logins that have expired. */
export const PURGE_ADMIN_SESSIONS = 'delete from admin_session where expires_at <= svc_now()';

/** Value of a session's cookie: its id and a signature. */
const COOKIE = /^([0-9a-f]{32})\.([\w-]{43})$/;

/** A browser that is logged in. */
export interface AdminSession {
  readonly id: string;
  /** Name that the user gave at the login. */
  readonly name: string;
  readonly expiresAt: Date;
}

/** Logins at the dashboard, shared by all nodes. All end when the admin token changes. */
export class AdminSessions {
  readonly #queries: Queries;
  readonly #key: Buffer;

  /** @param token - The admin token. Deriving the key takes tens of ms, so a cookie hardly helps to guess the token. */
  constructor(queries: Queries, token: string) {
    this.#queries = queries;
    this.#key = scryptSync(token, 'svc-service admin session', 32);
  }

  /** Opens a session. */
  async open(name: string): Promise<AdminSession> {
    const id = randomBytes(16).toString('hex');
    const [row] = await this.#queries.query<{ expiresAt: Date }>(
      `insert into admin_session (id, name, expires_at) values ($1, $2, svc_now() + $3 * interval '1 second')
       returning expires_at as "expiresAt"`,
      [id, name, SESSION_SECONDS],
    );
    return { id, name, expiresAt: row!.expiresAt };
  }

  /** Finds the session of a cookie; `null` if it is forged, expired or closed. A forged one does not reach the database. */
  async find(cookie: string): Promise<AdminSession | null> {
    const [, id, signature] = COOKIE.exec(cookie) ?? [];
    if (id === undefined || !isSameSecret(signature!, this.#sign('cookie', id))) return null;
    const [session] = await this.#queries.query<AdminSession>(
      'select id, name, expires_at as "expiresAt" from admin_session where id = $1 and expires_at > svc_now()',
      [id],
    );
    return session ?? null;
  }

  async close(id: string): Promise<void> {
    await this.#queries.query('delete from admin_session where id = $1', [id]);
  }

  /** Returns the value of the session's cookie, which is secret. */
  cookieOf({ id }: AdminSession): string {
    return `${id}.${this.#sign('cookie', id)}`;
  }

  /** Returns the token that requests must send to change something. Other sites cannot read it. */
  csrfTokenOf({ id }: AdminSession): string {
    return this.#sign('csrf', id);
  }

  #sign(purpose: string, id: string): string {
    return createHmac('sha256', this.#key).update(`${purpose} ${id}`).digest('base64url');
  }
}
