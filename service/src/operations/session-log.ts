import type { FastifyBaseLogger } from 'fastify';
import type { StreamObserver } from '../stream/stream-observer.js';

/** Whose socket it is. */
export interface LoggedSession {
  readonly sessionId: string;
  readonly accountId: string;
}

/**
 * An observer of one socket that logs two lines about it, at `info`: when it is admitted, and when it is closed, with its
 * close code, how long it was open, and how much was spoken. One that is refused makes one line.
 *
 * @param session - `null` if it is not known whose it is, as with a token that is wrong.
 */
export function createSessionLog(log: Pick<FastifyBaseLogger, 'info'>, session: LoggedSession | null): StreamObserver {
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
    contextEnded() {
      contexts++;
    },
  };
}
