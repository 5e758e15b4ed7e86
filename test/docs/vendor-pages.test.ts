/** Pages whose session endpoint gives sessions of other vendors: from the kit to the samples that are heard. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  cartesiaSession,
  createSpeechBackend,
  deepgramSession,
  elevenLabsSession,
  nodeHandler,
} from '../../src/backend/index.js';
import { spokenWords, startVendorSockets, VENDOR_KEY, type VendorSockets } from '../vendor-sockets.js';
import { example, load } from './example.js';
import { loadWords, startHost, type Answer, type Host } from './host.js';

const SCRIPT = `<script type="module">import 'svc-speaker/define.js';</script>`;

/** The makers of sessions, the hosts of the vendors, and the examples. */
const VENDORS = {
  elevenlabs: [elevenLabsSession, 'api.elevenlabs.io', 'backend/elevenlabs.js'],
  cartesia: [cartesiaSession, 'api.cartesia.ai', 'backend/cartesia.js'],
  deepgram: [deepgramSession, 'api.deepgram.com', 'backend/deepgram.js'],
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

  for (const [name, [makeSession, hostName, file]] of Object.entries(VENDORS)) {
    it(`${name}: speaks a stream, word by word`, async (t) => {
      const session = makeSession({ apiKey: VENDOR_KEY, baseUrl: vendors.url, voice: 'a-voice' });
      const endpoint = `/${name}/session`;
      const markup = await readFile(example('page/session-endpoint.html'), 'utf8');
      const { page } = await host.open(t, markup.replace('/speech/session', endpoint) + SCRIPT, {
        [endpoint]: nodeHandler(createSpeechBackend({ session, production: false })) as Answer,
      });
      await loadWords(page);
      const spoken = await page.evaluate(async () => {
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
      const { backend } = await load<{ backend: { fetch(request: Request): Promise<Response> } }>(file);
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

  it('a service of which only a dialect is known', async (t) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    t.after(() => server.close());
    const sent: unknown[] = [];
    server.on('connection', (socket: WebSocket) => {
      socket.on('message', (data) => {
        const message = JSON.parse(String(data)) as { id: string; say?: string; end?: true };
        sent.push(message);
        const answer = (content: object): void => socket.send(JSON.stringify({ id: message.id, ...content }));
        const words = [{ word: 'Hello.', from: 0, to: 80 }];
        if (message.say) answer({ chunk: { pcm: Buffer.alloc(4800, 1).toString('base64'), words } });
        if (message.end) answer({ event: 'finished' });
      });
    });
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const script = `<script type="module">
      import 'svc-speaker/define.js';
      import { sessionProvider } from './own-dialect.js';
      document.querySelector('svc-speaker').sessionProvider = sessionProvider;
    </script>`;
    const { page } = await host.open(t, `<svc-speaker></svc-speaker>${script}`, {
      'own-dialect.js': await readFile(example('page/own-dialect.js'), 'utf8'),
      '/some-service/session': ((_, response) => response.end(JSON.stringify({ url }))) as Answer,
    });
    const spoken = await page.evaluate(async () => {
      await customElements.whenDefined('svc-speaker');
      const speaker = document.querySelector('svc-speaker')!;
      const word = new Promise<string>((resolve) =>
        speaker.addEventListener('word', (event) => resolve(event.word.text), { once: true }),
      );
      const utterance = speaker.speak('Hello.');
      await utterance.finished;
      return { word: await word, seconds: utterance.endTime };
    });
    assert.deepEqual(spoken, { word: 'Hello.', seconds: 0.1 });
    const [start, say, end] = sent as [{ start: { id: string } }, object, object];
    const { id } = start.start;
    assert.deepEqual(
      [start, say, end],
      [{ start: { voice: 'anna', rate: 24_000, id } }, { say: 'Hello.', id }, { end: true, id }],
    );
  });
});
