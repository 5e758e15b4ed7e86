/** Close code of a socket on which everything was spoken. */
export const CLOSE_DONE = 1000;
/** Close code of a service that shuts down. */
export const CLOSE_DRAINING = 1001;
/** Close code of a socket that was idle for too long. */
export const CLOSE_IDLE = 4408;

/**
 * Close codes of `svc-service`. A hosted service may use other codes from 4000 on, whose meaning is not documented. So
 * the player treats every code except {@link CloseCode.done} as a failure (interface-spec 7.3).
 */
export const CloseCode = {
  done: CLOSE_DONE,
  draining: CLOSE_DRAINING,
  notUnderstood: 1003,
  tooLarge: 1009,
  tokenRefused: 4401,
  outOfCredits: 4402,
  voiceRefused: 4403,
  idle: CLOSE_IDLE,
  tooManySockets: 4429,
  engineFailed: 4500,
} as const;

const sentences: Readonly<Record<number, string>> = {
  [CLOSE_DONE]: 'The session is done.',
  1001: 'The service is shutting down: ask for a new session.',
  1003: 'The service did not understand a message: check that both sides speak svctts.v1.',
  1005: 'The socket was closed without a code: ask for a new session.',
  1006: 'The connection broke, or the socket was refused: check the network, connect-src and the age of the session URL.',
  1008: 'The service refused the session: check its token, credits and voice.',
  1009: 'A message was too large: send the text in shorter pieces.',
  1011: 'The service failed: try again later.',
  1012: 'The service is restarting: ask for a new session.',
  1013: 'The service is overloaded: try again later.',
  1014: 'A proxy got no valid answer from the service: try again later.',
  4401: 'The session URL was wrong, expired or used before: ask for a new session right before opening it.',
  4402: 'The account is out of credits: add credits.',
  4403: 'The plan does not include this voice: choose another voice or plan.',
  4408: 'The socket was idle for too long: ask for a new session when there is text to speak.',
  4429: 'The account has too many sockets open: close one, or wait.',
  4500: 'The speech engine failed: try again later.',
};

/**
 * Describes a close code in one sentence, with a remedy where there is one. Codes from 4000 on are described as
 * `svc-service` uses them.
 *
 * Pure; any thread.
 */
export function describeCloseCode(code: number): string {
  return sentences[code] ?? `The service closed the socket with code ${code}: see its documentation.`;
}
