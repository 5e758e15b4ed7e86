import type { FastifyBaseLogger } from 'fastify';
import type { StreamObserver } from '../stream/stream-observer.js';

/** Owner of a socket. */
export interface LoggedSession {
  readonly sessionId: string;
  readonly accountId: string;
}

/**
 * Creates an observer of one socket that logs two lines at `info`: one when the socket is admitted, and one when it is
 * closed, with the close code, its open time, and the numbers of contexts and frames. A refused socket gets one line, and
 * a context that fails through no fault of the client one at `warn`.
 *
 * @param session - `null` if the owner is unknown, as with an invalid token.
 */
export function createSessionLog(
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  session: LoggedSession | null,
): StreamObserver {
  const whose = session && { session: session.sessionId, account: session.accountId };
  let contexts = 0;
  let frames = 0;
  return {
    opened: () => log.info({ ...whose }, 'session opened'),
    closed: (code, openMs) =>
      log.info({ ...whose, code, openMs: Math.round(openMs), contexts, frames }, 'session closed'),
    refused: (code) => log.info({ ...whose, code }, 'session refused'),
    firstFrame() {},
    frameSent() {
      frames++;
    },
    contextEnded(outcome, ms, problem) {
      contexts++;
      if (problem !== undefined) log.warn({ ...whose, ms: Math.round(ms), why: problem }, 'context failed');
    },
  };
}
