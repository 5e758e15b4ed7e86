import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { SpeechEngine } from '../../src/index.js';
import { createSpeechEngine } from '../support/built.js';
import { ask, failsWith, keepsTheContract, speakAll } from './support/engine-contract.js';
import { FakeSpeechServer, speechOf } from './support/fake-speech-server.js';

describe('SVC_SPEECH=openai,flite', () => {
  const servers: FakeSpeechServer[] = [];
  const fallbacks: string[] = [];
  let server: FakeSpeechServer;
  let engine: SpeechEngine;

  async function start(): Promise<SpeechEngine> {
    server = new FakeSpeechServer();
    servers.push(server);
    server.voices = { voices: ['af_heart', { id: 'ff_siwis', name: 'Siwis' }, 'af_heart', 7, 'a b'] };
    return createSpeechEngine({
      engine: ['openai', 'flite'],
      url: await server.start(),
      threads: 1,
      onFallback: (from, to) => fallbacks.push(`${from} ${to}`),
    });
  }

  before(async () => {
    engine = await start();
  });

  beforeEach(() => (fallbacks.length = 0));

  afterEach(() => (server.script.length = 0));

  after(async () => {
    await engine.close();
    await Promise.all(servers.map((one) => one.stop()));
  });

  const refuse = (response: import('node:http').ServerResponse): void => {
    response.writeHead(501).end();
  };

  it('has the voices of the server and of flite, and what both support', () => {
    assert.deepEqual(engine.voices.slice(0, 2), [
      { id: 'af_heart', sampleRate: 24_000 },
      { id: 'ff_siwis', sampleRate: 24_000, language: 'fr' },
    ]);
    assert.ok(engine.voices.some(({ id }) => id === 'slt'));
    assert.deepEqual(Object.keys(engine.sampling), ['rate']);
    assert.equal(engine.timings, undefined);
    assert.deepEqual(engine.parts, { openai: true, flite: true });
  });

  it('speaks with the engine of the voice', async () => {
    const text = 'Hello there.';
    assert.deepEqual(await speakAll(engine, text), speechOf(text, 24_000));
    const voice = engine.voices.find(({ id }) => id === 'slt')!;
    assert.ok((await speakAll(engine, text, { voice })).length > voice.sampleRate / 2);
    assert.deepEqual(fallbacks, []);
  });

  it('has no other try for text that cannot be spoken', async () => {
    await assert.rejects(speakAll(engine, '  '), failsWith('nothing-to-speak'));
    assert.deepEqual(fallbacks, []);
  });

  it('speaks with the other one, at the same rate, if the first fails before its first sound', async () => {
    const voice = engine.voices.find(({ id }) => id === 'slt')!;
    const expected = await speakAll(engine, 'Hello there.', { voice });
    server.script.push(refuse);
    const spoken = await speakAll(engine, 'Hello there.');
    assert.deepEqual(fallbacks, ['openai flite']);
    const [seconds, expectedSeconds] = [spoken.length / 24_000, expected.length / voice.sampleRate];
    assert.ok(Math.abs(seconds - expectedSeconds) < 0.05, `${seconds} s instead of ${expectedSeconds} s`);
  });

  it('speaks no French with an English voice', async () => {
    server.script.push(refuse);
    await assert.rejects(speakAll(engine, 'Bonjour.', { voice: engine.voices[1]! }), failsWith('engine-failed'));
    assert.deepEqual(fallbacks, []);
  });

  it('begins nothing again that was heard', async () => {
    server.script.push((response, samples) => server.sendAudio(response, samples, 100));
    let heard = 0;
    await assert.rejects(async () => {
      for await (const samples of engine.speak(ask(engine, 'Hello there.'), new AbortController().signal)) {
        heard += samples.length;
      }
    }, failsWith('engine-failed'));
    assert.ok(heard > 0);
    assert.deepEqual(fallbacks, []);
  });

  it('says which of them can speak, and speaks as long as one can', async () => {
    for (let count = 0; count < 3; count++) {
      server.script.push(refuse);
      await speakAll(engine, 'Hello there.');
    }
    assert.deepEqual([engine.parts, engine.available], [{ openai: false, flite: true }, true]);
    const asked = server.asked.length;
    await speakAll(engine, 'Hello there.');
    assert.equal(server.asked.length, asked);
  });

  it('does not start if one of them does not', async () => {
    await assert.rejects(
      createSpeechEngine({ engine: ['flite', 'command'], threads: 1, command: '/nowhere/at/all' }),
      /is not there .*SVC_SPEECH_COMMAND/,
    );
  });

  describe('as any engine', () => keepsTheContract(start));
});
