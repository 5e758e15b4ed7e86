import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isKnownSilent, sourceOf, type SpeechSource } from '../../../src/controls/speech-source.js';

const none: SpeechSource = {
  hasSpeech: false,
  text: '',
  src: '',
  session: null,
  sessionProvider: null,
  sessionEndpoint: '',
  sessionRequest: null,
};
const isSilent = (change: Partial<SpeechSource>): boolean => isKnownSilent({ ...none, ...change });

describe('isKnownSilent', () => {
  it('is true without a source, whatever the text', () => {
    assert.equal(isSilent({}), true);
    assert.equal(isSilent({ text: 'Hello.' }), true);
  });

  it('is true if neither the page nor its session has words', () => {
    const session = { messages: [] };
    assert.equal(isSilent({ src: 'wss://a.test', session }), true);
    assert.equal(isSilent({ src: 'wss://a.test', session, text: 'Hello.' }), false);
    assert.equal(isSilent({ src: 'wss://a.test', session: { messages: [{}] } }), false);
  });

  it('is false while the words of a session are not known', () => {
    assert.equal(isSilent({ src: 'wss://a.test' }), false);
    assert.equal(isSilent({ sessionEndpoint: '/speech/session' }), false);
    assert.equal(isSilent({ sessionProvider: () => {} }), false);
    assert.equal(isSilent({ session: {} }), false);
  });

  it('is false while something is spoken or queued', () => {
    assert.equal(isSilent({ hasSpeech: true }), false);
  });
});

describe('sourceOf', () => {
  it('differs if the source has changed, not if a request is read again', () => {
    const read = (change: Partial<SpeechSource>): unknown[] => sourceOf({ ...none, ...change });
    assert.deepEqual(read({ sessionRequest: { input: 'A' } }), read({ sessionRequest: { input: 'A' } }));
    assert.notDeepEqual(read({ sessionRequest: { input: 'A' } }), read({ sessionRequest: { input: 'B' } }));
    assert.notDeepEqual(read({}), read({ text: 'A' }));
  });
});
