import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  CHUNK_SECONDS_MAX,
  CONTEXT_ID_MAX,
  describeFieldErrors,
  parseSessionRequest,
  SAMPLE_RATE_MAX,
  SAMPLE_RATE_MIN,
  SESSION_DEFAULTS,
} from '../../../src/protocol/index.js';

const anyRequest = fc.record(
  {
    voice_id: fc.string({ minLength: 1 }),
    format: fc.string({ minLength: 1 }),
    sample_rate: fc.integer({ min: SAMPLE_RATE_MIN, max: SAMPLE_RATE_MAX }),
    normalize_text: fc.boolean(),
    chunk_seconds: fc.double({ min: 0, minExcluded: true, max: CHUNK_SECONDS_MAX, noNaN: true }),
    sampling: fc.dictionary(fc.constantFrom('rate', 'pitch'), fc.double({ noNaN: true, noDefaultInfinity: true })),
    input: fc.string({ unit: 'binary' }),
    context_id: fc.string({ minLength: 1, maxLength: CONTEXT_ID_MAX }).filter((id) => id.length <= CONTEXT_ID_MAX),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** Returns the fields that are reported for a request. */
function wrongFields(value: unknown, options = {}): string[] {
  const parsed = parseSessionRequest(value, options);
  return parsed.ok ? [] : parsed.errors.map(({ field }) => field);
}

describe('parseSessionRequest', () => {
  it('returns every valid request unchanged', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const parsed = parseSessionRequest(request, { sampling: ['rate', 'pitch'] });
        assert.ok(parsed.ok);
        assert.deepEqual(parsed.value, request);
      }),
    );
  });

  it('accepts the defaults of the spec', () => {
    assert.deepEqual(parseSessionRequest(SESSION_DEFAULTS), { ok: true, value: { ...SESSION_DEFAULTS } });
  });

  it('treats null as a missing field', () => {
    assert.deepEqual(parseSessionRequest({ voice_id: null, sampling: null }), { ok: true, value: {} });
  });

  for (const [field, value] of [
    ['voice_id', ''],
    ['voice_id', 7],
    ['format', []],
    ['sample_rate', SAMPLE_RATE_MIN - 1],
    ['sample_rate', SAMPLE_RATE_MAX + 1],
    ['sample_rate', 24000.5],
    ['sample_rate', '24000'],
    ['normalize_text', 'true'],
    ['chunk_seconds', 0],
    ['chunk_seconds', CHUNK_SECONDS_MAX + 1],
    ['chunk_seconds', Number.NaN],
    ['sampling', []],
    ['input', {}],
    ['context_id', ''],
    ['context_id', 'x'.repeat(CONTEXT_ID_MAX + 1)],
  ] as const) {
    const shown = JSON.stringify(value).slice(0, 12);
    it(`names ${field} when it is ${shown}, and no other field`, () => {
      assert.deepEqual(wrongFields({ input: 'hello', [field]: value }), [field]);
    });
  }

  it('names the allowed values', () => {
    const parsed = parseSessionRequest({ sample_rate: 1, format: 'mp3' }, { formats: ['pcm_s16le'] });
    assert.ok(!parsed.ok);
    assert.equal(
      describeFieldErrors(parsed.errors),
      'format must be one of pcm_s16le; sample_rate must be an integer from 8000 to 96000',
    );
  });

  it('reports an unknown field by its name', () => {
    assert.deepEqual(wrongFields({ voice: 'anna', constructor: 1 }), ['voice', 'constructor']);
  });

  it('reports an unknown member of sampling by its path', () => {
    assert.deepEqual(wrongFields({ sampling: { rate: 1, top_k: 3 } }, { sampling: ['rate'] }), ['sampling.top_k']);
  });

  it('allows any member of sampling if the service is unknown', () => {
    assert.deepEqual(wrongFields({ sampling: { top_k: 3 } }), []);
  });

  it('refuses a value that is not an object', () => {
    for (const value of [null, undefined, [], 'text', 3]) assert.deepEqual(wrongFields(value), ['']);
  });

  it('limits the size of errors about unknown fields', () => {
    const hostile = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}`.padEnd(1000, 'x'), 1]));
    const parsed = parseSessionRequest(hostile);
    assert.ok(!parsed.ok);
    assert.ok(JSON.stringify(parsed.errors).length < 8000);
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withSet: true, withNullPrototype: true }),
        (value) => {
          const parsed = parseSessionRequest(value);
          assert.ok(parsed.ok || parsed.errors.length > 0);
        },
      ),
    );
  });

  it('never throws, whatever the known fields contain', () => {
    const hostile = fc.record(
      Object.fromEntries(
        ['voice_id', ...Object.keys(SESSION_DEFAULTS), 'sampling'].map((name) => [name, fc.anything()]),
      ),
    );
    fc.assert(fc.property(hostile, (value) => void parseSessionRequest(value, { sampling: [], voices: ['a'] })));
  });
});
