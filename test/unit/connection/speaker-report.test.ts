import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FailureCause } from '../../../src/connection/command.js';
import { reportOf } from '../../../src/connection/speaker-report.js';
import type { SpeakerError } from '../../../src/playback/index.js';

function errorOf(cause: FailureCause): SpeakerError {
  const report = reportOf({ type: 'failed', serials: [7], sent: [1], cause });
  assert.ok(report.type === 'failed');
  assert.deepEqual(report.serials, [7]);
  return report.error;
}

function ended(code: number, { opened = true, reason = '' } = {}): SpeakerError {
  return errorOf({ type: 'socket-ended', opened, code, reason });
}

describe('reportOf', () => {
  it('passes on every other fact unchanged', () => {
    const fact = { type: 'received', serial: 1, samples: 2 } as const;
    assert.equal(reportOf(fact), fact);
  });

  it('reports the close code, and its remedy', () => {
    const { reason, message, closeCode, retryable } = ended(4500);
    assert.deepEqual([reason, closeCode, retryable], ['socket-closed', 4500, 'unknown']);
    assert.match(message, /speech engine failed: try again later\.$/);
  });

  it('has another reason for a socket that never opened', () => {
    assert.equal(ended(1006, { opened: false }).reason, 'socket-failed');
  });

  it('reports a silent service without a close code', () => {
    for (const [seconds, wasIdle, lack, worthIt, said] of [
      [60, false, '', 'unknown', ''],
      [10, true, '', true, ''],
      [10, false, 'Theirs sent no audio in `audio`', 'unknown', ': Theirs sent no audio in `audio`'],
    ] as const) {
      const { reason, message, retryable, closeCode } = errorOf({ type: 'service-silent', seconds, wasIdle, lack });
      assert.deepEqual([reason, retryable, closeCode], ['socket-closed', worthIt, undefined]);
      assert.match(message, new RegExp(`sent nothing for ${seconds} s .* closed${said}\\. Try again later\\.$`));
    }
  });

  it('does not quote the token of a session URL', () => {
    const message = "SyntaxError: The URL 'wss://example.test/tts?token=secret' is invalid.";
    assert.doesNotMatch(errorOf({ type: 'url-refused', message }).message, /secret/);
  });

  it('quotes the service, from a message or from a close', () => {
    assert.match(
      errorOf({ type: 'service-error', message: 'engine on fire' }).message,
      /engine on fire\. .*try again later\.$/,
    );
    assert.match(ended(4402, { reason: 'no credits left' }).message, /add credits\. \(no credits left\)$/);
  });

  it('quotes of a long message only its beginning, and no secret', () => {
    const message = `No access to wss://a:secret@c.test/d?key=secret${' again'.repeat(1000)}`;
    const quoted = errorOf({ type: 'service-error', message }).message;
    assert.match(quoted, /No access to wss:\/\/c\.test\/d again/);
    assert.ok(quoted.length < 700, `${quoted.length} characters`);
    assert.doesNotMatch(quoted, /secret/);
    assert.doesNotMatch(ended(1008, { reason: 'wss://c.test/d?key=secret expired' }).message, /secret/);
  });

  it('reports a clean close as a failure that calls for a new session', () => {
    assert.match(ended(1000).message, /before it had spoken\. Request a new session\.$/);
  });

  it('quotes the browser that refuses the URL, and does not suggest to try again', () => {
    const { message, retryable } = errorOf({ type: 'url-refused', message: 'SyntaxError: The URL is invalid' });
    assert.match(
      message,
      /refuses to open the session's URL: SyntaxError: The URL is invalid\. Check .*connect-src\.$/,
    );
    assert.equal(retryable, false);
  });

  it('names the limit of an overflow', () => {
    const { message, retryable } = errorOf({ type: 'overflow', minutes: 60 });
    assert.match(message, /60 minutes of audio wait/);
    assert.equal(retryable, false);
  });

  it('reports a broken connection as retryable', () => {
    assert.equal(ended(1006).retryable, true);
    assert.equal(ended(1006, { opened: false }).retryable, true);
  });
});
