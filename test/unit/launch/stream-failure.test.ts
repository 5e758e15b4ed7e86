import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeStreamFailure } from '../../../src/launch/stream-failure.js';

describe('describeStreamFailure', () => {
  it('reports the status of a failed request for audio, and whether another attempt may succeed', () => {
    for (const [status, retryable] of [
      [404, false],
      [503, true],
    ] as const) {
      const error = describeStreamFailure({ type: 'http-status', url: 'https://example.test/a', status });
      assert.deepEqual([error.reason, error.httpStatus, error.retryable], ['socket-failed', status, retryable]);
      assert.match(error.message, /^https:\/\/example\.test\/a has status \d+/);
    }
    assert.equal(describeStreamFailure({ type: 'http-status', url: null, status: 0 }).httpStatus, undefined);
  });

  it('names CORS only for another origin', () => {
    const failed = { type: 'request-failed', url: 'https://example.test/a', message: 'Failed' } as const;
    assert.match(describeStreamFailure({ ...failed, isCrossOrigin: true }).message, /Access-Control-Allow-Origin/);
    assert.doesNotMatch(describeStreamFailure({ ...failed, isCrossOrigin: false }).message, /Access-Control/);
    // bvibber/ogv.js 547: an address of this origin redirects to a bucket of another one.
    assert.match(describeStreamFailure({ ...failed, isCrossOrigin: false }).message, /redirects to another origin/);
  });

  it('names of an audio stream only origin and path, also where the browser quotes the URL', () => {
    const url = 'https://anna:secret@example.test/a@b/c.wav?key=secret#secret';
    const message = `TypeError: Request cannot be constructed from a URL that includes credentials: ${url}`;
    const errors = [
      describeStreamFailure({ type: 'request-failed', url, isCrossOrigin: true, message }),
      describeStreamFailure({ type: 'http-status', url, status: 500 }),
    ];
    for (const { message: said } of errors) {
      assert.doesNotMatch(said, /anna|secret|key/);
      assert.match(said, /https:\/\/example\.test\/a@b\/c\.wav/);
    }
  });

  it('reports how much of an audio stream arrived, and the supported formats', () => {
    const early = describeStreamFailure({ type: 'stream-ended', bytes: 10, expected: 20, message: 'reset.' });
    assert.match(early.message, /after 10 bytes of 20 \(reset\)\./);
    const other = describeStreamFailure({ type: 'format', received: 'FLAC' });
    assert.deepEqual([other.reason, other.code], ['format-unsupported', 4]);
    assert.match(other.message, /it is FLAC\. Supported are WAV/);
  });
});
