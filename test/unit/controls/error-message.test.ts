import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SpeakerError, type SpeakerErrorDetails, type SpeakerErrorReason } from '../../../src/base/speaker-error.js';
import { errorMessage } from '../../../src/controls/error-message.js';

const cases: [what: string, message: string, reason: SpeakerErrorReason, details?: SpeakerErrorDetails][] = [
  ['no answer from the endpoint', 'networkError', 'session-request-failed', { retryable: true }],
  ['a socket that does not open', 'networkError', 'socket-failed', { closeCode: 1006, retryable: true }],
  ['a stream without an answer', 'networkError', 'socket-failed', { retryable: 'unknown' }],
  ['a connection that breaks', 'networkError', 'socket-closed', { closeCode: 1006, retryable: true }],
  ['a visitor who is not signed in', 'signInError', 'session-request-failed', { httpStatus: 401 }],
  ['a visitor who has no access', 'accessError', 'session-request-failed', { httpStatus: 403 }],
  ['a stream without access', 'accessError', 'socket-failed', { httpStatus: 403 }],
  ['too many requests', 'busyError', 'session-request-failed', { httpStatus: 429, retryable: true }],
  ['a service that is down', 'busyError', 'session-request-failed', { httpStatus: 503, retryable: true }],
  ['an account without credits', 'unplayableError', 'session-request-failed', { httpStatus: 402 }],
  ['a stream that is not there', 'unplayableError', 'socket-failed', { httpStatus: 404 }],
  ['an invalid session', 'unplayableError', 'session-invalid'],
  ['another protocol', 'unplayableError', 'protocol-unsupported'],
  ['another format', 'unplayableError', 'format-unsupported'],
  ['too much speech', 'unplayableError', 'overflow'],
  ['a sessionProvider that fails', 'loadError', 'session-request-failed'],
  ['a backend that fails', 'loadError', 'session-request-failed', { httpStatus: 500, retryable: true }],
  ['an answer without audio', 'loadError', 'socket-failed', { httpStatus: 200 }],
  ['a session that has expired', 'loadError', 'session-expired', { retryable: true }],
  ['a service that closes the socket', 'loadError', 'socket-closed', { closeCode: 4402, retryable: 'unknown' }],
  ['a service that reports an error', 'loadError', 'service-error', { retryable: 'unknown' }],
  ['a stream of text that fails', 'loadError', 'aborted'],
  ['a device without sound', 'soundError', 'output-failed'],
];

describe('The sentence about an error', () => {
  for (const [what, message, reason, details] of cases) {
    it(`is ${message} for ${what}`, () => {
      assert.equal(errorMessage(new SpeakerError(reason, 'For developers.', details), false), message);
    });
  }

  it('is about the interruption once a part has been heard', () => {
    const details = { closeCode: 1006, retryable: true };
    assert.equal(errorMessage(new SpeakerError('socket-closed', 'For developers.', details), true), 'interruptedError');
  });

  it('is about the sound even if a part has been heard', () => {
    assert.equal(errorMessage(new SpeakerError('output-failed', 'For developers.'), true), 'soundError');
  });
});
