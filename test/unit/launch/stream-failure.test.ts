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

  // openises/TicketsCAD 27, stemdeckapp/stemdeck 186: a policy without data:. sampotts/plyr 2028: base64 taken for a URL.
  it('names of a URL that holds audio neither the audio nor another origin', () => {
    const data = 'UklGR'.repeat(9999);
    const url = `data:audio/wav;base64,${data}`;
    const refused = describeStreamFailure({ type: 'request-failed', url, isCrossOrigin: true, message: 'Failed' });
    assert.match(refused.message, /^No audio from a data: URL: Failed.*connect-src. It must allow data:/);
    assert.doesNotMatch(refused.message, /UklGR|origin/);
    const lost = describeStreamFailure({ type: 'http-status', url: `https://example.test/${data}`, status: 404 });
    assert.match(lost.message, /^https:\/\/example\.test\/UklGR.* has status 404/);
    assert.ok(lost.message.length < 300);
  });

  it('reports how much of an audio stream arrived, and the supported formats', () => {
    const early = describeStreamFailure({ type: 'stream-ended', bytes: 10, expected: 20, message: 'reset.' });
    assert.match(early.message, /after 10 bytes of 20 \(reset\)\./);
    const other = describeStreamFailure({ type: 'format', received: 'FLAC' });
    assert.deepEqual([other.reason, other.code], ['format-unsupported', 4]);
    assert.match(other.message, /it is FLAC\. Supported are WAV/);
  });
});
