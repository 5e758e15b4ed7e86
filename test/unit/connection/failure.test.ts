import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionFailure } from '../../../src/connection/command.js';
import { describeFailure } from '../../../src/connection/failure.js';

function describeFact(reason: SessionFailure, detail: string, closeCode: number | null = null) {
  return describeFailure({ type: 'failed', serials: [7], reason, detail, closeCode });
}

describe('describeFailure', () => {
  it('keeps the facts and drops what it put into words', () => {
    assert.deepEqual(describeFact('socket-closed', '', 4500), {
      type: 'failed',
      serials: [7],
      reason: 'socket-closed',
      message: 'The speech engine failed: try again later.',
      closeCode: 4500,
      retryable: 'unknown',
    });
  });

  it('tells a silence from a close, and what to do', () => {
    const { message, retryable, closeCode } = describeFact('socket-closed', '60');
    assert.match(message, /said nothing for 60 s.*: try again later\.$/);
    assert.deepEqual([retryable, closeCode], ['unknown', undefined]);
  });

  it('quotes what the service says, be it in a message or in a close', () => {
    assert.match(describeFact('service-error', 'engine on fire').message, /try again later: engine on fire$/);
    assert.match(describeFact('socket-closed', 'no credits left', 4402).message, /add credits\. \(no credits left\)$/);
  });

  it('takes a clean close for a failure, which calls for a new session', () => {
    assert.match(describeFact('socket-closed', '', 1000).message, /before it had spoken: ask for a new session\.$/);
  });

  it('says what the browser has against the URL, and that trying again is no use', () => {
    const { message, retryable } = describeFact('socket-failed', 'SyntaxError: The URL is invalid');
    assert.match(message, /refuses to open the session's URL, so check it.*: SyntaxError: The URL is invalid$/);
    assert.equal(retryable, false);
  });

  it('says how much audio waits when it is too much', () => {
    const { message, retryable } = describeFact('overflow', '60');
    assert.match(message, /60 minutes of audio wait/);
    assert.equal(retryable, false);
  });

  it('holds a broken connection for worth trying again', () => {
    assert.equal(describeFact('socket-closed', '', 1006).retryable, true);
    assert.equal(describeFact('socket-failed', '', 1006).retryable, true);
  });
});
