import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  cartesiaSession,
  createSpeechBackend,
  deepgramSession,
  elevenLabsSession,
  type SvcApiError,
  type VendorSessionOptions,
} from '../../../src/backend/index.js';
import { cartesia, deepgram, deepgramFlux, elevenLabs } from '../../../src/dialects/index.js';
import type { SessionRequest, SessionResponse } from '../../../src/protocol/index.js';
import { startVendorSockets, VENDOR_KEY, type VendorSockets } from '../../vendor-sockets.js';

const OPTIONS = { apiKey: VENDOR_KEY, voice: 'anna/1', retries: 0 };

const MAKERS = { elevenLabsSession, cartesiaSession, deepgramSession };

describe('the sessions of other vendors', () => {
  let vendors: VendorSockets;

  before(async () => {
    vendors = await startVendorSockets();
  });

  after(() => vendors.close());

  const post = (request: SessionRequest): Request =>
    new Request('https://app.example/speech/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
    });

  /** Answers a session request with a backend of the kit. */
  async function ask(
    maker: keyof typeof MAKERS,
    options: Partial<VendorSessionOptions> = {},
    request: SessionRequest = {},
  ): Promise<{ status: number; body: SessionResponse & { detail?: string }; errors: SvcApiError[] }> {
    const errors: SvcApiError[] = [];
    const backend = createSpeechBackend({
      production: false,
      onError: (error) => errors.push(error as SvcApiError),
      session: MAKERS[maker]({ ...OPTIONS, baseUrl: vendors.url, ...options }),
    });
    vendors.asked.length = 0;
    const response = await backend.fetch(post(request));
    return { status: response.status, body: await response.json(), errors };
  }

  it('have a token of ElevenLabs in the URL', async () => {
    const { body } = await ask('elevenLabsSession', { settings: { stability: 0.4 }, language: 'de' } as object);
    const { pathname, searchParams } = new URL(body.url);
    assert.equal(pathname, '/v1/text-to-speech/anna%2F1/multi-stream-input');
    assert.deepEqual(Object.fromEntries(searchParams), {
      model_id: 'eleven_flash_v2_5',
      language_code: 'de',
      output_format: 'pcm_24000',
      sync_alignment: 'true',
      single_use_token: 'token-1',
    });
    assert.deepEqual(body.dialect, { ...elevenLabs, values: { settings: { stability: 0.4 } } });
    const [asked] = vendors.asked;
    assert.deepEqual([asked!.path, asked!.headers['xi-api-key']], ['/v1/single-use-token/tts_websocket', VENDOR_KEY]);
  });

  it('have a token of Cartesia in the URL, and model and language in the dialect', async () => {
    const { body } = await ask('cartesiaSession', { model: 'sonic-2', language: 'fr' } as object);
    const { pathname, searchParams } = new URL(body.url);
    assert.equal(pathname, '/tts/websocket');
    assert.deepEqual([...searchParams.keys()], ['cartesia_version', 'access_token']);
    assert.deepEqual(body.dialect, { ...cartesia, values: { model: 'sonic-2', language: 'fr' } });
    const { path, headers, body: sent } = vendors.asked[0]!;
    assert.deepEqual([path, headers.authorization], ['/access-token', `Bearer ${VENDOR_KEY}`]);
    assert.match(headers['cartesia-version'] as string, /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(sent, { grants: { tts: true }, expires_in: 60 });
  });

  it('have a token of Deepgram as a subprotocol, and the wanted voice and rate', async () => {
    const { body } = await ask('deepgramSession', {}, { voice_id: 'aura-2-thalia-en', sample_rate: 16_000 });
    assert.deepEqual(Object.fromEntries(new URL(body.url).searchParams), {
      model: 'aura-2-thalia-en',
      encoding: 'linear16',
      sample_rate: '16000',
    });
    assert.deepEqual(body.dialect, { ...deepgram, subprotocols: ['bearer', 'token-1'] });
    assert.deepEqual([body.voice_id, body.sample_rate], ['aura-2-thalia-en', 16_000]);
    const { path, headers } = vendors.asked[0]!;
    assert.deepEqual([path, headers.authorization], ['/v1/auth/grant', `Token ${VENDOR_KEY}`]);
  });

  it('speak Flux with the models of Deepgram that do', async () => {
    const { body } = await ask('deepgramSession', {}, { voice_id: 'flux-haley-en' });
    assert.equal(new URL(body.url).pathname, '/v2/speak');
    assert.deepEqual(body.dialect, { ...deepgramFlux, subprotocols: ['bearer', 'token-1'] });
  });

  // microsoft/cognitive-services-speech-sdk-js 315, plankanban/planka 907, glowing-bear/glowing-bear 323
  for (const [how, spell] of [
    ['a slash at the end', (url: string) => `${url}//`],
    ['spaces around it', (url: string) => ` ${url}/\n`],
    ['capitals', (url: string) => url.replace('http', 'HTTP')],
  ] as const) {
    it(`have a URL at the vendor's address, which may have ${how}`, async () => {
      const { body } = await ask('cartesiaSession', { baseUrl: spell(vendors.url) });
      assert.ok(body.url.startsWith(`${vendors.url.replace('http', 'ws')}/tts/websocket?`), body.url);
    });
  }

  // bcc-code/bmm-web 193: a URL that is older than its token is refused without a reason
  for (const [maker, seconds] of [
    ['elevenLabsSession', 900],
    ['cartesiaSession', 60],
    ['deepgramSession', 30],
  ] as const) {
    it(`tell how long their token can open a socket: ${maker}`, async () => {
      const { body } = await ask(maker);
      assert.equal(body.expires_in_seconds, seconds);
    });
  }

  for (const maker of Object.keys(MAKERS) as (keyof typeof MAKERS)[]) {
    it(`tell the page nothing of a wrong key: ${maker}`, async () => {
      const { status, body, errors } = await ask(maker, { apiKey: 'another-key' });
      assert.deepEqual([status, errors[0]?.code], [502, 'unauthorized']);
      assert.doesNotMatch(JSON.stringify([body, errors]), /another-key/);
    });

    it(`are answered with 503 while the key is missing: ${maker}`, async () => {
      const { status, errors } = await ask(maker, { apiKey: undefined });
      assert.equal(status, 503);
      assert.match(errors[0]!.detail, /^apiKey is missing/);
      assert.deepEqual(vendors.asked, []);
    });

    it(`refuse input, which only a service of the interface speaks by itself: ${maker}`, async () => {
      const { status, body } = await ask(maker, {}, { input: 'Hello.' });
      assert.equal(status, 422);
      assert.match(body.detail!, /^input is not supported: call speak\(\)/);
    });
  }
});
