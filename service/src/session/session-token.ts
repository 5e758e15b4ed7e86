import { randomBytes, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../clock.js';
import type { StreamSession } from './stream-session.js';

/** What a session token says. */
export interface TokenClaims {
  readonly accountId: string;
  readonly session: StreamSession;
}

/**
 * The record of tokens that were used, so that each opens one socket only: here in memory, later in a database that
 * several nodes share.
 */
export interface UsedTokens {
  /**
   * Marks a token as used.
   *
   * @param expiresAtMs - It may be forgotten after this.
   * @returns `false` if it was used before.
   */
  use(id: string, expiresAtMs: number): Promise<boolean>;
}

/** Issues and accepts the short-lived tokens in session URLs. */
export interface SessionTokens {
  readonly lifetimeSeconds: number;
  issue(claims: TokenClaims): Promise<{ token: string; expiresAtMs: number }>;
  /** What the token says; `null` if it is wrong, expired or was used before. Accepting it uses it up. */
  accept(token: string): Promise<TokenClaims | null>;
}

const AUDIENCE = 'svctts.v1';

/**
 * Tokens signed with a secret of their own (JWT, HS256), by the clock given.
 *
 * @param secret - At least 32 bytes; nodes that accept each other's tokens share it. Made anew by default.
 */
export function createSessionTokens(
  lifetimeSeconds: number,
  clock: Clock,
  used: UsedTokens = createUsedTokens(clock),
  secret: Uint8Array = randomBytes(32),
): SessionTokens {
  return {
    lifetimeSeconds,
    async issue({ accountId, session }) {
      const issuedAt = Math.floor(clock.now() / 1000);
      const expiresAt = issuedAt + lifetimeSeconds;
      const token = await new SignJWT({ session })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(AUDIENCE)
        .setSubject(accountId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(secret);
      return { token, expiresAtMs: expiresAt * 1000 };
    },
    async accept(token) {
      const claims = await readToken(token, secret, clock.now());
      if (!claims || !(await used.use(claims.jti, claims.exp * 1000))) return null;
      return { accountId: claims.sub, session: claims.session };
    },
  };
}

interface Payload {
  readonly sub: string;
  readonly jti: string;
  readonly exp: number;
  readonly session: StreamSession;
}

async function readToken(token: string, secret: Uint8Array, now: number): Promise<Payload | null> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      audience: AUDIENCE,
      requiredClaims: ['sub', 'jti', 'exp', 'session'],
      currentDate: new Date(now),
    });
    return payload as unknown as Payload; // signed by us, so it is what `issue` wrote
  } catch {
    return null; // jose throws for each way in which a token is wrong; all of them are refused alike
  }
}

/** A record of used tokens in memory; it holds those that have not expired. */
export function createUsedTokens(clock: Clock): UsedTokens {
  const expiries = new Map<string, number>();
  return {
    async use(id, expiresAtMs) {
      const now = clock.now();
      for (const [usedId, expiry] of expiries) {
        if (expiry > now) break; // the rest was used later, and so expires about later: it stays a lifetime at most
        expiries.delete(usedId);
      }
      if (expiries.has(id)) return false;
      expiries.set(id, expiresAtMs);
      return true;
    },
  };
}
