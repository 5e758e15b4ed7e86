import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../clock.js';
import type { Queries } from '../store/database.js';
import type { RotatingSecret } from '../store/rotating-secret.js';
import type { StreamSession } from './stream-session.js';
import { useToken } from './used-tokens.js';

/** Claims of a session token. */
export interface TokenClaims {
  readonly accountId: string;
  /** Id of the key with which the session was created. */
  readonly keyId: string;
  readonly session: StreamSession;
  /** Span of the session call, as W3C `traceparent`, if calls are traced. */
  readonly traceparent?: string;
}

/** Claims of an accepted token, and its id. */
export type AcceptedToken = TokenClaims & { readonly sessionId: string };

/** Issues and accepts the short-lived tokens in session URLs. */
export interface SessionTokens {
  readonly lifetimeSeconds: number;
  issue(claims: TokenClaims): Promise<{ token: string; expiresAtMs: number }>;
  /**
   * Accepts a token once.
   *
   * @param onValid - Called as soon as a token that this node meets for the first time is known to be valid. Only
   *   another node may have used it.
   * @returns Resolves with `null` if the token is invalid, expired or already used.
   */
  accept(token: string, onValid?: () => void): Promise<AcceptedToken | null>;
}

const AUDIENCE = 'svctts.v1';

/**
 * Creates session tokens (JWT, HS256). The header's `kid` is the version of the secret. Times are those of `clock`.
 *
 * @param queries - Database of the tokens that have opened a socket, shared by all nodes.
 * @param secret - Secret shared by the nodes that accept each other's tokens.
 */
export function createSessionTokens(
  lifetimeSeconds: number,
  clock: Clock,
  queries: Queries,
  secret: RotatingSecret,
): SessionTokens {
  /** Valid tokens that this node has met: their expiry in milliseconds since 1970 by id, the oldest first. */
  const met = new Map<string, number>();
  /** Returns false if this node has met the token before. */
  const meet = (id: string, expiresAtMs: number): boolean => {
    for (const [old, endMs] of met) {
      if (endMs >= clock.now()) break;
      met.delete(old);
    }
    if (met.has(id)) return false;
    met.set(id, expiresAtMs);
    return true;
  };
  return {
    lifetimeSeconds,
    async issue({ accountId, keyId, session, traceparent }) {
      const issuedAt = Math.floor(clock.now() / 1000);
      const expiresAt = issuedAt + lifetimeSeconds;
      const { kid, value } = await secret.newest();
      const token = await new SignJWT({ session, keyId, traceparent })
        .setProtectedHeader({ alg: 'HS256', kid })
        .setAudience(AUDIENCE)
        .setSubject(accountId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(new TextEncoder().encode(value));
      return { token, expiresAtMs: expiresAt * 1000 };
    },
    async accept(token, onValid = () => {}) {
      const claims = await readToken(token, secret, clock.now());
      if (!claims) return null;
      const expiresAtMs = claims.exp * 1000;
      if (meet(claims.jti, expiresAtMs)) onValid();
      if (!(await useToken(queries, claims.jti, expiresAtMs))) return null;
      const { jti: sessionId, keyId, session, sub: accountId, traceparent } = claims;
      return { sessionId, accountId, keyId, session, ...(traceparent === undefined ? {} : { traceparent }) };
    },
  };
}

interface Payload extends Omit<TokenClaims, 'accountId'> {
  readonly sub: string;
  readonly jti: string;
  readonly exp: number;
}

async function readToken(token: string, secret: RotatingSecret, now: number): Promise<Payload | null> {
  const kid = readKid(token);
  const version = kid === null ? null : await secret.find(kid);
  if (!version) return null;
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(version.value), {
      algorithms: ['HS256'],
      audience: AUDIENCE,
      requiredClaims: ['sub', 'jti', 'exp', 'keyId', 'session'],
      currentDate: new Date(now),
    });
    return payload as unknown as Payload; // the signature is valid, so `issue` wrote it
  } catch {
    return null; // jose throws for every kind of invalid token; all are refused alike
  }
}

/** Returns the `kid` in the header of a token, `undefined` if the header has none, `null` if it is not a token. */
function readKid(token: string): string | undefined | null {
  try {
    const { kid } = decodeProtectedHeader(token);
    return kid === undefined || typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}
