import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { holdsSecret, redact } from '../../../src/backend/secret.js';

/** Keys that are valid in a header and long enough to be searched for. */
const keys = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 16,
  maxLength: 40,
});

/** Encodings in which a text may contain a key. */
const spellings: ((key: string) => string)[] = [
  (key) => key,
  encodeURIComponent,
  (key) => new URLSearchParams({ key }).toString().slice('key='.length),
  (key) => encodeURIComponent(key).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  (key) => JSON.stringify(key).slice(1, -1),
  (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  (key) => Array.from(key, (c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(''),
  // nyroway/nyro 67
  (key) => encodeURIComponent(encodeURIComponent(key)),
  (key) => Array.from(key, (c) => `&#${c.charCodeAt(0)};`).join(''),
  (key) => Array.from(key, (c) => `&#x${c.charCodeAt(0).toString(16)};`).join(''),
  (key) => Buffer.from(key).toString('base64'),
  (key) => Buffer.from(`${key}:`).toString('base64url'),
];

describe('redact', () => {
  for (const key of ['sixteen-letters%', 'sixteen-letters\\', '%%%%%%%%%%%%%%%%', '"/"/"/"/"/"/"/"/']) {
    it(`removes all of the key ${key}, in every encoding`, () => {
      for (const spell of spellings) assert.equal(redact(`<${spell(key)}>`, key), '<[key]>');
    });
  }

  it('removes the key from a text, in every encoding', () => {
    fc.assert(
      fc.property(keys, fc.constantFrom(...spellings), (key, spell) => {
        assert.equal(redact(`<<${spell(key)}>>${spell(key)}`, key), '<<[key]>>[key]');
      }),
    );
  });

  it('does not change a text without the key', () => {
    fc.assert(
      fc.property(keys, fc.string(), (key, text) => {
        fc.pre(!text.includes(key));
        assert.equal(redact(text, key), text);
      }),
    );
  });
});

describe('holdsSecret', () => {
  it('finds the key in every encoding', () => {
    fc.assert(
      fc.property(keys, fc.constantFrom(...spellings), fc.string(), (key, spell, around) => {
        assert.ok(holdsSecret(around + spell(key) + around, key));
      }),
    );
  });

  it('does not search for a key of fewer than 16 characters, which any text may contain', () => {
    assert.ok(!holdsSecret('a-key', 'a-key'));
  });
});
