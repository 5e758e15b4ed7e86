import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JSON_DEPTH_MAX, readErrorDetail, readJson } from '../../../src/backend/error-detail.js';

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

describe('readJson', () => {
  const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

  it('reads JSON and nothing else', () => {
    assert.deepEqual(readJson('{"a":[1]}'), { a: [1] });
    for (const text of ['', '<html>', '{"a":']) assert.equal(readJson(text), undefined);
  });

  it('returns undefined for JSON nested deeper than JSON_DEPTH_MAX', () => {
    assert.deepEqual(readJson(nested(JSON_DEPTH_MAX)), JSON.parse(nested(JSON_DEPTH_MAX)));
    for (const levels of [JSON_DEPTH_MAX + 2, 20_000, 200_000]) assert.equal(readJson(nested(levels)), undefined);
    assert.equal(readErrorDetail(`{"detail":[{"loc":[${nested(200_000)}],"msg":"a"}]}`), null);
  });
});
