import type { SpeakerMessages } from '../messages/speaker-messages.js';
import type { SpeakerError, SpeakerErrorReason } from '../playback/index.js';

/** Reasons that another attempt does not remove. */
const UNPLAYABLE: readonly SpeakerErrorReason[] = [
  'session-invalid',
  'protocol-unsupported',
  'format-unsupported',
  'overflow',
];

/**
 * Returns the name of the message that describes an error to an end user.
 *
 * Close codes from 4000 on are not read: each service gives them another meaning.
 *
 * @param isHeard - A part of the speech has been heard.
 */
export function errorMessage(
  { reason, httpStatus = 0, closeCode, retryable }: SpeakerError,
  isHeard: boolean,
): keyof SpeakerMessages {
  if (reason === 'output-failed') return 'soundError';
  if (isHeard) return 'interruptedError';
  if (httpStatus === 401) return 'signInError';
  if (httpStatus === 403) return 'accessError';
  if (httpStatus === 429 || httpStatus === 503) return 'busyError';
  if (UNPLAYABLE.includes(reason) || (httpStatus >= 400 && httpStatus < 500)) return 'unplayableError';
  // An error that a `sessionProvider` throws is not retryable: its cause is unknown.
  const isAboutRequest = reason === 'session-request-failed' || reason === 'socket-failed';
  if ((isAboutRequest && !httpStatus && retryable !== false) || closeCode === 1006) return 'networkError';
  return 'loadError';
}
