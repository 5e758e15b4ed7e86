import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SingleTimeRange, SpeakerError, type SpeakerErrorReason } from '../../../src/playback/index.js';

describe('SingleTimeRange', () => {
  it('is empty when it ends at 0', () => {
    const range = new SingleTimeRange(0);
    assert.equal(range.length, 0);
    assert.throws(() => range.start(0), { name: 'IndexSizeError' });
    assert.throws(() => range.end(0), { name: 'IndexSizeError' });
  });

  it('is one range from 0', () => {
    const range = new SingleTimeRange(2.5);
    assert.equal(range.length, 1);
    assert.equal(range.start(0), 0);
    assert.equal(range.end(0), 2.5);
    assert.throws(() => range.end(1), { name: 'IndexSizeError' });
    assert.throws(() => range.end(-1), { name: 'IndexSizeError' });
  });
});

describe('SpeakerError', () => {
  it('has the most similar MediaError code for every reason', () => {
    const codes: [SpeakerErrorReason, number][] = [
      ['aborted', 1],
      ['session-request-failed', 2],
      ['session-expired', 2],
      ['socket-failed', 2],
      ['socket-closed', 2],
      ['service-error', 2],
      ['output-failed', 3],
      ['overflow', 3],
      ['session-invalid', 4],
      ['protocol-unsupported', 4],
      ['format-unsupported', 4],
    ];
    for (const [reason, code] of codes) assert.equal(new SpeakerError(reason, '').code, code, reason);
  });

  it('carries the given details, and is not retryable by default', () => {
    const cause = new TypeError('x');
    const error = new SpeakerError('socket-closed', 'Gone.', {
      closeCode: 4402,
      httpStatus: 200,
      retryable: 'unknown',
      cause,
    });
    assert.ok(error instanceof Error);
    assert.deepEqual(
      [error.name, error.message, error.closeCode, error.httpStatus, error.retryable, error.cause],
      ['SpeakerError', 'Gone.', 4402, 200, 'unknown', cause],
    );
    assert.equal(new SpeakerError('overflow', '').retryable, false);
    assert.ok(!('cause' in new SpeakerError('overflow', '')));
  });

  it('wraps any error with a reason, and returns a SpeakerError unchanged', () => {
    const own = new SpeakerError('overflow', 'Much.');
    assert.equal(SpeakerError.from(own, 'output-failed'), own);
    const cause = new TypeError('no worklet');
    const taken = SpeakerError.from(cause, 'output-failed');
    assert.deepEqual([taken.reason, taken.message, taken.cause], ['output-failed', 'no worklet', cause]);
    assert.equal(SpeakerError.from('text', 'output-failed').message, 'text');
  });
});
