import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSpeechEngine, type SpeechSettings } from '../../src/speech/create-speech-engine.js';

describe('createSpeechEngine', () => {
  for (const [settings, expected] of [
    [{ engine: 'openai' }, /openai needs SVC_SPEECH_URL/],
    [{ engine: 'command' }, /command needs SVC_SPEECH_COMMAND/],
    [{ engine: 'festival' }, /SVC_SPEECH must be one of flite, openai, command/],
    [{ url: 'http://x/' }, /SVC_SPEECH_URL has no effect with SVC_SPEECH=flite/],
    [{ engine: 'command', command: 'x', key: 'k' }, /SVC_SPEECH_KEY has no effect/],
    [{ engine: 'openai', url: 'http://x/', sampleRate: 1 }, /SVC_SPEECH_SAMPLE_RATE must be .* 4000 to 384000/],
    [{ engine: 'openai', url: 'nowhere' }, /SVC_SPEECH_URL/],
    [{ engine: ['flite', 'flite'] }, /SVC_SPEECH must name each speech engine once/],
    [{ engine: ['openai', 'command'], url: 'http://x/', command: 'x' }, /SVC_SPEECH can name openai or command/],
    [{ engine: ['flite', 'openai'] }, /openai needs SVC_SPEECH_URL/],
    [{ engine: 'command', command: '/nowhere/at/all' }, /is not there .*SVC_SPEECH_COMMAND/],
  ] as [SpeechSettings, RegExp][]) {
    it(`refuses ${JSON.stringify(settings)}`, async () => {
      await assert.rejects(createSpeechEngine(settings), expected);
    });
  }

  it('makes the engine that is named, with its voices', async () => {
    const engine = await createSpeechEngine({
      engine: 'openai',
      url: 'http://127.0.0.1:1/',
      voices: ['a', 'b'],
      sampleRate: 16_000,
    });
    assert.deepEqual(engine.voices, [
      { id: 'a', sampleRate: 16_000 },
      { id: 'b', sampleRate: 16_000 },
    ]);
    await engine.close();
  });
});
