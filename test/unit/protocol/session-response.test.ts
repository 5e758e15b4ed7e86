import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { oneShotMessages, parseSessionResponse, PROTOCOL } from '../../../src/protocol/index.js';
import { anyClientMessage } from './any-message.js';

const response = {
  url: 'wss://gateway.example/stream?token=t&sample_rate=24000',
  gateway: 'gw-1',
  protocol: PROTOCOL,
  voice_id: 'anna',
  format: 'pcm_s16le',
  sample_rate: 24000,
  messages: [],
};

/** Returns the fields that are reported for a response. */
function wrongFields(value: unknown): string[] {
  const parsed = parseSessionResponse(value);
  return parsed.ok ? [] : parsed.errors.map(({ field }) => field);
}

describe('parseSessionResponse', () => {
  it('returns every valid response unchanged', () => {
    const anyResponse = fc.record(
      {
        url: fc.webUrl({ validSchemes: ['wss'], withQueryParameters: true }),
        expires_in_seconds: fc.nat(),
        expires_at: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        max_concurrent_sessions: fc.nat(),
        gateway: fc.string(),
        protocol: fc.string(),
        voice_id: fc.string(),
        format: fc.string(),
        sample_rate: fc.integer({ min: 8000, max: 96000 }),
        messages: fc.array(anyClientMessage, { maxLength: 4 }),
      },
      {
        requiredKeys: ['url', 'gateway', 'protocol', 'voice_id', 'format', 'sample_rate', 'messages'],
        noNullPrototype: true,
      },
    );
    fc.assert(
      fc.property(anyResponse, (value) => {
        assert.deepEqual(parseSessionResponse(JSON.parse(JSON.stringify(value))), { ok: true, value });
      }),
    );
  });

  it('tolerates unknown fields and omits them', () => {
    assert.deepEqual(parseSessionResponse({ ...response, region: 'eu' }), { ok: true, value: response });
  });

  it('treats null in an optional field as missing', () => {
    assert.deepEqual(parseSessionResponse({ ...response, expires_at: null }), { ok: true, value: response });
  });

  it('names every required field that is missing', () => {
    assert.deepEqual(wrongFields({}), Object.keys(response));
  });

  for (const [field, value] of [
    ['url', 'https://gateway.example/stream'],
    ['url', 'ws://gateway.example/stream'],
    ['url', ''],
    ['expires_in_seconds', '30'],
    ['expires_at', 1700000000],
    ['max_concurrent_sessions', -1],
    ['gateway', 1],
    ['protocol', null],
    ['voice_id', {}],
    ['format', false],
    ['sample_rate', 0],
    ['messages', {}],
  ] as const) {
    it(`names ${field} when it is ${JSON.stringify(value)}, and no other field`, () => {
      assert.deepEqual(wrongFields({ ...response, [field]: value }), [field]);
    });
  }

  it('names the field of the message that is wrong', () => {
    const messages = [...oneShotMessages('hello', 'turn-1'), { type: 'cancel', context_id: 'turn-1' }, 'end'];
    assert.deepEqual(wrongFields({ ...response, messages }), ['messages[2].type', 'messages[3]']);
  });

  it('keeps unknown fields of ready-made messages, since they go back to the service', () => {
    const messages = [{ type: 'end', context_id: 'turn-1', reason: 'done' }];
    assert.deepEqual(parseSessionResponse({ ...response, messages }), { ok: true, value: { ...response, messages } });
  });

  it('never throws, whatever it is given', () => {
    const hostile = fc.record(Object.fromEntries(Object.keys(response).map((name) => [name, fc.anything()])));
    fc.assert(fc.property(fc.anything(), (value) => assert.ok(!parseSessionResponse(value).ok)));
    fc.assert(fc.property(hostile, (value) => void parseSessionResponse(value)));
    fc.assert(fc.property(fc.array(fc.anything()), (messages) => void parseSessionResponse({ ...response, messages })));
  });
});
