import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import Fastify from 'fastify';
import { oneShotMessages, PROTOCOL, type SessionResponse } from '../../../src/protocol/index.js';
import { LIMITS } from '../../src/limits.js';
import { sessionRequestSchema, sessionRouteOptions } from '../../src/session/session-schema.js';
import { describeRefusal, readSessionOrder } from '../../src/session/stream-session.js';
import { StubEngine } from '../support/stub-engine.js';

const engine = Object.assign(new StubEngine(), {
  sampling: { rate: { least: 0.5, most: 2 }, pitch: { least: -12, most: 12 } },
});
/** Short, so that texts on both sides of the limit are frequent. */
const limits = { ...LIMITS, textLength: 10 };
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(sessionRequestSchema(engine, limits));

/** Any value that a member may have by mistake. */
const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(null, true, false, '', 0, -1, [], {}, '24000'));
const number = (...edges: number[]) =>
  fc.oneof(
    ...edges.map((edge) => fc.constantFrom(edge - 1, edge, edge + 1, edge - 0.001, edge + 0.001)),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
/** Letters of one UTF-16 code unit. The schema counts any character as one, and the service counts code units. */
const letters = (around: number) =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom('a', ' ', 'é', '€', '\n', '\0', '語'), maxLength: around + 3 }),
    fc.constantFrom(around - 1, around, around + 1).map((length) => 'x'.repeat(length)),
  );
const sampling = fc.record(
  {
    rate: fc.oneof(number(0.5, 2), anything),
    pitch: fc.oneof(number(-12, 12), fc.constant(null)),
    volume: fc.constant(1),
  },
  { requiredKeys: [] },
);
const fields = {
  voice_id: fc.oneof(fc.constantFrom('one', 'two', 'three', ''), anything),
  format: fc.oneof(fc.constantFrom('pcm_s16le', 'mp3'), anything),
  sample_rate: fc.oneof(fc.constantFrom(8000, 24000, 96000), number(8000, 96000), anything),
  normalize_text: fc.oneof(fc.boolean(), anything),
  chunk_seconds: fc.oneof(number(0, 1, 15, 3600), anything),
  sampling: fc.oneof(sampling, fc.dictionary(fc.constantFrom('rate', 'constructor', '__proto__', 'x'), anything)),
  input: fc.oneof(letters(limits.textLength), anything),
  context_id: fc.oneof(letters(256), anything),
};
const valid = {
  voice_id: fc.constantFrom('one', 'two', null),
  format: fc.constantFrom('pcm_s16le', null),
  sample_rate: fc.oneof(fc.integer({ min: 8000, max: 96000 }), fc.constant(null)),
  normalize_text: fc.constantFrom(true, false, null),
  chunk_seconds: fc.double({ min: 1, max: 3600, noNaN: true }),
  sampling: fc.record({ rate: fc.constantFrom(0.5, 1, 2, null) }, { requiredKeys: [] }),
  input: fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 }),
  context_id: fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1 }),
};
const someValid = fc.record(valid, { requiredKeys: [] });
/** Valid except for one field, so that the result depends on that field. */
const oneWrong = fc
  .tuple(someValid, fc.oneof(...Object.entries(fields).map(([name, value]) => fc.record({ [name]: value }))))
  .map(([base, wrong]) => ({ ...base, ...wrong }));
const unknownField = fc
  .tuple(someValid, fc.constantFrom('foo', '__proto__', 'constructor', 'Voice_id', ''), anything)
  .map(([base, name, value]) => JSON.parse(JSON.stringify({ ...base, _: value }).replace('"_"', JSON.stringify(name))));

describe('spec 2.1: schema of the session request', () => {
  const agree = (body: unknown): void =>
    assert.equal(validate(body), readSessionOrder(body, engine, limits).ok, JSON.stringify(body));

  it('takes what the service takes, and nothing else: one field wrong or at its edge', () => {
    const seen = { valid: 0, wrong: 0 };
    fc.assert(
      fc.property(oneWrong, (body) => {
        agree(body);
        seen[validate(body) ? 'valid' : 'wrong']++;
      }),
      { numRuns: 3_000 },
    );
    assert.ok(seen.valid > 300 && seen.wrong > 300, JSON.stringify(seen)); // both sides were tried
  });

  it('takes what the service takes, and nothing else: any fields', () => {
    fc.assert(fc.property(fc.record(fields, { requiredKeys: [] }), agree), { numRuns: 1_000 });
  });

  it('takes what the service takes, and nothing else: fields that are not known', () => {
    fc.assert(fc.property(unknownField, agree), { numRuns: 500 });
  });

  it('takes what the service takes, and nothing else: any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), agree), { numRuns: 500 });
  });

  it('takes every text that the service takes, letters of two code units included', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '😀', '𝒳'), maxLength: 12 });
    fc.assert(
      fc.property(text, (input) => {
        if (readSessionOrder({ input }, engine, limits).ok) assert.equal(validate({ input }), true);
      }),
    );
  });

  it('contains the default of each field', () => {
    const { properties } = sessionRequestSchema(engine, limits);
    const defaults = Object.entries(properties).flatMap(([name, field]) =>
      'default' in field ? [[name, field.default]] : [],
    );
    const { sampling: _sampling, ...session } = readOk({}).session;
    assert.deepEqual(Object.fromEntries(defaults), session);
  });

  it('names voices that are for one plan only', () => {
    const voices = [...engine.voices, { id: 'gold', sampleRate: 24000, premium: true as const }];
    const { properties } = sessionRequestSchema({ sampling: engine.sampling, voices }, limits);
    assert.match(JSON.stringify(properties.voice_id), /plan pro only: gold\./);
  });
});

function readOk(body: unknown) {
  const order = readSessionOrder(body, engine, limits);
  assert.ok(order.ok);
  return order.value;
}

describe('session route with its schema', () => {
  const response: SessionResponse = {
    url: 'ws://127.0.0.1/realtime/stream?token=t',
    expires_in_seconds: 30,
    expires_at: '2026-11-21T00:00:00.000Z',
    max_concurrent_sessions: 5,
    gateway: 'svc-service',
    protocol: PROTOCOL,
    voice_id: 'one',
    format: 'pcm_s16le',
    sample_rate: 44100,
    messages: oneShotMessages('Hello "there",\n😀.', 'turn-1'),
  };

  /** A route like that of the service. If the body is valid, it responds with `response`. */
  function route() {
    const app = Fastify();
    app.post('/session', sessionRouteOptions(engine, limits), async (request, reply) => {
      const order = readSessionOrder(request.body, engine, limits);
      return order.ok ? response : reply.code(422).send(describeRefusal(order.errors));
    });
    return app;
  }

  it('sends every field of the answer, messages included', async () => {
    assert.deepEqual((await route().inject({ method: 'POST', url: '/session', payload: {} })).json(), response);
    const withoutInput = Fastify();
    withoutInput.post('/session', sessionRouteOptions(engine, limits), async () => ({ ...response, messages: [] }));
    const answer = await withoutInput.inject({ method: 'POST', url: '/session' });
    assert.deepEqual(answer.json(), { ...response, messages: [] });
  });

  it('leaves validation to the service, so that every invalid field is named', async () => {
    const payload = { voice_id: 'nobody', sampling: { volume: 1 }, foo: 2 };
    const answer = await route().inject({ method: 'POST', url: '/session', payload });
    assert.equal(answer.statusCode, 422);
    const order = readSessionOrder(payload, engine, limits);
    assert.ok(!order.ok);
    assert.equal(order.errors.length, 3);
    assert.deepEqual(answer.json(), describeRefusal(order.errors));
  });

  it('takes a call without a body', async () => {
    assert.equal((await route().inject({ method: 'POST', url: '/session' })).statusCode, 200);
  });
});
