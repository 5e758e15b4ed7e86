import { CLOSE_DONE, describeCloseCode } from '../protocol/close-code.js';
import type { SpeakerFact, SpeakerFailure } from './command.js';

type FailureFact = Extract<SpeakerFact, { type: 'failed' }>;

/**
 * Puts a failure into words: what happened, what to do, and whether it is worth trying again.
 *
 * Pure. Main thread: what is said to people is not the worker's business.
 */
export function describeFailure(fact: FailureFact): SpeakerFailure {
  const { type, serials, reason, closeCode } = fact;
  const code = closeCode === null ? {} : { closeCode };
  return { type, serials, reason, message: messageOf(fact), retryable: isRetryable(fact), ...code };
}

function messageOf({ reason, detail, closeCode }: FailureFact): string {
  if (reason === 'service-error')
    return `The service could not speak this, so change the text or try again later: ${detail}`;
  if (reason === 'overflow') {
    return `More than ${detail} minutes of audio wait to be heard: play or cancel them before speaking more.`;
  }
  if (reason === 'socket-closed' && closeCode === null) {
    return `The service said nothing for ${detail} s, though it was to speak, and the socket was closed: try again later.`;
  }
  if (closeCode === null)
    return `The browser refuses to open the session's URL, so check it and the page's connect-src: ${detail}`;
  const message =
    closeCode === CLOSE_DONE
      ? 'The service closed the socket before it had spoken: ask for a new session.'
      : describeCloseCode(closeCode);
  return detail ? `${message} (${detail})` : message;
}

function isRetryable({ reason, closeCode }: FailureFact): boolean | 'unknown' {
  if (reason === 'overflow' || (reason === 'socket-failed' && closeCode === null)) return false;
  return closeCode === 1006 || 'unknown';
}
