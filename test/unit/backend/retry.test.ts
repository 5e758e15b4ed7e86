import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseRetryAfter, systemClock } from '../../../src/backend/retry.js';

describe('parseRetryAfter', () => {
  for (const [header, expected] of [
    ['0', 0],
    ['56', 56_000],
    ['1.5', 1500],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 9000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Thursday, 01-Jan-70 00:00:10 GMT', 9000],
    ['Thu Jan  1 00:00:10 1970', 9000],
    ['86400', 86_400_000],
    ['86401', 86_400_000],
    ['9'.repeat(23), 86_400_000],
    ['9'.repeat(400), 86_400_000],
    ['Thu, 01 Jan 2970 00:00:00 GMT', 86_400_000],
    ['-3', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ] as const) {
    it(`reads ${header ?? 'no header'} as ${expected ?? 'nothing'}`, () => {
      assert.equal(parseRetryAfter(header, 1000), expected);
    });
  }

  it('never throws, and returns a delay from 0 to one day', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,400}$/)), (header) => {
        const delay = parseRetryAfter(header, 1000) ?? 0;
        assert.ok(delay >= 0 && delay <= 86_400_000);
      }),
    );
  });
});

describe('systemClock.sleep', () => {
  it('ends when its time is over', async () => {
    await systemClock.sleep(1, new AbortController().signal);
  });

  it('rejects with the reason of its signal, before or during the wait', async () => {
    await assert.rejects(systemClock.sleep(60_000, AbortSignal.abort(new Error('before'))), /before/);
    const abort = new AbortController();
    const sleep = systemClock.sleep(60_000, abort.signal);
    abort.abort(new Error('during'));
    await assert.rejects(sleep, /during/);
  });
});
