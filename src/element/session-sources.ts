import type { SessionReason } from '../playback/index.js';
import type { SessionRequest, SessionResponse } from '../protocol/index.js';

/**
 * Fetches a session when a socket is needed: the token in its URL lives about thirty seconds.
 *
 * @param request - `signal` is aborted when the session is not wanted any more.
 * @returns The service's answer, or just its URL.
 */
export type SessionProvider = (request: {
  signal: AbortSignal;
  reason: SessionReason;
}) => Promise<SessionResponse | string>;

/** The ways a page may name where sessions come from; the first that is set wins. */
export interface SessionSources {
  session: SessionResponse | null;
  /** When `session` was set, in ms since the epoch. */
  sessionSetAt: number;
  src: string;
  sessionProvider: SessionProvider | null;
  sessionEndpoint: string;
  sessionRequest: SessionRequest | null;
}

/** True if the page has named a source. */
export function hasSource({ session, src, sessionProvider, sessionEndpoint }: SessionSources): boolean {
  return Boolean(session || src || sessionProvider || sessionEndpoint);
}

/** True if the source can give more than one session. */
export function canRenew(sources: SessionSources): boolean {
  return !sources.session && !sources.src && hasSource(sources);
}
