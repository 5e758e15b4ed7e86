import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sessionFromUrl } from '../../../src/protocol/index.js';

/** Returns the field that is reported for a URL. */
function wrongField(url: string): string | undefined {
  const parsed = sessionFromUrl(url);
  return parsed.ok ? undefined : parsed.errors[0]?.field;
}

describe('sessionFromUrl', () => {
  it('reads rate, format and voice from the query', () => {
    const url = 'wss://gw.example/s?token=t&voice_id=anna%20b&format=pcm_f32le&sample_rate=44100';
    assert.deepEqual(sessionFromUrl(url), {
      ok: true,
      value: { url, sampleRate: 44100, format: 'pcm_f32le', voiceId: 'anna b' },
    });
  });

  it('uses the defaults for parameters that the query lacks', () => {
    for (const url of ['wss://gw.example/s', 'wss://gw.example/s?sample_rate=&format=&voice_id=']) {
      assert.deepEqual(sessionFromUrl(url), {
        ok: true,
        value: { url, sampleRate: 24000, format: 'pcm_s16le', voiceId: null },
      });
    }
  });

  for (const host of ['localhost', 'LOCALHOST:8787', 'a.localhost', '127.0.0.1:8787', '127.9.8.7', '[::1]:8787']) {
    it(`allows ws: to ${host}`, () => assert.equal(wrongField(`ws://${host}/s`), undefined));
  }

  for (const url of [
    'ws://gw.example/s',
    'ws://localhost.example/s',
    'ws://127.0.0.1.example/s',
    'ws://user@10.0.0.1/s',
    'ws://localhost@gw.example/s',
    'https://gw.example/s',
    'javascript:alert(1)',
    '//gw.example/s',
    '/s',
    'wss://',
    '',
  ]) {
    it(`refuses ${url || 'nothing'}`, () => assert.equal(wrongField(url), 'url'));
  }

  for (const rate of ['0', '7999', '96001', '24000.5', 'fast', '-24000', '1e99']) {
    it(`names sample_rate when it is ${rate}`, () => {
      assert.equal(wrongField(`wss://gw.example/s?sample_rate=${rate}`), 'sample_rate');
    });
  }

  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (url) => void sessionFromUrl(url)));
    fc.assert(fc.property(fc.string(), (query) => void sessionFromUrl(`wss://gw.example/s?sample_rate=${query}`)));
    fc.assert(fc.property(fc.anything(), (url) => assert.ok(!sessionFromUrl(url as string).ok)));
  });
});
