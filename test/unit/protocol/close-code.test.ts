import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CloseCode, describeCloseCode } from '../../../src/protocol/index.js';

describe('describeCloseCode', () => {
  for (const [name, code] of Object.entries(CloseCode)) {
    it(`has its own sentence for ${name} (${code})`, () => {
      assert.match(describeCloseCode(code), /^[A-Z]((?!\. ).)*\.$/);
      assert.notEqual(describeCloseCode(code), describeCloseCode(4999).replace('4999', String(code)));
    });
  }

  it('names an unknown code', () => {
    assert.match(describeCloseCode(4999), /4999/);
  });
});
