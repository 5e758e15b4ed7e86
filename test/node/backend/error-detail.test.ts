import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readErrorDetail } from '../../../src/backend/error-detail.js';

describe('readErrorDetail', () => {
  for (const [body, expected] of [
    ['{"detail":"no"}', 'no'],
    [
      '{"detail":[{"loc":["body","sampling","rate"],"msg":"unknown"},{"msg":"and more"}]}',
      'sampling.rate: unknown; and more',
    ],
    ['{"detail":["a","b"]}', 'a; b'],
    ['{"message":"no"}', 'no'],
    ['{"error":"no"}', 'no'],
    ['{"detail":{}}', null],
    ['{"detail":""}', null],
    ['{}', null],
    ['null', null],
    ['"text"', null],
    ['<html>', null],
    ['', null],
  ] as const) {
    it(`finds ${expected === null ? 'nothing' : `"${expected}"`} in ${body || 'nothing'}`, () =>
      assert.equal(readErrorDetail(body), expected));
  }

  it('never throws, whatever the body', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (body) => void readErrorDetail(body)));
    fc.assert(fc.property(fc.array(fc.jsonValue()), (detail) => void readErrorDetail(JSON.stringify({ detail }))));
  });
});
