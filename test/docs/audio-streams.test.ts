import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { load } from './example.js';

type Recipe = (text: string, more?: string) => Promise<Response>;

/** Host of each service, the environment variable of its key, and a pattern that its request must match. */
const SERVICES: Record<string, { host: string; key: string; asks: RegExp }> = {
  openai: { host: 'api.openai.com', key: 'OPENAI_API_KEY', asks: /"response_format":"pcm"/ },
  elevenlabs: { host: 'api.elevenlabs.io', key: 'ELEVENLABS_API_KEY', asks: /output_format=pcm_24000/ },
  cartesia: { host: 'api.cartesia.ai', key: 'CARTESIA_API_KEY', asks: /"encoding":"pcm_s16le","sample_rate":24000/ },
  deepgram: {
    host: 'api.deepgram.com',
    key: 'DEEPGRAM_API_KEY',
    asks: /encoding=linear16&container=none&sample_rate=24000/,
  },
  azure: { host: 'westeurope.tts.speech.microsoft.com', key: 'AZURE_SPEECH_KEY', asks: /raw-24khz-16bit-mono-pcm/ },
};

describe('docs/audio-streams.md, with the requests of docs/voices.md', () => {
  const { fetch } = globalThis;
  let asked: Request[];
  let status: number;

  beforeEach(() => {
    asked = [];
    status = 200;
    globalThis.fetch = async (...request) => {
      asked.push(new Request(...request));
      return new Response(status === 200 ? Uint8Array.of(1, 2, 3, 4) : 'no', { status });
    };
    for (const { key } of Object.values(SERVICES)) process.env[key] = 'the-key';
  });

  afterEach(() => {
    globalThis.fetch = fetch;
  });

  for (const [name, { host, asks }] of Object.entries(SERVICES)) {
    it(`requests 16-bit samples at 24 kHz from ${name}, with its key and the text`, async () => {
      const recipes = (await load('backend/audio-stream.js')) as Record<string, Recipe>;
      await recipes[name]!('Tom & Ann.');
      const [request] = asked;
      assert.equal(new URL(request!.url).host, host);
      const said = [request!.url, ...[...request!.headers].flat(), await request!.text()].join('\n');
      assert.match(said, asks);
      assert.match(said, /the-key/);
      assert.match(said, /Tom (&|&amp;) Ann\./);
    });
  }

  it('forwards the audio with its rate, and a failure with its status but not its message', async () => {
    const { say } = (await load('backend/audio-stream.js')) as { say(request: Request): Promise<Response> };
    const ask = () => say(new Request('https://page.test/say', { method: 'POST', body: 'Hello.' }));
    const answer = await ask();
    assert.equal(answer.headers.get('content-type'), 'audio/pcm;rate=24000');
    assert.deepEqual([...new Uint8Array(await answer.arrayBuffer())], [1, 2, 3, 4]);
    status = 429;
    const refused = await ask();
    assert.deepEqual([refused.status, await refused.text()], [429, 'No speech.']);
  });
});
