import { SpeakerError } from '../base/speaker-error.js';
import { withoutSecrets } from '../base/without-secrets.js';
import { CLOSE_DONE, describeCloseCode } from '../protocol/close-code.js';
import type { FailureCause, SpeakerFact } from './command.js';

/** Most characters of a service's own message that an error quotes. */
const REASON_LENGTH = 500;

/** A fact of the worker in the form for playback: the page's error replaces the cause of a service's failure. */
export type SpeakerReport =
  | Exclude<SpeakerFact, { type: 'failed' | 'connection-lost' }>
  | FailureReport<'failed'>
  | FailureReport<'connection-lost'>;

/** Reports that utterances get no more audio, or lost their connection before the first of them had any. */
export interface FailureReport<Type extends 'failed' | 'connection-lost'> {
  type: Type;
  serials: readonly number[];
  /** Number of pieces of text of each utterance that were sent; only of `failed`. */
  sent?: readonly number[];
  error: SpeakerError;
}

/** Makes the report for a fact. */
export function reportOf(fact: SpeakerFact): SpeakerReport {
  if (fact.type !== 'failed' && fact.type !== 'connection-lost') return fact;
  const { cause, ...report } = fact;
  return { ...report, error: describeFailure(cause) };
}

/**
 * Makes the error for the page: what failed, why, what to do, and whether it is worth trying again.
 *
 * Pure. Main thread, because the worker reports only facts.
 */
function describeFailure(cause: FailureCause): SpeakerError {
  switch (cause.type) {
    case 'url-refused': {
      const message = `The browser refuses to open the session's URL: ${withoutSecrets(cause.message)}. Check the URL and the page's connect-src.`;
      return new SpeakerError('socket-failed', message);
    }
    case 'socket-ended': {
      const { opened, code, reason } = cause;
      const what =
        code === CLOSE_DONE
          ? 'The service closed the socket before it had spoken. Request a new session.'
          : describeCloseCode(code);
      const message = reason ? `${what} (${withoutSecrets(reason)})` : what;
      return new SpeakerError(opened ? 'socket-closed' : 'socket-failed', message, {
        closeCode: code,
        retryable: code === 1006 || 'unknown',
      });
    }
    case 'service-silent': {
      const lack = cause.lack && `: ${cause.lack}`;
      const message = `The service sent nothing for ${cause.seconds} s while speech was expected, so the socket was closed${lack}. Try again later.`;
      return new SpeakerError('socket-closed', message, { retryable: cause.wasIdle || 'unknown' });
    }
    case 'service-error': {
      const said = withoutSecrets(cause.message).slice(0, REASON_LENGTH).replace(/\.$/, '');
      const message = `The service could not speak this text: ${said}. Change the text, or try again later.`;
      return new SpeakerError('service-error', message, { retryable: 'unknown' });
    }
    case 'misfit': {
      const message = `What the service sent does not fit the session's dialect ${withoutSecrets(cause.problem)}. Correct the session or its dialect.`;
      return new SpeakerError('protocol-unsupported', message);
    }
  }
  const message = `More than ${cause.minutes} minutes of audio wait to be heard. Play or cancel them before speaking more.`;
  return new SpeakerError('overflow', message);
}
