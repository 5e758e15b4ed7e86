import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { oneShotMessages, parseClientMessage, parseServiceMessage } from '../../../src/protocol/index.js';
import { anyClientMessage, anyContextId } from './any-message.js';

/** A damaged message: cut short, or with one character replaced or removed. */
const damaged = fc
  .tuple(anyClientMessage, fc.nat(), fc.string({ unit: 'binary', maxLength: 1 }), fc.boolean())
  .map(([message, at, put, cut]) => {
    const json = JSON.stringify(message);
    const place = at % json.length;
    return json.slice(0, place) + put + (cut ? '' : json.slice(place + 1));
  });

describe('parseClientMessage', () => {
  it('reads every message a client can write', () => {
    fc.assert(
      fc.property(anyClientMessage, (message) => {
        assert.deepEqual(parseClientMessage(JSON.stringify(message)), { ok: true, value: message });
      }),
    );
  });

  for (const [json, fields] of [
    ['{"context_id":"a","text":"b"}', ['type']],
    ['{"type":"cancel","context_id":"a"}', ['type']],
    ['{"type":"end"}', ['context_id']],
    ['{"type":"end","context_id":7}', ['context_id']],
    ['{"type":"end","context_id":""}', ['context_id']],
    ['{"type":"synthesize","context_id":"a"}', ['text']],
    ['{"type":"synthesize","context_id":"a","text":"b","segment_mode":1}', ['segment_mode']],
    ['{}', ['type', 'context_id']],
    ['[]', ['']],
    ['null', ['']],
    ['', ['']],
    ['{"type":', ['']],
  ] as const) {
    it(`names ${fields.join(' and ') || 'the whole'} as wrong in ${json || 'nothing'}`, () => {
      const parsed = parseClientMessage(json);
      assert.deepEqual(parsed.ok ? [] : parsed.errors.map(({ field }) => field), fields);
    });
  }

  it('never throws on strings, JSON or damaged messages', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), damaged), (json) => {
        const parsed = parseClientMessage(json);
        assert.ok(parsed.ok || parsed.errors.length > 0);
      }),
    );
  });

  it('does not throw on nesting deeper than any stack', () => {
    assert.equal(parseClientMessage('['.repeat(1_000_000)).ok, false);
    assert.equal(parseClientMessage('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)).ok, false);
  });
});

describe('parseServiceMessage', () => {
  it('reads every message the spec shows', () => {
    const anyServiceMessage = fc.oneof(
      fc.record(
        { type: fc.constant('context_done' as const), context_id: anyContextId },
        { requiredKeys: ['type'], noNullPrototype: true },
      ),
      fc.record(
        { type: fc.constant('error' as const), message: fc.string({ unit: 'binary' }), context_id: anyContextId },
        { requiredKeys: ['type', 'message'], noNullPrototype: true },
      ),
    );
    fc.assert(
      fc.property(anyServiceMessage, (message) => {
        assert.deepEqual(parseServiceMessage(JSON.stringify(message)), { ok: true, value: message });
      }),
    );
  });

  it('treats a context id that is not a non-empty string as missing', () => {
    for (const id of ['7', 'null', '""', '{}']) {
      assert.deepEqual(parseServiceMessage(`{"type":"context_done","context_id":${id}}`), {
        ok: true,
        value: { type: 'context_done' },
      });
    }
  });

  it('quotes an error whose message is an object', () => {
    assert.deepEqual(parseServiceMessage('{"type":"error","message":{"code":3}}'), {
      ok: true,
      value: { type: 'error', message: '{"code":3}' },
    });
  });

  it('accepts an error without a message', () => {
    for (const json of ['{"type":"error","code":3}', '{"type":"error","message":null}']) {
      assert.deepEqual(parseServiceMessage(json), { ok: true, value: { type: 'error', message: 'no reason given' } });
    }
  });

  it('names the type when it is unknown', () => {
    for (const json of ['{"type":"usage"}', '{"type":3}', '{}']) {
      const parsed = parseServiceMessage(json);
      assert.deepEqual(parsed.ok ? [] : parsed.errors.map(({ field }) => field), ['type']);
    }
  });

  it('never throws on strings, JSON or damaged messages', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), damaged), (json) => {
        const parsed = parseServiceMessage(json);
        assert.ok(parsed.ok || parsed.errors.length > 0);
      }),
    );
  });
});

describe('oneShotMessages', () => {
  it('returns the two messages of the spec, which are valid client messages', () => {
    const messages = oneShotMessages('Hello.', 'turn-1');
    assert.deepEqual(messages, [
      { type: 'synthesize', context_id: 'turn-1', text: 'Hello.', segment_mode: 'auto' },
      { type: 'end', context_id: 'turn-1' },
    ]);
    for (const message of messages) assert.ok(parseClientMessage(JSON.stringify(message)).ok);
  });
});
