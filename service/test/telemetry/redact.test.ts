import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRedactor } from '../../src/telemetry/redact.js';

const redact = createRedactor();

describe('redact', () => {
  for (const [before, after] of [
    ['opened wss://a.example/realtime/stream?voice_id=slt&token=abc now', 'opened wss://a.example/realtime/stream?[secret] now'], // prettier-ignore
    ['Route GET:/nothing?input=hello not found', 'Route GET:/nothing?[secret] not found'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvd25lciJ9.c2ln is old', 'token [secret] is old'],
    ['sealed eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn', 'sealed [secret]'],
    [`key svc_${'a-_0'.repeat(11)}`, 'key [secret]'],
    ['postgres://svc:pa%55word@db.example:5432/svc', 'postgres://svc:[secret]@db.example:5432/svc'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [secret]'],
  ] as const) {
    it(`takes the secret out of: ${before}`, () => assert.equal(redact(before), after));
  }

  for (const text of [
    'Is it there? It is not.',
    'svc_sockets_open 5',
    'http://127.0.0.1:8787/api/v1/avatars/bundle/demo',
    'at listen (/srv/svc-service/dist/index.js:12:5)',
    'mail to ops@example.org: at once',
  ]) {
    it(`leaves alone: ${text}`, () => assert.equal(redact(text), text));
  }

  it('removes the given secrets, also as JSON escapes them', () => {
    const own = createRedactor(['a "quoted" secret', 'short']);
    assert.equal(own('a "quoted" secret, in short'), '[secret], in short');
    assert.equal(own(JSON.stringify({ key: 'a "quoted" secret' })), '{"key":"[secret]"}');
  });

  it('is quick with whatever a client sends for a path', () => {
    for (const piece of ['/', 'eyJ', 'eyJ-', 'a-', 'a://', 'a:', 'svc_', '?', 'bearer ', 'a@']) {
      const hostile = piece.repeat(64 * 1024);
      const began = process.cpuUsage().user;
      redact(hostile);
      const ms = (process.cpuUsage().user - began) / 1000;
      assert.ok(ms < 500, `${piece}: ${ms} ms`); // about 5 ms; in quadratic time, minutes
    }
  });
});
