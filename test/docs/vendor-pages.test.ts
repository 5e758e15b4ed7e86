/** Pages whose session endpoint gives sessions of other vendors: from the kit to the samples that are heard. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  cartesiaSession,
  createSpeechBackend,
  deepgramSession,
  elevenLabsSession,
  nodeHandler,
} from '../../src/backend/index.js';
import { spokenWords, startVendorSockets, VENDOR_KEY, type VendorSockets } from '../vendor-sockets.js';
import { load } from './example.js';
import { startHost, type Answer, type Host } from './host.js';

const SPEAKER = `<svc-speaker session-endpoint="/speech/session"></svc-speaker>
<script type="module">import 'svc-speaker/define.js';</script>`;

/** The makers of sessions, and the hosts of the vendors. */
const VENDORS = {
  elevenlabs: [elevenLabsSession, 'api.elevenlabs.io'],
  cartesia: [cartesiaSession, 'api.cartesia.ai'],
  deepgram: [deepgramSession, 'api.deepgram.com'],
} as const;

describe('A page whose backend gives sessions of', { concurrency: 3 }, () => {
  let host: Host;
  let vendors: VendorSockets;

  const { fetch } = globalThis;

  before(async () => {
    [host, vendors] = await Promise.all([startHost(), startVendorSockets()]);
    const hosts = new RegExp(
      `^https://(${Object.values(VENDORS)
        .map(([, name]) => name)
        .join('|')})`,
    );
    globalThis.fetch = (address, init) => fetch(String(address).replace(hosts, vendors.url), init);
  });

  afterEach(() => assert.deepEqual(vendors.problems, []));

  after(() => {
    globalThis.fetch = fetch;
    return Promise.all([host.close(), vendors.close()]);
  });

  for (const [name, [makeSession, hostName]] of Object.entries(VENDORS)) {
    it(`${name}: speaks a stream, word by word`, async (t) => {
      const session = makeSession({ apiKey: VENDOR_KEY, baseUrl: vendors.url, voice: 'a-voice' });
      const endpoint = `/${name}/session`;
      const { page } = await host.open(t, SPEAKER.replace('/speech/session', endpoint), {
        [endpoint]: nodeHandler(createSpeechBackend({ session, production: false })) as Answer,
      });
      const spoken = await page.evaluate(async () => {
        await customElements.whenDefined('svc-speaker');
        const speaker = document.querySelector('svc-speaker')!;
        const words: string[] = [];
        speaker.addEventListener('word', ({ word }) => {
          if (!word.isEstimated) words.push(word.text);
        });
        const stream = new ReadableStream<string>({
          start(controller) {
            for (const token of ['One ', 'two, ', 'three. ', 'Four ', 'five.']) controller.enqueue(token);
            controller.close();
          },
        });
        const utterance = speaker.speak(stream);
        await utterance.finished;
        const wav = await speaker.toBlob();
        const samples = new Int16Array((await wav.arrayBuffer()).slice(44));
        return { text: utterance.text, words, samples: [...samples] };
      });
      assert.equal(spoken.text, 'One two, three. Four five.');
      assert.deepEqual(spoken.words, name === 'deepgram' ? [] : ['One', 'two,', 'three.', 'Four', 'five.']);
      assert.deepEqual(spoken.samples, [...spokenWords(5)]);
    });

    it(`${name}: is made as its page in the docs shows`, async () => {
      process.env[`${name.toUpperCase()}_API_KEY`] = VENDOR_KEY;
      const { backend } = await load<{ backend: { fetch(request: Request): Promise<Response> } }>(`backend/${name}.js`);
      const ask = (cookie: string): Promise<Response> =>
        backend.fetch(
          new Request('https://app.example/speech/session', {
            method: 'POST',
            headers: { Cookie: cookie, 'Content-Type': 'application/json' },
            body: '{}',
          }),
        );
      const { url } = (await (await ask('user=zoe')).json()) as { url: string };
      assert.equal(new URL(url).origin, `wss://${hostName}`);
      assert.equal((await ask('')).status, 403);
    });
  }
});
